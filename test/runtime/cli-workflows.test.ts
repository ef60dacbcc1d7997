/** The verbs of the CLI for workflows, against a real runtime: what they print, and how they end. */
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type {
  EmittedEvent,
  Execution,
  LogLine,
  WholeExecution,
  Workflow,
} from '../../src/protocol/catalogue.ts';
import { gather, runCli, spawnCli } from '../support/cli.ts';
import { post } from '../support/post.ts';
import { startReceiver } from '../support/receiver.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';
import { endpointOf, http, workflowFolder, type WorkflowFiles } from './support/workflows.ts';

const runtime = useRuntime();

/** Logs, returns, fails when its event says so, emits. */
const steps = {
  greet: `console.log('hello', steps.trigger.event.who);
    if (steps.trigger.event.fail) throw new Error('as you wish');
    $.export('$summary', 'Greeted ' + steps.trigger.event.who);
    return { text: 'hello ' + steps.trigger.event.who };`,
  tell: `$.send.emit({ raw_event: { text: steps.greet.$return_value.text } });`,
};
const waiting = {
  wait: '$.flow.suspend();',
  after: 'return steps.wait.$resume_data;',
};

async function deployed(files: WorkflowFiles): Promise<Workflow> {
  return await runtime.weirJson<Workflow>('deploy', await workflowFolder(runtime, files));
}

async function invoked(workflow: Workflow, event: unknown): Promise<WholeExecution> {
  const run = await runtime.weir('invoke', workflow.id, '--event', JSON.stringify(event), '--json');
  return run.json() as WholeExecution;
}

describe('deploy', () => {
  test('a folder or its file; the same again is the same workflow', async () => {
    const folder = await workflowFolder(runtime, { name: 'Deployed', triggers: http, steps });
    const first = await runtime.weir('deploy', folder);
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^id: +p_\w+\nname: +Deployed\nendpoint: +http:\S+\/h\/hi_\w+\n$/);
    const again = await runtime.weir('deploy', join(folder, 'workflow.yaml'));
    expect(again.stdout).toBe(first.stdout);
  });

  test.each([
    ['a folder without workflow.yaml', ['FOLDER/notes'], /There is no workflow.yaml in/],
    ['a file that is not there', ['nowhere.yaml'], /nowhere\.yaml/],
    ['props of sources', ['FOLDER', '--prop', 'a=1'], /--prop is for sources/],
    ['hooks of sources', ['FOLDER', '--no-hooks'], /--no-hooks is for sources/],
  ])('%s: exit 2', async (_name, args, message) => {
    const folder = await workflowFolder(runtime, { name: 'Refused', steps });
    await mkdir(join(folder, 'notes'), { recursive: true });
    const run = await runtime.weir('deploy', ...args.map((one) => one.replace('FOLDER', folder)));
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  test('a word that is nothing: exit 1', async () => {
    const run = await runtime.weir('deploy', 'nowhere');
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/There is no component nowhere here.*workflow\.yaml/);
  });

  test('each mistake of the file at its line and column, once: exit 2', async () => {
    const folder = await workflowFolder(runtime, { name: 'Wrong', steps });
    const file = join(folder, 'workflow.yaml');
    const head = 'schema: workflow/2022.04\nname: Wrong\nsteps:\n';
    await writeFile(file, `${head}  - namespace: trigger\n    uses: ./a.mjs\n  - namespace: b\n`);
    const run = await runtime.weir('deploy', folder);
    expect(run.code).toBe(2);
    const lines = run.stderr.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(`^weir: ${file}:4:16: .*"trigger"`),
      expect.stringMatching(`^weir: ${file}:6:5: "uses" is missing`),
    ]);
  });

  test('a mistake in the code of a step stands at its place in that file', async () => {
    const folder = await workflowFolder(runtime, { name: 'Uncompiled', steps });
    const entry = join(folder, 'tell', 'entry.mjs');
    await writeFile(entry, 'export default defineComponent({\n  run() { const = 1; },\n});\n');
    const run = await runtime.weir('deploy', folder);
    expect(run.code).not.toBe(0);
    expect(run.stderr).toContain(`${entry}:2:17: `);
  });
});

describe('invoke', () => {
  test('waits for the end and shows the steps, and what they logged', async () => {
    const { name_slug } = await deployed({ name: 'Invoked', steps });
    const run = await runtime.weir('invoke', name_slug, '--event', '{"who":"Ada"}');
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(
      /^id: +exec_\d+\nstatus: +succeeded\n[^]*\ngreet +1 +succeeded +\d+ ms +Greeted Ada\ntell +1 +succeeded[^]*hello Ada\n$/,
    );
  });

  test.each([
    ['stdin', '-', '{"fail":true}'],
    ['a file', '@FILE', ''],
  ])('gets its event from %s; an execution that fails is exit 1', async (_name, event, stdin) => {
    const { id } = await deployed({ name: 'Failing', steps });
    const file = await runtime.file('event.json', '{"fail":true}');
    const args = ['invoke', id, '--event', event.replace('FILE', file)];
    const cli = { configFolder: join(runtime.folder, 'config'), stdin };
    const run = await runCli([...args, '--data', join(runtime.folder, 'data')], cli);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/status: +failed[^]*greet +1 +failed.*as you wish/);
    expect(run.stdout).not.toContain('tell');
  });

  test('an event that is not JSON: exit 2; nobody of that name: exit 1', async () => {
    const { id } = await deployed({ name: 'Misused', steps });
    expect(await runtime.weir('invoke', id, '--event', '{"a":')).toMatchObject({ code: 2 });
    expect(await runtime.weir('invoke', id, '--event', '@nowhere.json')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/there is no file .*nowhere\.json/),
    });
    expect(await runtime.weir('invoke', 'nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no source or workflow "nobody"'),
    });
  });
});

test('list, describe, update and delete', async () => {
  const { id, path } = await deployed({ name: 'Managed', triggers: http, steps });
  expect((await runtime.weir('list', 'workflows')).stdout).toMatch(
    new RegExp(`${id} +managed +active +http:`),
  );
  expect((await runtime.weir('list', 'streams')).stdout).toContain(`/v1/workflows/${id}/sse`);
  expect((await runtime.weir('describe', 'managed')).stdout).toMatch(
    new RegExp(`^id: +${id}\n[^]*steps: +greet, tell\nfolder: +${path}`),
  );
  expect(await runtime.weir('describe', id, '--code')).toMatchObject({ code: 2 });

  const off = await runtime.weirJson<Workflow>('update', 'managed', '--deactivate');
  expect(off).toMatchObject({ id, active: false });
  expect((await post(endpointOf(off), {})).status).toBe(404);
  const on = await runtime.weirJson<Workflow>('update', id, '--activate', '--name', 'Renamed');
  expect(on).toMatchObject({ active: true, name: 'Renamed' });
  expect(await runtime.weir('update', id, '--prop', 'a=1')).toMatchObject({ code: 2 });

  expect((await runtime.weir('delete', id)).stdout).toBe(`Deleted ${id}.\n`);
  expect(await runtime.weir('describe', id)).toMatchObject({ code: 1 });
});

test('executions, an execution, and replays of it, of its event and of what failed', async () => {
  const workflow = await deployed({ name: 'Replayed', triggers: http, steps });
  const good = await invoked(workflow, { who: 'Ada' });
  const bad = await invoked(workflow, { fail: true });
  const listed = await runtime.weir('executions', 'replayed');
  expect(listed.stdout).toMatch(
    new RegExp(`${bad.id} .* failed +manual .*as you wish\n${good.id} .* succeeded`),
  );
  const failed = await runtime.weirJson<Execution[]>('executions', workflow.id, '--failed');
  expect(failed.map(({ id }) => id)).toEqual([bad.id]);
  expect((await runtime.weirJson<Execution[]>('executions', workflow.id, '-n', '1'))[0]?.id).toBe(
    bad.id,
  );
  const shown = await runtime.weir('execution', good.id);
  expect(shown.stdout).toMatch(/^id: +exec_\d+\nstatus: +succeeded\n[^]*greet +1 +succeeded/);
  const whole = await runtime.weirJson<WholeExecution>('execution', good.id);
  expect(whole.steps[0]).toMatchObject({ path: 'greet', return_value: { text: 'hello Ada' } });
  expect(await runtime.weir('execution', 'exec_99999')).toMatchObject({ code: 1 });

  const [again] = await runtime.weirJson<WholeExecution[]>('replay', good.id);
  expect(again).toMatchObject({ replay_of: good.id, status: 'succeeded', cause: 'replay' });
  expect(again?.steps[0]?.return_value).toEqual({ text: 'hello Ada' });
  const [event] = await runtime.weirJson<EmittedEvent[]>('events', workflow.id, '-n', '1');
  const byEvent = await runtime.weir('replay', 'replayed', event?.id ?? '');
  expect(byEvent).toMatchObject({ code: 0, stdout: expect.stringContaining('Greeted Ada') });
  const byFailure = await runtime.weir('replay', 'replayed', '--failed');
  expect(byFailure.code).toBe(1);
  expect(byFailure.stdout).toMatch(/status: +failed/);
  const both = await runtime.weir('replay', bad.id, good.id);
  expect(both.code).toBe(1);
  expect(both.stdout).toMatch(
    new RegExp(
      `^${bad.id} → exec_\\d+ +failed .*as you wish\n${good.id} → exec_\\d+ +succeeded\n2 replayed: 1 succeeded, 1 failed again\\.\n$`,
    ),
  );
  expect(await runtime.weir('replay', good.id, '--failed')).toMatchObject({ code: 2 });
});

test('replay: from a step on, and on what was deployed then', async () => {
  const workflow = await deployed({ name: 'Mended', steps });
  const bad = await invoked(workflow, { who: 'Ada', fail: true });
  await deployed({
    name: 'Mended',
    steps: { ...steps, greet: `return { text: 'mended' };`, more: 'return 1;' },
  });
  const failed = await runtime.weirJson<WholeExecution[]>('replay', bad.id, '--from-failed');
  expect(failed[0]).toMatchObject({ replay_of: bad.id });
  const again = await runtime.weirJson<WholeExecution[]>('replay', bad.id, '--from-step', 'greet');
  expect(again[0]?.steps.map(({ path }) => path)).toEqual(['greet', 'tell', 'more']);
  const asDeployed = await runtime.weir('replay', bad.id, '--as-deployed');
  expect(asDeployed).toMatchObject({ code: 1, stdout: expect.stringContaining('as you wish') });
  const from = await runtime.weir('invoke', 'mended', '--from-step', 'more', '--json');
  expect(from.json()).toMatchObject({ status: 'succeeded', replay_of: again[0]?.id });
  // One that cannot be retried so keeps the others from nothing.
  const both = await runtime.weir('replay', again[0]?.id ?? '', bad.id, '--from-failed');
  expect(both).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/exec_\d+ {2}succeeded\n1 replayed: 1 succeeded\.\n$/),
    stderr: expect.stringMatching(/^exec_\d+ was not replayed: No step of exec_\d+ has failed/),
  });
  expect(await runtime.weir('invoke', 'mended', '--from-step', 'nowhere')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there are greet, tell, more'),
  });
});

describe('run', () => {
  test('a folder as it is: each step as it ends, then how it ended; nothing is deployed', async () => {
    const folder = await workflowFolder(runtime, {
      name: 'Untried',
      steps: {
        ...steps,
        answer: `await $.respond({ status: 201, body: 'fine' });`,
      },
    });
    const run = await runtime.weir('run', folder, '--event', '{"who":"Ada"}');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(
      /^greet  succeeded  \d+ ms  Greeted Ada\n  .*hello Ada\ntell  succeeded[^\n]*\nanswer  succeeded[^\n]*\nresponse: +201 by answer\nbody: +fine\nDry run, nothing was sent\.\nexec_\d+  succeeded\n$/,
    );
    expect((await runtime.weir('list', 'workflows')).stdout).not.toContain('untried');
    const failed = await runtime.weir('run', folder, '--event', '{"fail":true}', '--json');
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.json()).toMatchObject({ status: 'failed', test: true });
  });

  test('steps are shown while others still run', async () => {
    const folder = await workflowFolder(runtime, {
      name: 'Slow',
      steps: { first: `return 'at once';`, second: 'await new Promise(() => {});' },
    });
    const child = spawnCli(['run', folder, '--data', join(runtime.folder, 'data')], {
      configFolder: join(runtime.folder, 'config'),
    });
    runtime.atEnd(() => Promise.resolve(void child.kill('SIGKILL')));
    const printed = gather(child.stdout);
    await until('the first step', (seen) => seen(printed()).includes('at once'));
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    await exited;
    const [test] = await until('its end', async (seen) => {
      const all = seen(await runtime.weirJson<Execution[]>('executions', 'slow').catch(() => []));
      return all[0]?.status === 'cancelled' && all;
    });
    expect(test).toMatchObject({ test: true });
  });

  test('one step, and pins: kept from an execution, chosen, or none', async () => {
    const workflow = await deployed({ name: 'Pinned', steps });
    const { id } = await invoked(workflow, { who: 'Ada' });
    const single = await runtime.weir('run', workflow.path, '--step', 'tell');
    expect(single).toMatchObject({ code: 0 });
    expect(single.stdout).toMatch(
      /^tell  succeeded[^\n]*\nDry run, nothing was sent\.\nexec_\d+  succeeded\n$/,
    );
    const pinned = await runtime.weir('pin', id, 'greet');
    expect(pinned.stdout).toBe(`Wrote ${join(workflow.path, 'greet/pins/default.json')}.\n`);
    expect(await runtime.weir('pin', id, 'greet')).toMatchObject({ code: 1 });
    expect(await runtime.weir('pin', id, 'greet', 'ada', '--replace')).toMatchObject({ code: 0 });
    const whole = await runtime.weir('run', workflow.path, '--event', '{"fail":true}');
    expect(whole.stdout).toMatch(/^greet  pin default  0 ms  Greeted Ada\ntell  succeeded/);
    const test = await runtime.weir('execution', /exec_\d+/.exec(whole.stdout)![0]);
    expect(test.stdout).toMatch(/cause: +test, manual\n[^]*greet +1 +pin default/);
    const chosen = await runtime.weir('run', workflow.path, '--pin', 'greet=ada', '--no-pins');
    expect(chosen.stdout).toMatch(/^greet  pin ada/);
    const none = await runtime.weir('run', workflow.path, '--no-pins', '--event', '{"fail":true}');
    expect(none).toMatchObject({ code: 1, stdout: expect.stringContaining('as you wish') });
  });

  test.each([
    ['props of actions', ['--prop', 'a=1'], /--prop is for actions/],
    ['a pin without a name', ['--pin', 'greet'], /--pin greet: give a step/],
    ['an event that is not JSON', ['--event', '{'], /--event \{/],
  ])('%s: exit 2', async (_name, args, message) => {
    const folder = await workflowFolder(runtime, { name: 'Misrun', steps });
    const run = await runtime.weir('run', folder, ...args);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });
});

test('an execution: what steps were given, what was sent, and the response', async () => {
  const receiver = await startReceiver({ answer: () => ({ status: 202, body: 'taken' }) });
  const folder = await workflowFolder(runtime, { name: 'Telling', triggers: http, steps: {} });
  const given = join(folder, 'given', 'entry.mjs');
  await mkdir(join(folder, 'given'), { recursive: true });
  await writeFile(
    given,
    `export default defineComponent({
      props: { to: 'string', fixed: 'string', key: { type: 'string', secret: true }, token: { type: 'any' } },
      async run({ $ }) {
        $.send.http({ method: 'POST', url: '${receiver.url}/orders', data: { to: this.to } });
        await $.respond({ status: 201, body: { to: this.to } });
      },
    });\n`,
  );
  await writeFile(
    join(folder, 'workflow.yaml'),
    `schema: workflow/2022.04
name: Telling
steps:
  - namespace: given
    uses: ./given/entry.mjs
    props:
      to: '{{event.who}}'
      fixed: as it is
      key: '{{"hidden " + event.who}}'
      token: '{{Number(process.env.TELLING_TOKEN)}}'
`,
  );
  await runtime.weir('env', 'set', 'TELLING_TOKEN', '8675309');
  const workflow = await runtime.weirJson<Workflow>('deploy', folder);
  const { id } = await invoked(workflow, { who: 'Ada' });
  const whole = await until('it was sent', async (seen) => {
    const one = seen(await runtime.weirJson<WholeExecution>('execution', id));
    return one.sends[0]?.status === 'sent' && one;
  });
  expect(whole.steps[0]?.props).toEqual({
    to: 'Ada',
    fixed: 'as it is',
    key: { secret: true },
    token: '[TELLING_TOKEN]',
  });
  expect(whole.response).toMatchObject({ path: 'given', status: 201, body: '{"to":"Ada"}' });
  const shown = await runtime.weir('execution', id);
  expect(shown.stdout).toMatch(/\ngiven +to +Ada\ngiven +fixed +as it is\n/);
  expect(shown.stdout).not.toContain('hidden Ada');
  expect(shown.stdout).toMatch(/\ngiven +http +sent +POST http:\S+\/orders .*202/);
  expect(shown.stdout).toMatch(/\nresponse: +201 by given\nbody: +\{"to":"Ada"\}\n$/);
});

test('deploy: what the file says to no effect stands beside the answer', async () => {
  const folder = await workflowFolder(runtime, { name: 'Warned', steps });
  const file = join(folder, 'workflow.yaml');
  await writeFile(
    file,
    `${await readFile(file, 'utf8')}surprise: 1\ntriggers:\n  - id: ti_abc123\n`,
  );
  const run = await runtime.weir('deploy', folder);
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(
    new RegExp(`^${file}:8:1: warning: .*surprise.*\n${file}:10:5: info: `),
  );
  const { warnings } = await runtime.weirJson<{ warnings: object[] }>('deploy', folder);
  expect(warnings).toMatchObject([
    { severity: 'warning', file, line: 8, column: 0 },
    { severity: 'info', file, line: 10 },
  ]);
});

test('resume and cancel what waits', async () => {
  const workflow = await deployed({ name: 'Waiting', steps: waiting });
  const paused = await runtime.weir('invoke', workflow.id);
  expect(paused.code).toBe(0);
  expect(paused.stdout).toMatch(
    /status: +paused[^]*wait +1 +paused[^]*wait waits: +suspend\nresume: +http:\S+\/resume\n/,
  );
  const first = /exec_\d+/.exec(paused.stdout)![0];
  const wrong = await runtime.weir('resume', first, '--path', 'nowhere');
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere') });
  const event = ['--event', '{"ok":true}'];
  expect(await runtime.weir('resume', first, '--path', 'wait', ...event)).toMatchObject({
    code: 0,
  });
  const ended = await until('its end', async (seen) => {
    const one = seen(await runtime.weirJson<WholeExecution>('execution', first));
    return one.status === 'succeeded' && one;
  });
  expect(ended.steps.at(-1)).toMatchObject({ path: 'after', return_value: { ok: true } });
  expect(await runtime.weir('resume', first)).toMatchObject({ code: 1 });

  const second = await invoked(workflow, {});
  const cancelled = await runtime.weir('cancel', second.id);
  expect(cancelled).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/exec_\d+ +cancelled/),
  });
  expect(await runtime.weir('cancel', second.id)).toMatchObject({ code: 1 });

  const third = await invoked(workflow, {});
  expect(await runtime.weir('resume', third.id, '--as-due', ...event)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not both'),
  });
  expect(await runtime.weir('resume', third.id, '--as-due')).toMatchObject({ code: 0 });
  const late = await until('its end', async (seen) => {
    const one = seen(await runtime.weirJson<WholeExecution>('execution', third.id));
    return one.status === 'cancelled' && one;
  });
  expect(late.reason).toBe('wait was not resumed in time.');
});

test('events and logs are followed', async () => {
  const workflow = await deployed({ name: 'Followed', steps });
  const following = (...args: string[]) => {
    const child = spawnCli([...args, '-f', '--json', '--data', join(runtime.folder, 'data')], {
      configFolder: join(runtime.folder, 'config'),
    });
    runtime.atEnd(() => Promise.resolve(void child.kill('SIGKILL')));
    const printed = gather(child.stdout);
    return { child, lines: () => printed().split('\n').slice(0, -1) };
  };
  await invoked(workflow, { who: 'One' });
  const events = following('events', 'followed');
  const logs = following('logs', 'followed');
  await until('what was there', () => events.lines().length === 1 && logs.lines().length >= 2);
  await invoked(workflow, { who: 'Two' });
  const texts = () => events.lines().map((line) => (JSON.parse(line) as EmittedEvent).event);
  await until('the second event', () => texts().length === 2);
  expect(texts()).toEqual([{ text: 'hello One' }, { text: 'hello Two' }]);
  const said = () => logs.lines().map((line) => (JSON.parse(line) as LogLine).text);
  await until('the second greeting', () => said().includes('hello Two'));
  for (const { child } of [events, logs]) {
    child.kill('SIGINT');
    expect((await once(child, 'exit'))[0]).toBe(0);
  }
});

test('init workflow: what it writes is deployed, answers and emits', async () => {
  const cli = { configFolder: join(runtime.folder, 'config'), cwd: runtime.folder };
  const made = await runCli(['init', 'workflow', 'Order desk', '--json'], cli);
  const { file } = made.json() as { file: string };
  expect(file).toBe(join(runtime.folder, 'order-desk', 'workflow.yaml'));
  const workflow = await runtime.weirJson<Workflow>('deploy', join(runtime.folder, 'order-desk'));
  const answer = await post(endpointOf(workflow), { who: 'Ada' });
  expect(await answer.json()).toEqual({ text: 'Hello, Ada!' });
  const events = await runtime.weirJson<EmittedEvent[]>('events', 'order-desk');
  expect(events.map(({ event }) => event)).toEqual([{ text: 'Hello, Ada!' }]);
  // A second time it overwrites nothing.
  await writeFile(file, 'mine');
  expect(await runCli(['init', 'workflow', 'Order desk'], cli)).toMatchObject({ code: 1 });
  expect(await readFile(file, 'utf8')).toBe('mine');
  await rm(join(runtime.folder, 'order-desk'), { recursive: true });

  const timed = await runCli(['init', 'workflow', 'Order desk', '--timer'], cli);
  expect(timed.code).toBe(0);
  const ticking = await runtime.weirJson<Workflow>('deploy', join(runtime.folder, 'order-desk'));
  expect(ticking.triggers).toMatchObject([{ type: 'timer', cron: '0 9 * * 1-5' }]);
  expect(await invoked(ticking, {})).toMatchObject({ status: 'succeeded' });
});

test('the example of the repository answers and emits', async () => {
  const workflow = await runtime.weirJson<Workflow>('deploy', 'examples/order-received');
  const items = [
    { name: 'Tea', price: 4.5 },
    { name: 'Cup', price: 7 },
  ];
  const answer = await post(endpointOf(workflow), { id: 7, items });
  expect(await answer.text()).toBe('Order 7\nTea: 4.50\nCup: 7.00\nTotal: 11.50');
  expect((await post(endpointOf(workflow), { id: 8, items: [] })).status).toBe(400);
  const [failed] = await runtime.weirJson<Execution[]>('executions', workflow.id, '--failed');
  expect(failed?.error?.message).toContain('one item at least');
});

describe('going back', () => {
  const entry = (folder: string, step: string): string => join(folder, step, 'entry.mjs');
  const code = (body: string): string =>
    `export default defineComponent({ async run({ steps, $ }) { ${body} } });\n`;
  const add = {
    add: 'if (steps.trigger.event.n < 0) throw new Error("below zero"); return steps.trigger.event.n + 1;',
    twice: 'return steps.add.$return_value * 2;',
  };

  test('all that failed are replayed but what was made good; tests are not among them', async () => {
    const folder = await workflowFolder(runtime, { name: 'Retried', steps: add });
    const workflow = await runtime.weirJson<Workflow>('deploy', folder);
    const [good, first, second] = [
      await invoked(workflow, { n: 1 }),
      await invoked(workflow, { n: -1 }),
      await invoked(workflow, { n: -2 }),
    ];
    const tested = await runtime.weir('run', folder, '--event', '{"n":-3}');
    expect(tested.code).toBe(1);
    const since = new Date(second.created_at).toISOString();
    const newer = await runtime.weir('replay', 'retried', '--failed', '--since', since);
    expect(newer.code).toBe(1);
    expect(newer.stdout).toMatch(new RegExp(`replay of: +${second.id}\n[^]*below zero`));
    const both = await runtime.weir('replay', 'retried', '--failed');
    expect(both.code).toBe(1);
    expect(both.stdout).toMatch(/^exec_.*\nexec_.*\n2 replayed: 2 failed again\.\n$/);
    await writeFile(entry(folder, 'add'), code('return steps.trigger.event.n + 1;'));
    await runtime.weir('deploy', folder);
    const all = await runtime.weir('replay', 'retried', '--failed');
    expect(all).toMatchObject({ code: 0, stderr: '' });
    const lines = all.stdout.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(`^${first.id} → exec_\\d+ +succeeded`),
      expect.stringMatching(`^${second.id} → exec_\\d+ +succeeded`),
      '2 replayed: 2 succeeded.',
    ]);
    // A second time there is nothing left.
    expect((await runtime.weir('replay', 'retried', '--failed')).stdout).toBe(
      'Nothing to replay.\n',
    );
    expect(good.status).toBe('succeeded');
    const last = await runtime.weirJson<WholeExecution[]>('replay', 'retried', '--last', '1');
    expect(last.map((one) => one.replay_of)).toEqual([second.id]);
  });

  test('from a step with other props', async () => {
    const folder = await workflowFolder(runtime, { name: 'Other props', steps: {} });
    await mkdir(join(folder, 'say'));
    const say =
      'export default { props: { who: "string" }, run() { return `Hello ${this.who}`; } };';
    await writeFile(entry(folder, 'say'), say);
    const step = '  - namespace: say\n    uses: ./say/entry.mjs\n    props: { who: Ada }\n';
    const yaml = `schema: workflow/2022.04\nname: Other props\nsteps:\n${step}`;
    await writeFile(join(folder, 'workflow.yaml'), yaml);
    const workflow = await runtime.weirJson<Workflow>('deploy', folder);
    const { id } = await invoked(workflow, {});
    const from = ['replay', id, '--from-step', 'say'];
    const [run] = await runtime.weirJson<WholeExecution[]>(...from, '--props', '{"who":"Hedy"}');
    expect(run?.steps[0]?.return_value).toBe('Hello Hedy');
    expect(await runtime.weir(...from, '--props', '[]')).toMatchObject({ code: 2 });
    expect(await runtime.weir('replay', id, '--props', '{}')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--from-step'),
    });
  });

  test('on the files as they are: what differs, step by step; nothing is emitted', async () => {
    const folder = await workflowFolder(runtime, {
      name: 'Edited',
      steps: { ...add, tell: '$.send.emit({ raw_event: { n: steps.twice.$return_value } });' },
    });
    const workflow = await runtime.weirJson<Workflow>('deploy', folder);
    const first = await invoked(workflow, { n: 1 });
    const second = await invoked(workflow, { n: 100 });
    const same = await runtime.weir('replay', 'edited', '--last', '5', '--on-files');
    expect(same.code).toBe(0);
    expect(same.stdout).toMatch(/With your edits, 2 executions end the same.\n$/);

    await writeFile(
      entry(folder, 'twice'),
      code('const n = steps.add.$return_value; return n > 100 ? { n } : n * 2;'),
    );
    const differing = await runtime.weir('replay', 'edited', '--last', '5', '--on-files');
    expect(differing.code).toBe(1);
    expect(differing.stdout).toMatch(
      new RegExp(
        `^${first.id} → exec_\\d+ +the same\n${second.id} → exec_\\d+ +differs\n {2}twice\n {4}\\$return_value: 202 → {"n":101}\nWith your edits, 1 of 2 executions ends differently`,
      ),
    );
    // A step that fails now, and those that do not run any more.
    await writeFile(entry(folder, 'twice'), code('throw new TypeError("no");'));
    const broken = await runtime.weir('replay', first.id, '--on-files', '--json');
    expect(broken.json()).toMatchObject([
      {
        same: false,
        before: { id: first.id, status: 'succeeded', test: false },
        after: { status: 'failed', test: true },
        differences: [
          { path: 'status', before: 'succeeded', after: 'failed' },
          { path: 'error', before: null },
        ],
        steps: [
          { path: 'twice', before: 'succeeded', after: 'failed' },
          { path: 'tell', before: 'succeeded', after: null },
        ],
      },
    ]);
    const events = await runtime.weirJson<EmittedEvent[]>('events', 'edited');
    expect(events.map(({ event }) => event)).toEqual([{ n: 4 }, { n: 202 }]);
    for (const flags of [['--as-deployed'], ['--from-step', 'add']]) {
      const run = await runtime.weir('replay', first.id, '--on-files', ...flags);
      expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('--on-files') });
    }
  });

  test('Ctrl-C ends a replay on the files, and cancels the test that runs', async () => {
    const folder = await workflowFolder(runtime, { name: 'Stopped', steps: { one: 'return 1;' } });
    const workflow = await runtime.weirJson<Workflow>('deploy', folder);
    await invoked(workflow, {});
    await invoked(workflow, {});
    await writeFile(entry(folder, 'one'), code('await new Promise(() => {});'));
    const args = ['replay', 'stopped', '--last', '2', '--on-files'];
    const child = spawnCli([...args, '--data', join(runtime.folder, 'data')], {
      configFolder: join(runtime.folder, 'config'),
    });
    const said = gather(child.stderr);
    const newest = async (): Promise<Execution | undefined> =>
      (await runtime.weirJson<Execution[]>('executions', 'stopped', '-n', '1'))[0];
    await until('a test that runs', async () => {
      const one = await newest();
      return one?.test === true && one.status === 'running';
    });
    child.kill('SIGINT');
    expect((await once(child, 'exit'))[0]).toBe(1);
    expect(said()).toContain('2 of 2 were not run to their end');
    await until('its end', async () => (await newest())?.status === 'cancelled');
  });

  test('Ctrl-C ends a retry: what has begun goes on, and no other one begins', async () => {
    const folder = await workflowFolder(runtime, { name: 'Cut short', steps: add });
    const workflow = await runtime.weirJson<Workflow>('deploy', folder);
    await invoked(workflow, { n: -1 });
    await invoked(workflow, { n: -2 });
    const file = join(folder, 'go-on');
    const waits = `const { existsSync } = await import('node:fs');
      while (!existsSync(${JSON.stringify(file)})) await new Promise((go) => setTimeout(go, 20));`;
    await writeFile(entry(folder, 'add'), code(waits));
    await runtime.weir('deploy', folder);
    const args = ['replay', 'cut-short', '--failed', '--data', join(runtime.folder, 'data')];
    const child = spawnCli(args, { configFolder: join(runtime.folder, 'config') });
    const said = gather(child.stderr);
    const replays = async (): Promise<Execution[]> =>
      (await runtime.weirJson<Execution[]>('executions', 'cut-short')).filter(
        ({ cause }) => cause === 'replay',
      );
    await until('a replay that runs', async () => (await replays())[0]?.status === 'running');
    child.kill('SIGINT');
    expect((await once(child, 'exit'))[0]).toBe(1);
    expect(said()).toContain('Cancelled: 2 of 2 were not replayed to their end.');
    await writeFile(file, '');
    await until('its end', async () => (await replays())[0]?.ended_at !== null);
    expect(await replays()).toMatchObject([{ status: 'succeeded' }]);
  });

  test('results that were made with something older are stale', async () => {
    const folder = await workflowFolder(runtime, { name: 'Stale', steps: add });
    const workflow = await runtime.weirJson<Workflow>('deploy', folder);
    const { id } = await invoked(workflow, { n: 1 });
    const stale = async (of: string) => (await runtime.weir('execution', of, '--stale')).stdout;
    expect(await stale(id)).toMatch(/\n\nNo result is stale\.\n$/);
    await writeFile(entry(folder, 'add'), code('return steps.trigger.event.n + 2;'));
    const reasons =
      /\nstale: add, its code has changed since\nstale: twice, add has changed since\n$/;
    expect(await stale(id)).toMatch(reasons);
    // Deployed or not; a step that ran anew is not stale, and what it got from before stays so.
    await runtime.weir('deploy', folder);
    expect(await stale(id)).toMatch(reasons);
    const only = await runtime.weirJson<WholeExecution>('run', folder, '--step', 'twice');
    expect(await stale(only.id)).toMatch(/\n\nstale: add, its code has changed since\n$/);
    const again = await invoked(workflow, { n: 1 });
    expect(await stale(again.id)).toMatch(/No result is stale/);
    await writeFile(join(folder, 'workflow.yaml'), 'steps: [');
    expect(await runtime.weir('execution', id, '--stale')).toMatchObject({ code: 2 });
  });

  test('pins are listed, and removed one by one and all', async () => {
    const folder = await workflowFolder(runtime, { name: 'Pinned here', steps: add });
    const workflow = await runtime.weirJson<Workflow>('deploy', folder);
    expect((await runtime.weir('pins', workflow.id)).stdout).toBe('There are no pins.\n');
    const { id } = await invoked(workflow, { n: 1 });
    for (const args of [['add'], ['add', 'large'], ['twice']]) {
      expect(await runtime.weir('pin', id, ...args)).toMatchObject({ code: 0 });
    }
    await mkdir(join(folder, 'gone', 'pins'), { recursive: true });
    await writeFile(join(folder, 'gone', 'pins', 'default.json'), '{}');
    const shown = await runtime.weir('pins', 'pinned-here');
    expect(shown.stdout).toMatch(/\nadd +default +in every test /);
    expect(shown.stdout).toMatch(/\nadd +large +when it is asked for /);
    expect(shown.stdout).toMatch(/\ngone +default +never: there is no such step /);
    const one = await runtime.weir('unpin', 'pinned-here', 'add', 'large');
    expect(one.stdout).toBe(`Removed ${join(folder, 'add', 'pins', 'large.json')}.\n`);
    expect(await runtime.weir('unpin', 'pinned-here', 'add', 'large')).toMatchObject({ code: 1 });
    expect(await runtime.weir('unpin', 'pinned-here')).toMatchObject({ code: 2 });
    const all = await runtime.weirJson<object[]>('unpin', 'pinned-here', '--all');
    expect(all).toHaveLength(3);
    expect(await runtime.weirJson('pins', 'pinned-here')).toEqual([]);
    await expect(readFile(join(folder, 'add', 'pins', 'default.json'))).rejects.toThrow('ENOENT');
  });

  test('several are cancelled at once', async () => {
    const workflow = await deployed({ name: 'Many waiting', steps: waiting });
    const ids: string[] = [];
    for (const n of [1, 2, 3, 4]) ids.push((await invoked(workflow, { n })).id);
    const [first = '', second = '', ...others] = ids;
    const two = await runtime.weir('cancel', first, second);
    expect(two.stdout).toMatch(new RegExp(`^${first} +cancelled.*\n${second} +cancelled.*\n$`));
    const all = await runtime.weirJson<Execution[]>('cancel', 'many-waiting', '--all');
    expect(all.map(({ id }) => id).toSorted()).toEqual(others.toSorted());
    expect((await runtime.weir('cancel', 'many-waiting', '--all')).stdout).toBe(
      'There is nothing to cancel.\n',
    );
    expect(await runtime.weir('cancel', 'many-waiting')).toMatchObject({ code: 2 });
  });
});
