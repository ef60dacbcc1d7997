import { afterAll, expect, test } from 'vitest';
import type { Host, HostLimits } from '../../src/runtime/processes/host.ts';
import { createHosts } from '../../src/runtime/processes/hosts.ts';
import { event, hostsFor, limits, perform, start, type Outcome } from './hosts-helper.ts';
import { hostileHost } from './support/hostile-host.ts';

/** A process that sends what no component host sends ends with its own run; the runtime hears a sentence. */
const hosts = await hostsFor();

/** A process that is not ours, see `hostileHost`. */
async function startHostile(entry: string, given: Partial<HostLimits> = {}): Promise<Host> {
  const pool = createHosts({ entry, execPath: process.execPath, env: process.env });
  afterAll(() => pool.close());
  return await pool.start({
    bundle: '/none.mjs',
    sourceId: 'dc_test123',
    // What is judged is what it sends, however long that takes here.
    limits: { ...limits, timeoutMs: 50_000, ...given },
  });
}

async function run(entry: string, given?: Partial<HostLimits>): Promise<Outcome> {
  const host = await startHostile(entry, given);
  const outcome = await perform(host, event());
  await expect.poll(() => host.alive).toBe(false);
  return outcome;
}

test.each<[name: string, onWork: string, what: string]>([
  ['text', `write('GET / HTTP/1.1\\r\\n\\r\\n')`, 'a message of 1140 MB, and 256 MB is the most'],
  ['a length without end', `write(Buffer.alloc(4, 255))`, 'a message of 4096 MB'],
  ['noise', `write(Buffer.from([0, 0, 0, 4, 1, 2, 3, 4]))`, 'bytes that are not message'],
  ['an empty frame', `write(Buffer.alloc(4))`, 'bytes that are not message'],
  ['Node’s own', `write(frame({ cmd: 'NODE_HANDLE', type: 'x' }))`, 'bytes that are not message'],
  ['a number', `write(frame(1))`, 'bytes that are not message'],
  ['a batch again', `write(frame({ q: 1, m: [] }))`, 'a message out of turn'],
  ['one of later', `write(frame({ q: 99, m: [] }))`, 'a message out of turn'],
  ['an unknown kind', `send({ t: 'halt' })`, 'a message of no kind that there is'],
  ['nothing', `send(undefined)`, 'a message of no kind that there is'],
  ['a list without end', `write(framed(Buffer.alloc(5, 0xdd)))`, 'bytes that are not message'],
  ['lists in lists', `write(framed(Buffer.alloc(1 << 20, 0x91)))`, 'bytes that are not message'],
  [
    'more small values than memory',
    `write(framed(Buffer.concat([Buffer.from([0xdd, 7, 0, 0, 0]), Buffer.alloc(7 << 24, 0x90)])))`,
    'bytes that are not message',
  ],
  [
    'an answer that HTTP cannot carry',
    `send({ t: 'respond', n, response: { status: 200, headers: { 'a b': 'c' }, body: '' } })`,
    'a message "respond" of the wrong form',
  ],
])('%s on its channel ends its run', async (_name, onWork, what) => {
  const outcome = await run(
    hostileHost(`send({ t: 'progress', n, emits: [{ event: '1', at: 1 }] }); ${onWork};`),
  );
  expect(outcome.loss).toMatchObject({ cause: 'protocol', atFault: true });
  expect(outcome.loss?.message).toContain(`its process sent ${what}`);
  expect(outcome.emits).toMatchObject([{ event: '1' }]);
});

test('nothing that it sends after that counts', async () => {
  const outcome = await run(hostileHost(`send({ t: 'halt' }, { t: 'done', n, result: '1' });`));
  expect(outcome.result).toBeUndefined();
  expect(outcome.loss).toMatchObject({ cause: 'protocol' });
});

test('of several runs the one that a bad message names is to blame', async () => {
  const host = await startHostile(hostileHost(`if (event.bad) send({ t: 'done', n, emits: 1 });`));
  const first = perform(host, event());
  const bad = perform(host, event({ bad: true }));
  expect((await bad).loss).toMatchObject({ cause: 'protocol', atFault: true });
  expect((await first).loss).toMatchObject({ cause: 'protocol', atFault: false });
});

test('noise among the final messages is an exit, and nothing else', async () => {
  const { loss } = await run(hostileHost(`writeSync(4, 'noise'); process.exit(3);`));
  expect(loss).toMatchObject({ cause: 'exit', atFault: true });
});

test('final messages without end are cut off', async () => {
  const bytes = 'Buffer.alloc(1 << 20)';
  const { loss } = await run(
    hostileHost(
      `for (;;) { try { writeSync(4, ${bytes}); } catch (error) { if (error.code !== 'EAGAIN') throw error; } }`,
    ),
  );
  expect(loss).toMatchObject({ cause: 'protocol', atFault: true });
  expect(loss?.message).toContain('more than 256 MB of final messages');
});

test('an inspector that nobody asked for does not lift the time limit', async () => {
  const { loss } = await run(hostileHost(`send({ t: 'inspector', url: 'ws://127.0.0.1:1/a' });`), {
    timeoutMs: 3000,
  });
  expect(loss).toMatchObject({ cause: 'timeout' });
});

test.each([
  ['a run', `send({ t: 'progress', n, emits: many });`],
  ['the end of a run', `send({ t: 'done', n, emits: many });`],
])('%s that sends twice what a run may produce is ended', async (_name, onWork) => {
  const many = `const many = Array.from({ length: 21 }, () => ({ event: 'x'.repeat(1e5), at: 1 }));`;
  const host = await startHostile(hostileHost(many + onWork), { outputMb: 1 });
  const outcome = await perform(host, event());
  expect(outcome.loss).toEqual({
    cause: 'output',
    message: 'produced more than 1 MB of events, db, log lines and exports (setting run.outputMb)',
    atFault: true,
  });
  expect(outcome.emits).toEqual([]);
});

test('a process that logs without end outside of runs is ended', async () => {
  const lines = `Array.from({ length: 30 }, () => ({ at: 1, level: 'info', text: 'x'.repeat(1e5) }))`;
  const host = await startHostile(hostileHost(`send({ t: 'progress', n: 0, logs: ${lines} });`), {
    outputMb: 1,
  });
  const { loss } = await perform(host, event());
  expect(loss).toMatchObject({ cause: 'output', atFault: false });
});

test.each([
  [
    'bytes',
    'write(Buffer.alloc(4, 255));',
    /while its file was evaluated, its process sent a mess/,
  ],
  ['a definition', `send({ t: 'loaded', definition: '{"name":1}' });`, /is not a component/],
  [
    'a definition that is not JSON',
    `send({ t: 'loaded', definition: '{' });`,
    /is not a component/,
  ],
])(
  '%s that are nonsense while it is loaded make it no component',
  async (_name, onLoad, message) => {
    await expect(startHostile(hostileHost('', onLoad))).rejects.toMatchObject({
      code: 'bad_component',
      message: expect.stringMatching(message),
    });
  },
);

test('bytes that a component writes past its host end its run', async () => {
  const { host } = await start(
    hosts,
    `import { writeSync } from 'node:fs';
    export default { async run() {
      this.$emit('kept'); await new Promise((go) => setTimeout(go, 20));
      writeSync(3, Buffer.alloc(4, 255));
      await new Promise(() => {});
    } }`,
  );
  const outcome = await perform(host, event());
  expect(outcome.loss).toMatchObject({ cause: 'protocol', atFault: true });
  expect(outcome.emits).toMatchObject([{ event: '"kept"' }]);
});

test('a component finds no way to send messages', async () => {
  const { host } = await start(
    hosts,
    `export default { run() { this.$emit([typeof process.send, typeof process.disconnect, process.connected, process.env.NODE_CHANNEL_FD]); } }`,
  );
  const { emits } = await perform(host, event());
  expect(emits).toMatchObject([{ event: '["undefined","undefined",null,null]' }]);
});

test.each([
  ['log lines', `console.log('line ' + i)`, 'logs'],
  ['db writes', `this.db.set('key' + i, i)`, 'db'],
  ['emits', `this.$emit(i)`, 'emits'],
] as const)('150,000 %s in one turn arrive', async (_what, statement, where) => {
  const { host } = await start(
    hosts,
    `export default { props: { db: '$.service.db' }, run() { for (let i = 0; i < 150_000; i++) { ${statement}; } } }`,
  );
  let sum = 0;
  const ended = await new Promise<string>((resolve) => {
    host.work(1, event(), {
      progress: (produced) => (sum += produced[where]?.length ?? 0),
      respond: () => undefined,
      done: (end) => {
        sum += end[where]?.length ?? 0;
        resolve(end.error?.message ?? 'done');
      },
      lost: ({ message }) => resolve(message),
    });
  });
  expect(ended).toBe('done');
  // Of console text 1 MB is kept.
  expect(sum).toBeGreaterThan(where === 'logs' ? 80_000 : 149_999);
});

test('a run that produces more than it may gets an error, and what came before is kept', async () => {
  const { host } = await start(
    hosts,
    `export default { run({ mb }) { for (let i = 0; i < mb; i++) this.$emit('x'.repeat(1e6)); } }`,
    {},
    { limits: { ...limits, outputMb: 5 } },
  );
  const outcome = await perform(host, event({ mb: 1000 }));
  expect(outcome.error).toMatchObject({
    name: 'RangeError',
    message: expect.stringContaining('has produced 5 MB of events, db and exports'),
  });
  expect(outcome.emits).toHaveLength(4);
  expect((await perform(host, event({ mb: 4 }))).error).toBeUndefined();
});
