import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { codeOrigin, positiveInteger, UsageError } from '../../../src/cli/arguments.ts';
import { dataFolderOf, type Verb } from '../../../src/cli/cli.ts';
import { runCli } from '../../../src/cli/run.ts';
import { WeirError } from '../../../src/protocol/errors.ts';
import { apiKey, startHarness } from '../runtime/api/harness.ts';

async function run(
  verb: Verb,
  args: readonly string[],
  stderr = new PassThrough(),
): Promise<{ code: number; err: string }> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const io = { stdin, stdout, stderr, env: {}, cwd: '/nowhere' };
  const code = await runCli([verb], args, io, new AbortController().signal, '1.2.3');
  return { code, err: String(stderr.read() ?? '') };
}

const failing =
  (failure?: Error): Verb =>
  (program, cli) => {
    program
      .command('do <what>')
      .option('-n <count>', 'how many', positiveInteger)
      .action(async (_what: string, _flags: object, command) => {
        await cli.run(command, () =>
          failure === undefined ? Promise.resolve(1) : Promise.reject(failure),
        );
      });
  };

describe('exit codes', () => {
  test.each<[number, string, Verb, string[]]>([
    [0, 'help', failing(), ['--help']],
    [0, 'help of a verb', failing(), ['do', '--help']],
    [0, 'the version', failing(), ['--version']],
    [2, 'nothing at all', failing(), []],
    [2, 'an unknown verb', failing(), ['dont']],
    [2, 'an unknown option', failing(), ['do', 'it', '--loud']],
    [2, 'an argument too few', failing(), ['do']],
    [2, 'an argument too many', failing(), ['do', 'it', 'now']],
    [2, 'not a number', failing(), ['do', 'it', '-n', '0']],
    [1, 'a verb that says so', failing(), ['do', 'it']],
    [2, 'wrong usage', failing(new UsageError('Not so.')), ['do', 'it']],
    [2, 'a value the runtime refuses', failing(new WeirError('bad_input', 'No.')), ['do', 'it']],
    [1, 'an error of the runtime', failing(new WeirError('conflict', 'No.')), ['do', 'it']],
    [1, 'any other error', failing(new Error('Oops.')), ['do', 'it']],
  ])('%i: %s', async (code, _name, verb, args) => {
    expect((await run(verb, args)).code).toBe(code);
  });

  test('without a runtime: 1, and how to get one', async () => {
    const verb: Verb = (program, cli) => {
      program.command('ask').action(async (_flags: object, command) => {
        await cli.connected(command, () => Promise.resolve());
      });
    };
    const { code, err } = await run(verb, ['ask', '--data', '/nowhere/at/all']);
    expect(code).toBe(1);
    expect(err).toMatch(/\/nowhere\/at\/all.*weir serve/);
  });
});

test('the line of progress is cleared before an error is printed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const runtime = await startHarness({
    api: (_request, response) => void response.end('{"status":"ok"}'),
    handlers: {
      'sources.deploy': (_params, context) => {
        context.progress('Bundling');
        throw new WeirError('bad_component', 'It does not compile.');
      },
    },
  });
  onTestFinished(() => runtime.stop());
  const file = { url: runtime.url, pid: process.pid, apiKey, version: '0', startedAt: '' };
  await writeFile(join(folder, 'runtime.json'), JSON.stringify(file));
  const verb: Verb = (program, cli) => {
    program.command('deploy').action(async (_flags: object, command) => {
      await cli.connected(command, async ({ call }) => {
        await call('sources.deploy', { component_path: '/x.mjs' });
      });
    });
  };
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const { code, err } = await run(verb, ['deploy', '--data', folder], terminal);
  expect(code).toBe(1);
  expect(err).toContain('Bundling');
  expect(err.endsWith('\r\u001b[2Kweir: It does not compile.\n')).toBe(true);
});

describe('where code comes from', () => {
  test('a file, a URL, else a key; a folder that is called like a key is not in its way', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weir-cli-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'inbox.mjs'), '');
    await mkdir(join(folder, 'acme-inbox'));
    const url = 'https://example.com/acme/inbox/blob/main/inbox.mjs';
    expect(codeOrigin('inbox.mjs', folder)).toEqual({ component_path: join(folder, 'inbox.mjs') });
    expect(codeOrigin(url, folder)).toEqual({ component_url: url });
    expect(codeOrigin('acme-inbox', folder)).toEqual({ key: 'acme-inbox' });
    expect(codeOrigin('acme-inbox@0.0.1', folder)).toEqual({ key: 'acme-inbox@0.0.1' });
    expect(() => codeOrigin('https://example.com/inbox.mjs', folder)).toThrow('is not the page');
    expect(() => codeOrigin('./acme-inbox', folder)).toThrow(UsageError);
    expect(() => codeOrigin('none.mjs', folder)).toThrow('There is no file');
  });
});

test.each([
  [{}, undefined, '/home/me/project/.weir'],
  [{ WEIR_DATA: '' }, undefined, '/home/me/project/.weir'],
  [{ WEIR_DATA: '/data' }, undefined, '/data'],
  [{ WEIR_DATA: 'other' }, undefined, '/home/me/project/other'],
  [{ WEIR_DATA: '/data' }, 'mine', '/home/me/project/mine'],
])('the data folder with %j and --data %s', (env, option, folder) => {
  expect(dataFolderOf({ env, cwd: '/home/me/project' }, option)).toBe(folder);
});
