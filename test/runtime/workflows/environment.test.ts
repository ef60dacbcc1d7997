/** Environment variables of steps: `weir env`, `.env`, and where their values must not appear (W50). */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Workflow } from '../../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { startRuntime, useRuntime } from '../../support/runtime.ts';
import { needsProgram } from '../support/not-run.ts';
import { deployWorkflow, runWorkflow, stepOf } from './script-files.ts';

const runtime = useRuntime();

const envFile = () => join(runtime.folder, '.env');
const moduleOf = (run: string) =>
  `export default defineComponent({ props: { given: { type: 'any', optional: true } }, run({ $ }) { ${run} } });`;
const read = (name: string): Promise<Workflow> =>
  deployWorkflow(runtime, {
    steps: [{ namespace: 'code', uses: './code.mjs', props: { given: `{{process.env.${name}}}` } }],
    files: { 'code.mjs': moduleOf(`return [process.env.${name}, this.given];`) },
  });
const told = async (workflow: Workflow) =>
  stepOf(await runWorkflow(runtime, workflow), 'code').return_value;

describe('in the steps', () => {
  test('a change is seen by the next step, without a new process or deploy', async () => {
    const workflow = await read('PLACE');
    expect(await told(workflow)).toEqual([null, null]);
    await runtime.weirJson('env', 'set', 'PLACE', 'here');
    expect(await told(workflow)).toEqual(['here', 'here']);
    await runtime.weirJson('env', 'set', 'PLACE', 'there');
    expect(await told(workflow)).toEqual(['there', 'there']);
    await runtime.weirJson('env', 'delete', 'PLACE');
    expect(await told(workflow)).toEqual([null, null]);
  });

  test('.env gives what is not set, and a change of it is seen within seconds', async () => {
    const workflow = await read('FROM');
    await writeFile(envFile(), 'FROM="file"\nPIPEDREAM_X=1\n# none\n');
    await expect.poll(() => told(workflow), { interval: 200 }).toEqual(['file', 'file']);
    await writeFile(`${envFile()}.new`, 'FROM=other\n');
    await rename(`${envFile()}.new`, envFile());
    await expect.poll(() => told(workflow), { interval: 200 }).toEqual(['other', 'other']);
    await runtime.weirJson('env', 'set', 'FROM', 'set');
    expect(await told(workflow)).toEqual(['set', 'set']);
    expect(await runtime.weirJson('env', 'list')).toContainEqual({
      name: 'FROM',
      from: 'weir env',
    });
    await runtime.weirJson('env', 'delete', 'FROM');
    expect(await told(workflow)).toEqual(['other', 'other']);
    await rm(envFile());
    await expect.poll(() => told(workflow), { interval: 200 }).toEqual([null, null]);
  });

  test('what the process has itself is back when a variable of its name is deleted', async () => {
    const workflow = await read('HOME');
    const [before] = (await told(workflow)) as string[];
    await runtime.weirJson('env', 'set', 'HOME', '/nil');
    expect(await told(workflow)).toEqual(['/nil', '/nil']);
    await runtime.weirJson('env', 'delete', 'HOME');
    expect(await told(workflow)).toEqual([before, before]);
  });

  test('Python and Bash have them', async (context) => {
    needsProgram('python3', context);
    needsProgram('bash', context);
    await runtime.weirJson('env', 'set', 'COLOR', 'blue');
    const workflow = await deployWorkflow(runtime, {
      steps: [
        { namespace: 'py', uses: './py.py' },
        { namespace: 'sh', uses: './sh.sh' },
      ],
      files: {
        'py.py': 'import os\ndef handler(pd): return os.environ["COLOR"]\n',
        'sh.sh': 'echo "color=$COLOR" >> $PIPEDREAM_EXPORTS\n',
      },
    });
    const execution = await runWorkflow(runtime, workflow);
    expect(stepOf(execution, 'py').return_value).toBe('blue');
    expect(stepOf(execution, 'sh').exports).toEqual({ color: 'blue' });
  });

  test('a component that is no step sees none', async () => {
    await runtime.weirJson('env', 'set', 'HIDDEN', 'hidden-value');
    const path = await runtime.file(
      'look.mjs',
      "export default { type: 'action', name: 'l', key: 'l', version: '0.0.1', run() { return process.env.HIDDEN ?? 'none'; } };",
    );
    const { code, stdout } = await runtime.weir('run', path, '--json');
    expect(code).toBe(0);
    expect(stdout).toContain('none');
    expect(stdout).not.toContain('hidden-value');
  });
});

test.for([
  ['PIPEDREAM_KEY', /reserved/],
  ['pipedream_key', /reserved/],
  ['WEIR_KEY', /reserved/],
  ['1A', /not a name/],
  ['A-B', /not a name/],
  ['A=B', /not a name/],
] as const)('%s cannot be set', async ([name, message]) => {
  const run = await runtime.weir('env', 'set', name, 'x');
  expect(run.code).not.toBe(0);
  expect(run.stderr).toMatch(message);
});

test('deleting what is not there says so', async () => {
  const run = await runtime.weir('env', 'delete', 'NOPE');
  expect(run.code).not.toBe(0);
  expect(run.stderr).toMatch(/There is no variable NOPE/);
});

describe('what is shown', () => {
  const secret = 'Zu"geheim-42\\x';
  beforeEach(async () => {
    await runtime.weirJson('env', 'set', 'API_KEY', secret);
    await runtime.weirJson('env', 'set', 'PIN', '7310254');
  });
  /** In whatever form a document, a log or a table may hold it. */
  const forms = [secret, JSON.stringify(secret).slice(1, -1), 'geheim-42', '7310254'];
  const expectNone = (text: string) => {
    for (const form of forms) expect(text).not.toContain(form);
  };

  test('values are in no log, export, error or list, and later steps still read them', async () => {
    const workflow = await deployWorkflow(runtime, {
      steps: [
        { namespace: 'code', uses: './code.mjs', props: { given: '{{process.env.API_KEY}}' } },
        { namespace: 'next', uses: './next.mjs' },
        { namespace: 'fails', uses: './fails.mjs' },
      ],
      files: {
        'code.mjs': moduleOf(
          "console.log('key', this.given, { key: this.given }, JSON.stringify(process.env)); $.export('$summary', 'with ' + this.given); $.export('pin', Number(process.env.PIN)); return { [this.given]: this.given };",
        ),
        'next.mjs':
          'export default defineComponent({ run({ steps }) { return steps.code.pin === Number(process.env.PIN) && steps.code.$return_value[process.env.API_KEY] === process.env.API_KEY; } });',
        'fails.mjs': moduleOf("throw new Error('refused ' + process.env.API_KEY);"),
      },
    });
    const execution = await runWorkflow(runtime, workflow);
    expect(stepOf(execution, 'next').return_value).toBe(true);
    expect(stepOf(execution, 'code').summary).toBe('with [API_KEY]');
    expect(stepOf(execution, 'code').return_value).toEqual({ '[API_KEY]': '[API_KEY]' });
    expect(stepOf(execution, 'code').exports['pin']).toBe('[PIN]');
    expect(stepOf(execution, 'fails').error?.message).toBe('refused [API_KEY]');
    const list = await runtime.rest('GET', `/v1/workflows/${workflow.id}/executions`);
    const again = await runtime.rest('GET', `/v1/executions/${execution.id}`);
    for (const shown of [execution, list.body, again.body]) expectNone(JSON.stringify(shown));
    expectNone(runtime.output());
    expectNone(await readFile(join(runtime.folder, 'data/logs/runtime.log'), 'utf8'));
    expectNone((await runtime.weir('env', 'list')).stdout);
    expectNone(JSON.stringify((await runtime.rest('GET', '/v1/environment')).body));
    for (const path of ['$errors/event_summaries?expand=event', 'event_summaries?expand=event']) {
      const events = await runtime.rest('GET', `/v1/workflows/${workflow.id}/${path}`);
      expect(events.status).toBe(200);
      expectNone(JSON.stringify(events.body));
    }
  });

  test('the reason of an exit is masked', async () => {
    const workflow = await deployWorkflow(runtime, {
      steps: [{ namespace: 'code', uses: './code.mjs' }],
      files: { 'code.mjs': moduleOf('return $.flow.exit("for " + process.env.API_KEY);') },
    });
    expect((await runWorkflow(runtime, workflow)).reason).toBe('for [API_KEY]');
    expectNone((await runtime.weir('logs', workflow.id, '-n', '20')).stdout);
  });
});

test('at rest values are sealed; with another key they are gone, and the log names them', async () => {
  const folder = temporaryFolder();
  const first = await startRuntime({ folder });
  const secret = 'kein-klartext-4711';
  await first.weirJson('env', 'set', 'SEALED', secret);
  await first.stop();
  const data = join(folder, 'data');
  for (const name of await readdir(data, { recursive: true })) {
    const bytes = await readFile(join(data, name)).catch(() => Buffer.alloc(0));
    expect([name, bytes.includes(secret)]).toEqual([name, false]);
  }
  const second = await startRuntime({ folder });
  expect(await second.weirJson('env', 'list')).toEqual([{ name: 'SEALED', from: 'weir env' }]);
  await second.stop();
  await rm(join(folder, 'config'), { recursive: true });
  const third = await startRuntime({ folder });
  expect(await third.weirJson('env', 'list')).toEqual([]);
  expect(await readFile(join(data, 'logs/runtime.log'), 'utf8')).toMatch(
    /The secrets of the environment variables were sealed with another key/,
  );
  await third.weirJson('env', 'set', 'SEALED', 'anew');
  expect(await third.weirJson('env', 'list')).toEqual([{ name: 'SEALED', from: 'weir env' }]);
});
