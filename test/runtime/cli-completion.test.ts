/** Completion as the shells ask for it, and the components `weir init` writes. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { completionScripts, type Shell, shells } from '../../src/cli/completion/scripts.ts';
import { conformanceWorld } from './conformance/world.ts';
import { cliFile } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { needsProgram } from './support/not-run.ts';

const world = conformanceWorld();

/** How each shell is asked, without its terminal, what it offers for a line. */
const asks: Readonly<Record<Shell, (line: string) => string>> = {
  bash: (line) => {
    const words = line.split(' ');
    return `source <(weir completion bash)
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_weir
printf '%s\n' "\${COMPREPLY[@]}"`;
  },
  // Its completion functions work only at the line editor: those that ours calls print instead.
  zsh: (line) => {
    const words = line.split(' ');
    return `compdef() { : }; _files() { : }
_describe() { print -rl -- "\${(@)\${(@P)2}%%:*}" }
source <(weir completion zsh)
words=(${words.map((word) => `'${word}'`).join(' ')}) CURRENT=${words.length}
_weir`;
  },
  fish: (line) => `weir completion fish | source
complete -C '${line}' | string replace -r '\t.*' ''; true`,
};

/** What the shell offers for a line; its last word is being typed. */
async function complete(shell: Shell, line: string): Promise<string[]> {
  const bin = join(world.folder, 'bin');
  await mkdir(bin, { recursive: true });
  const weir = join(bin, 'weir');
  await writeFile(weir, `#!/bin/sh\nexec "${process.execPath}" "${cliFile}" "$@"\n`);
  await chmod(weir, 0o755);
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    WEIR_DATA: join(world.folder, 'data'),
  };
  const { stdout } = await promisify(execFile)(shell, ['-c', asks[shell](line)], { env });
  return stdout.split('\n').filter((one) => one !== '');
}

test.for(shells)(
  '%s: commands, options, choices and the names of what runs',
  async (shell, context) => {
    needsProgram(shell, context);
    const source = await world.deploy(`export default { name: 'Order inbox ${shell}', run() {} }`);
    expect(await complete(shell, 'weir web')).toEqual(['webhooks']);
    const verbs = await complete(shell, 'weir subscriptions ');
    expect(verbs.toSorted()).toEqual(['create', 'delete', 'help', 'list']);
    expect(await complete(shell, 'weir events order-inbox --sea')).toEqual(['--search']);
    expect(await complete(shell, 'weir list st')).toEqual(['streams']);
    const typed = source.name_slug.slice(0, -2);
    expect(await complete(shell, `weir events ${typed}`)).toEqual([source.name_slug]);
    // Nothing of ours: the shell offers files.
    expect(await complete(shell, 'weir deploy /nowhere/')).toEqual([]);
  },
);

test.each(shells)('%s gets its script', async (shell) => {
  const run = await world.runtime.weir('completion', shell);
  expect(run).toMatchObject({ code: 0, stdout: completionScripts[shell] });
  expect(await world.runtime.weir('completion', 'tcsh')).toMatchObject({ code: 2 });
});

test.each([
  ['source', ['--http', '--db'], { body: { n: 1 } }],
  ['source', ['--timer', '--db', '--typescript'], { n: 1 }],
  ['source', [], { n: 1 }],
])('init %s %j: what it writes is deployed and runs', async (kind, flags, event) => {
  const name = `Made ${flags.join(' ')}`;
  const init = () => run(world.folder, 'init', kind, name, ...flags, '--json');
  const { file } = JSON.parse((await init()).stdout) as { file: string };
  const source = await world.runtime.restData<Source>('POST', '/v1/sources', {
    component_path: file,
  });
  const emitted = await world.emitted(source, event);
  const expected = flags.includes('--db') ? { runs: 1, event: { n: 1 } } : { n: 1 };
  expect(emitted).toEqual([expected]);
  // A second time it overwrites nothing.
  const before = await readFile(file, 'utf8');
  await expect(init()).rejects.toMatchObject({ code: 1 });
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('init action: what it writes runs', async () => {
  const written = await run(world.folder, 'init', 'action', 'Say it', '--typescript', '--json');
  const { file } = JSON.parse(written.stdout) as { file: string };
  const ran = await world.runtime.weir('run', file, '--prop', 'text=hello');
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('Got 5 characters') });
  await expect(run(world.folder, 'init', 'action', 'Timed', '--timer')).rejects.toMatchObject({
    code: 2,
  });
});

/** The CLI in a folder of its own, where it writes. */
function run(cwd: string, ...args: string[]) {
  return promisify(execFile)(process.execPath, [cliFile, ...args], { cwd });
}

test('init writes nothing through a link that leads out of the folder', async () => {
  const [folder, outside] = [temporaryFolder(), temporaryFolder()];
  await symlink(outside, join(folder, 'my-action'));
  await symlink(join(outside, 'agents'), join(folder, 'AGENTS.md'));
  await symlink(outside, join(folder, 'node_modules'));
  for (const args of [['action', 'My action'], ['agents']]) {
    await expect(run(folder, 'init', ...args)).rejects.toMatchObject({
      stderr: expect.stringContaining('is behind a link that leads out of'),
    });
  }
  // The component is written, and the types for the editor are left out.
  await run(folder, 'init', 'action', 'Other', '--typescript');
  expect(await readdir(outside)).toEqual([]);
});

test('init agents: AGENTS.md is written, added to, and then left alone', async () => {
  const folder = temporaryFolder();
  const hint = await run(folder, 'init', 'action', 'Say');
  expect(hint.stdout).toContain('weir init agents');
  const file = join(folder, 'AGENTS.md');
  await writeFile(file, '# Ours\n\nUse tabs.\n');
  expect((await run(folder, 'init', 'agents')).stdout).toBe('Added a section to AGENTS.md.\n');
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(/^# Ours\n\nUse tabs\.\n\n## Weir\n/);
  expect((await run(folder, 'init', 'agents')).stdout).toContain('nothing was changed');
  expect(await readFile(file, 'utf8')).toBe(text);
  expect((await run(folder, 'init', 'action', 'Ask')).stdout).not.toContain('init agents');
  await expect(run(folder, 'init', 'agents', 'name')).rejects.toMatchObject({ code: 2 });
  await expect(run(folder, 'init', 'source')).rejects.toMatchObject({ code: 2 });
});
