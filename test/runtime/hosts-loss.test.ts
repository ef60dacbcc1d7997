import { expect, test } from 'vitest';
import { event, hostsFor, limits, perform, start, type Outcome } from './hosts-helper.ts';

/** Component code that ends its process: who is to blame, and that nothing produced before is lost. */
const hosts = await hostsFor();

async function lose(code: string, timeoutMs = 30_000, memoryMb = 256): Promise<Outcome> {
  const { host } = await start(hosts, code, {}, { limits: { ...limits, timeoutMs, memoryMb } });
  const outcome = await perform(host, event());
  expect(host.alive).toBe(false);
  return outcome;
}

test('an endless loop is killed when its time is up; what came before it is kept', async () => {
  const outcome = await lose(
    `export default { async run() { console.log('before'); this.$emit(1); await new Promise((r) => setImmediate(r)); await new Promise((r) => setImmediate(r)); for (;;); } }`,
    1000,
  );
  expect(outcome.loss).toEqual({ cause: 'timeout', message: 'ran longer than 1 s', atFault: true });
  expect(outcome.emits).toMatchObject([{ event: '1' }]);
  expect(outcome.logs).toMatchObject([{ text: 'before' }]);
});

test('what a loop that never awaits prints leaves the process while it loops', async () => {
  const { host } = await start(
    hosts,
    `const spin = (ms) => { const end = Date.now() + ms; while (Date.now() < end); };
    export default { run() { console.log('begins'); spin(300); console.log('goes on'); for (;;); } }`,
    {},
    { limits: { ...limits, timeoutMs: 3000 } },
  );
  const seen: number[] = [];
  const begin = performance.now();
  const { logs } = await perform(host, event(), () => seen.push(performance.now() - begin));
  expect(logs.map(({ text }) => text)).toEqual(['begins', 'goes on']);
  expect(seen).toHaveLength(2);
  // Long before the process is killed, which takes the rest of what it has.
  expect(Math.max(...seen)).toBeLessThan(2500);
});

test('only the oldest is to blame for the timeout', async () => {
  const { host } = await start(
    hosts,
    `export default { async run() { await new Promise(() => {}); } }`,
    {},
    { limits: { ...limits, timeoutMs: 700 } },
  );
  const first = perform(host, event());
  const second = perform(host, event());
  expect((await first).loss).toMatchObject({ cause: 'timeout', atFault: true });
  expect((await second).loss).toMatchObject({ cause: 'timeout', atFault: false });
});

test.for([
  ['process.exit(1)', 'called process.exit(1)'],
  ['process.exit()', 'called process.exit()'],
  ['process.abort()', 'called process.abort()'],
])(
  '%s is blamed on the run that called it, after everything it produced has arrived',
  async ([call, message]) => {
    const outcome = await lose(
      `export default { props: { db: '$.service.db' }, async run() {
      for (let i = 0; i < 40; i++) this.$emit('x'.repeat(100_000));
      console.log('last'); this.db.set('k', 1);
      try { ${call}; } finally { this.$emit('not reached'); }
    } }`,
    );
    expect(outcome.loss).toEqual({ cause: 'exit', message, atFault: true });
    expect(outcome.emits).toHaveLength(40);
    expect(outcome.logs).toMatchObject([{ text: 'last' }]);
    expect(outcome.db).toMatchObject([{ key: 'k' }]);
  },
);

test.for([
  ['a timer', `setTimeout(() => { throw new TypeError('late'); }, 5)`],
  ['an emitter', `new (require('node:events'))().emit('error', new TypeError('late'))`],
  ['a microtask', `queueMicrotask(() => { throw new TypeError('late'); })`],
  ['a promise nobody awaits', `(async () => { await null; throw new TypeError('late'); })()`],
  [
    'a socket',
    `require('node:net').connect(1, '127.0.0.1').on('connect', () => {})`,
    'Error: connect ECONNREFUSED',
    /ECONNREFUSED/,
  ],
] as const)(
  'an error thrown in %s is blamed on the run it belongs to',
  async ([, code, message = 'TypeError: late', where = /component-\d+\.mjs:2:\d+/]) => {
    const outcome = await lose(
      `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
    export default { async run() { this.$emit('kept'); await new Promise(() => { setTimeout(() => { ${code}; }, 1); }); } }`,
    );
    expect(outcome.loss).toMatchObject({ cause: 'uncaught', atFault: true });
    expect(outcome.loss?.message).toContain(`an error was thrown outside of run: ${message}`);
    expect(outcome.loss?.stack).toMatch(where);
    expect(outcome.emits).toHaveLength(1);
  },
);

test('others in flight are lost too, but are not to blame', async () => {
  const { host } = await start(
    hosts,
    `export default { async run({ bad }) { await new Promise((r) => setTimeout(r, 20)); if (bad) setTimeout(() => { throw new Error('x'); }, 1); await new Promise(() => {}); } }`,
  );
  const outcomes = await Promise.all(
    [false, true, false].map((bad) => perform(host, event({ bad }))),
  );
  expect(outcomes.map(({ loss }) => loss?.atFault)).toEqual([false, true, false]);
});

test('a rejection that a finished run left behind harms nobody', async () => {
  const { host, outside } = await start(
    hosts,
    `export default { async run(event) { if (event.leave) new Promise((r) => setTimeout(r, 5)).then(() => { throw new Error('stray'); }); else await new Promise((r) => setTimeout(r, 40)); this.$emit(1); } }`,
  );
  await perform(host, event({ leave: true }));
  const other = await perform(host, event());
  expect(other.loss).toBeUndefined();
  expect(outside).toMatchObject([{ level: 'error' }]);
  expect(outside[0]?.text).toMatch(
    /^A promise was rejected after the run had ended: Error: stray\n {4}at /,
  );
});

test('an exception that a finished run left behind ends the process, and nobody is blamed', async () => {
  const { host, ended } = await start(
    hosts,
    `export default { async run(event) { if (event.leave) setTimeout(() => { throw new Error('stray'); }, 20); else await new Promise(() => {}); } }`,
  );
  await perform(host, event({ leave: true }));
  const other = await perform(host, event());
  expect(other.loss).toMatchObject({ cause: 'uncaught', atFault: false });
  expect(await ended).toMatchObject({ cause: 'uncaught', atFault: false });
});

test('too much memory ends the run with the limit in the message', async () => {
  const outcome = await lose(
    `export default { run() { this.$emit(1); const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); } }`,
    30_000,
    64,
  );
  expect(outcome.loss).toEqual({
    cause: 'memory',
    message: 'used more than 64 MB of memory',
    atFault: true,
  });
});

test('a process ended from outside is nobody’s fault', async () => {
  const { host } = await start(hosts, `export default { run() { return new Promise(() => {}); } }`);
  const outcome = perform(host, event());
  await expect.poll(() => host.inFlight).toBe(1);
  process.kill(host.pid, 'SIGKILL');
  expect((await outcome).loss).toEqual({
    cause: 'signal',
    message: 'its process was ended by SIGKILL',
    atFault: false,
  });
});

test('work given to a process that is gone is lost, once', async () => {
  const { host } = await start(hosts, `export default { run() { process.exit(0); } }`);
  await perform(host, event());
  expect((await perform(host, event())).loss).toMatchObject({ atFault: false });
});

test('kill names the reason, end lets work finish', async () => {
  const code = `export default { async run({ ms }) { await new Promise((r) => setTimeout(r, ms)); this.$emit(1); } }`;
  const killed = await start(hosts, code);
  const lost = perform(killed.host, event({ ms: 60_000 }));
  killed.host.kill('the source was deleted');
  expect((await lost).loss).toEqual({
    cause: 'killed',
    message: 'the source was deleted',
    atFault: false,
  });

  const ending = await start(hosts, code);
  const finished = perform(ending.host, event({ ms: 100 }));
  const late = perform(ending.host, event({ ms: 60_000 }));
  await ending.host.end(400);
  expect((await finished).emits).toHaveLength(1);
  expect((await late).loss?.message).toBe('it was stopped before it had finished');
  expect(await ending.ended).toMatchObject({ cause: 'killed' });

  const idle = await start(hosts, code);
  await idle.host.end();
  expect(await idle.ended).toBeNull();
});
