import { request } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { post } from '../../support/post.ts';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import {
  endpointOf,
  httpTrigger,
  respondingTrigger,
  stepOf,
  type TestStep,
  workflowWorld,
} from './world.ts';

const world = workflowWorld();

const noRespond = 'No $.respond called in workflow';
const pausedText = '$.respond() not called for this invocation';

test('W26 W27: the first response wins, also across steps, and goes out after the last commit of the leg', async () => {
  const receiver = await startReceiver();
  let go: () => void = () => undefined;
  receiver.answer = () =>
    new Promise((resolve) => {
      go = () => resolve({});
    });
  const workflow = await world.deploy({
    triggers: [respondingTrigger],
    steps: [
      {
        namespace: 'one',
        run: `$.respond({ status: 201, headers: { 'x-mine': 'yes' }, body: { first: 1 } }); $.respond({ status: 500 })`,
      },
      { namespace: 'two', run: `$.respond({ status: 500 }); await fetch('${receiver.url}')` },
    ],
  });
  let isAnswered = false;
  const answering = post(endpointOf(workflow), {}).then((answer) => {
    isAnswered = true;
    return answer;
  });
  await until('the second step', () => receiver.received.length === 1);
  expect(isAnswered).toBe(false);
  go();
  const answer = await answering;
  expect([answer.status, answer.headers.get('x-mine'), await answer.json()]).toEqual([
    201,
    'yes',
    { first: 1 },
  ]);
  const [execution] = await world.executions(workflow);
  expect(execution!.status).toBe('succeeded');
});

test('W28: an immediate response goes out while the execution goes on', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => undefined;
  const workflow = await world.deploy({
    triggers: [respondingTrigger],
    steps: [
      {
        namespace: 'one',
        run: `await $.respond({ immediate: true, status: 202, body: 'soon' }); await fetch('${receiver.url}')`,
      },
    ],
  });
  const answer = await post(endpointOf(workflow), {});
  expect([answer.status, await answer.text()]).toEqual([202, 'soon']);
  await until('the step to go on', () => receiver.received.length === 1);
  expect((await world.executions(workflow))[0]!.status).toBe('running');
});

test('W28: its promise resolves when the connection has the answer, whatever comes then', async () => {
  const workflow = await world.deploy({
    triggers: [respondingTrigger],
    steps: [
      {
        namespace: 'one',
        run: `await $.respond({ immediate: true, status: 202, body: 'soon' }); process.kill(process.pid, 'SIGKILL')`,
      },
    ],
  });
  for (let calls = 0; calls < 5; calls += 1) {
    const answer = await post(endpointOf(workflow), {});
    expect([answer.status, await answer.text()]).toEqual([202, 'soon']);
  }
});

test.for([
  ['the end', 'return 1', noRespond],
  ['an exit', `$.flow.exit('x')`, noRespond],
  ['an error', `throw new Error('x')`, noRespond],
  ['the time limit', 'for (;;);', noRespond],
  ['a pause', '$.flow.suspend()', pausedText],
] as const)(
  'W29: without a response, %s is a 400 in the words of the platform',
  async ([, run, text]) => {
    const workflow = await world.deploy({
      settings: { lambda_timeout: 1 },
      triggers: [respondingTrigger],
      steps: [{ namespace: 'one', run }],
    });
    const answer = await post(endpointOf(workflow), {});
    expect([answer.status, await answer.text()]).toEqual([400, text]);
  },
);

test('W30: a caller that has gone does not end the execution, which says so', async () => {
  const receiver = await startReceiver();
  let go: () => void = () => undefined;
  receiver.answer = () =>
    new Promise((resolve) => {
      go = () => resolve({});
    });
  const workflow = await world.deploy({
    triggers: [respondingTrigger],
    steps: [
      {
        namespace: 'one',
        run: `await fetch('${receiver.url}'); await new Promise((done) => setTimeout(done, 200))`,
      },
      { namespace: 'two', run: `$.respond({ status: 200 }); return 2` },
    ],
  });
  const caller = request(endpointOf(workflow), { method: 'POST' });
  caller.on('error', () => undefined);
  caller.end('{}');
  await until('it runs', () => receiver.received.length === 1);
  // One that only says that it will send no more may still read an answer.
  caller.socket!.resetAndDestroy();
  go();
  const [gone] = await world.allEnded(workflow, 1);
  const execution = await world.execution(gone!.id);
  expect(execution.status).toBe('succeeded');
  expect(stepOf(execution, 'two').logs.map(({ text }) => text)).toEqual([
    expect.stringContaining('No caller'),
  ]);
});

test('W30: a caller lost by a crash does not end the execution, which says so', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => undefined;
  const workflow = await world.deploy({
    triggers: [respondingTrigger],
    steps: [
      { namespace: 'one', run: `await fetch('${receiver.url}')` },
      { namespace: 'two', run: `$.respond({ status: 200 }); $.respond({ status: 200 }); return 2` },
    ],
  });
  const caller = post(endpointOf(workflow), {}).catch(() => 'lost');
  await until('it runs', () => receiver.received.length === 1);
  await world.runtime.kill();
  expect(await caller).toBe('lost');
  receiver.answer = () => ({});
  await world.start();
  const [lost] = await world.allEnded(workflow, 1);
  const execution = await world.execution(lost!.id);
  expect(execution.status).toBe('succeeded');
  expect(stepOf(execution, 'two').logs.map(({ text }) => text)).toEqual([
    expect.stringContaining('No caller'),
  ]);
});

test('W31: without an HTTP trigger a response has no effect, and one warning', async () => {
  const workflow = await world.deploy({
    steps: [
      { namespace: 'one', run: `$.respond({ status: 200 }); $.respond({ status: 200 }); return 1` },
      { namespace: 'two', run: `$.respond({ status: 200 }); return 2` },
    ],
  });
  const { id } = await world.run(workflow);
  const execution = await world.ended(id);
  expect(execution.status).toBe('succeeded');
  const logs = execution.steps.flatMap((step) => step.logs);
  expect(logs.map(({ level, text }) => [level, text])).toEqual([
    ['warn', expect.stringContaining('not started by an HTTP request')],
  ]);
});

test('the default answer and a static one come when the event is on disk', async () => {
  const workflow = await world.deploy({
    triggers: [
      {
        uses: '$.interface.http',
        props: { response: 'static', status: 418, headers: { 'x-mine': 'a' }, body: 'tea' },
      },
    ],
    steps: [{ namespace: 'one', run: 'for (;;);' }],
    settings: { lambda_timeout: 1 },
  });
  const answer = await post(endpointOf(workflow), {});
  expect([answer.status, answer.headers.get('x-mine'), await answer.text()]).toEqual([
    418,
    'a',
    'tea',
  ]);
  const plain = await world.deploy({
    triggers: [httpTrigger],
    steps: [{ namespace: 'one', run: 'return 1' }],
  });
  expect((await post(endpointOf(plain), {})).status).toBe(200);
});

test('by hand: an answer is waited for no longer than until the pause, also when a step has responded', async () => {
  const workflow = await world.deploy({
    steps: [{ namespace: 'one', run: `await $.respond({ status: 200 }); $.flow.suspend()` }],
  });
  const { id, status } = await world.run(workflow);
  expect(status).toBe('paused');
  await world.cancel(id);
});

describe('a trigger that does not say how it answers (P25.114)', () => {
  const made = `{ status: 201, body: 'made' }`;
  const code = (body: string, before = '') =>
    `${before}export default defineComponent({ async run({ $ }) { ${body} } });`;
  const answerOf = async (steps: readonly TestStep[]) => {
    const answer = await post(
      endpointOf(await world.deploy({ triggers: [{ uses: '$.interface.http' }], steps })),
      {},
    );
    return [answer.status, (await answer.text()).slice(0, 20)];
  };
  test.for([
    ['a call', code(`await $.respond(${made})`)],
    ['an optional call', code(`await $?.respond?.(${made})`)],
    ['an alias', code(`const reply = $.respond; await reply(${made})`)],
    ['a name in brackets', code(`await $['respond'](${made})`)],
    ['a computed name', code(`await $['res' + 'pond'](${made})`)],
    ['Reflect', code(`await Reflect.get($, ['re', 'pond'].join('s'))(${made})`)],
    ['a call of a call', code(`await $.respond.call($, ${made})`)],
    ['a comment between', code(`await $.respond /* so */ (${made})`)],
    ['another name', code(`const { respond: r } = $; await r(${made})`)],
    [
      'a function that is given it',
      code(`await reply($)`, `const reply = ({ respond }) => respond(${made});`),
    ],
    [
      'parameters',
      `export default defineComponent({ async run({ $: { respond } }) { await respond(${made}); } });`,
    ],
  ] as const)('%s answers', async ([, text]) => {
    expect(await answerOf([{ namespace: 'a', code: text }])).toEqual([201, 'made']);
  });
  test.for([
    ['a comment', code('// $.respond({ status: 201 }) was here once\nreturn 1;')],
    ['a text', code(`return 'call $.respond(x)'`)],
    ['another object', code(`const bot = { respond: () => 1 }; return bot.respond()`)],
    ['a branch that is not taken', code(`if ($.none) $.respond(${made})`)],
    ['a step that throws', code(`if (!$.none) throw new Error('x'); $.respond(${made})`)],
    ['a pause', code(`$.flow.suspend(); if ($.none) $.respond(${made})`)],
  ] as const)('%s is a success', async ([, text]) => {
    expect(await answerOf([{ namespace: 'a', code: text }])).toEqual([200, '<p><b>Success!</b></']);
  });
  test('a helper beside it answers', async () => {
    const workflow = {
      triggers: [{ uses: '$.interface.http' }],
      steps: [
        { namespace: 'a', code: code('await reply($)', `import { reply } from './reply.mjs';\n`) },
      ],
    };
    const folder = await world.write(workflow);
    await writeFile(join(folder, 'a/reply.mjs'), `export const reply = ($) => $.respond(${made});`);
    const answer = await post(endpointOf(await world.deployFolder(folder)), {});
    expect(answer.status).toBe(201);
  });
  test('a helper in a package answers', async () => {
    const folder = await world.write({
      triggers: [{ uses: '$.interface.http' }],
      steps: [
        { namespace: 'a', code: code('await reply($)', `import { reply } from 'replies';\n`) },
      ],
    });
    const place = join(folder, 'node_modules/replies');
    await mkdir(place, { recursive: true });
    await writeFile(
      join(place, 'package.json'),
      '{"name":"replies","version":"1.0.0","type":"module","exports":"./index.js"}',
    );
    await writeFile(join(place, 'index.js'), `export const reply = ($) => $.respond(${made});`);
    const answer = await post(endpointOf(await world.deployFolder(folder)), {});
    expect(answer.status).toBe(201);
  });
  test.for([
    ['a computed name', `getattr(pd, "re" + "spond")({"status": 201, "body": "made"})`, 201],
    ['a call', `pd.respond({"status": 201, "body": "made"})`, 201],
    ['getattr', `getattr(pd, "respond")({"status": 201, "body": "made"})`, 201],
    ['a comment', `pass # pd.respond({"status": 201})`, 200],
  ] as const)('in Python %s', async ([, line, status]) => {
    const folder = await world.write({
      triggers: [{ uses: '$.interface.http' }],
      steps: [{ namespace: 'p', uses: './p/entry.py' }],
    });
    await mkdir(join(folder, 'p'), { recursive: true });
    await writeFile(join(folder, 'p/entry.py'), `def handler(pd):\n    ${line}\n`);
    const answer = await post(endpointOf(await world.deployFolder(folder)), {});
    expect(answer.status).toBe(status);
  });
  test('a helper in Python answers', async () => {
    const folder = await world.write({
      triggers: [{ uses: '$.interface.http' }],
      steps: [{ namespace: 'p', uses: './p/entry.py' }],
    });
    await mkdir(join(folder, 'p'), { recursive: true });
    await writeFile(
      join(folder, 'p/helper.py'),
      `def reply(pd):\n    pd.respond({"status": 201, "body": "made"})\n`,
    );
    await writeFile(
      join(folder, 'p/entry.py'),
      `from helper import reply\ndef handler(pd):\n    reply(pd)\n`,
    );
    const answer = await post(endpointOf(await world.deployFolder(folder)), {});
    expect(answer.status).toBe(201);
  });
});

describe('a body that has to be read (P7.58)', () => {
  const bodies = [
    `Readable.from(['a', 'bc'])`,
    `new Blob(['abc'])`,
    `new Blob(['abc']).stream()`,
    `(async function* () { yield 'a'; yield 'bc'; })()`,
    `Promise.resolve(Buffer.from('abc'))`,
  ];
  const head = `headers: { 'content-type': 'text/csv' }`;
  test('is sent as its bytes by a workflow, awaited or not, at once or at the end', async () => {
    for (const [index, body] of bodies.entries()) {
      const more = index % 2 === 0 ? 'immediate: true,' : '';
      const code = `import { Readable } from 'node:stream';
        export default defineComponent({ run({ $ }) { $.respond({ ${more} status: 200, ${head}, body: ${body} }); } });`;
      const workflow = await world.deploy({
        triggers: [respondingTrigger],
        steps: [{ namespace: 'a', code }],
      });
      const answer = await post(endpointOf(workflow), {});
      const type = answer.headers.get('content-type');
      expect([body, answer.status, type, await answer.text()]).toEqual([
        body,
        200,
        'text/csv',
        'abc',
      ]);
    }
  });
  test('and by a source', async () => {
    const file = join(world.folder, 'stream.mjs');
    await writeFile(
      file,
      `import { Readable } from 'node:stream';
      const bodies = [${bodies.map((body) => `() => ${body}`).join(', ')}];
      export default { name: 'Stream', version: '0.0.1', type: 'source', key: 'stream',
        props: { http: { type: '$.interface.http', customResponse: true } },
        run(event) { this.http.respond({ status: 200, ${head}, body: bodies[Number(event.query.n)]() }); } };`,
    );
    const source = await world.runtime.restData<{
      configured_props: { http: { endpoint_url: string } };
    }>('POST', '/v1/sources', { component_path: file });
    const url = source.configured_props.http.endpoint_url;
    for (const n of bodies.keys()) expect(await (await fetch(`${url}?n=${n}`)).text()).toBe('abc');
  });
});
