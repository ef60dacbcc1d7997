import { expect, test } from 'vitest';
import { event, hostsFor, perform, start } from './hosts-helper.ts';

/** What a component prints goes to the invocation that printed it. */
const hosts = await hostsFor();

test('levels and formatting are those of Node', async () => {
  const { host } = await start(
    hosts,
    `export default { run() {
      console.log('a %s %d %j', 'b', 1, { c: 2 }); console.info({ deep: { x: { y: { z: 1 } } } }); console.debug('d'); console.warn('w'); console.error(new RangeError('e'));
      console.group('g'); console.log('in'); console.groupEnd(); console.table([{ a: 1 }]); console.assert(false, 'wrong'); console.dir({ q: 1 }); console.log(); console.log('two\\nlines');
      process.stdout.write('out\\n'); process.stderr.write(Buffer.from('err'));
    } }`,
  );
  const { logs } = await perform(host, event());
  expect(
    logs.map(({ level, text }) => [
      level,
      text.startsWith('RangeError: e\n    at ') ? 'stack' : text,
    ]),
  ).toEqual([
    ['info', 'a b 1 {"c":2}'],
    ['info', '{ deep: { x: { y: [Object] } } }'],
    ['debug', 'd'],
    ['warn', 'w'],
    ['error', 'stack'],
    ['info', 'g'],
    ['info', '  in'],
    ['info', '┌─────────┬───┐\n│ (index) │ a │\n├─────────┼───┤\n│ 0       │ 1 │\n└─────────┴───┘'],
    ['warn', 'Assertion failed: wrong'],
    ['info', '{ q: 1 }'],
    ['info', ''],
    ['info', 'two\nlines'],
    ['info', 'out'],
    ['error', 'err'],
  ]);
  expect(logs.every(({ at }) => Math.abs(at - Date.now()) < 60_000)).toBe(true);
});

test('lines and emits of invocations side by side are not mixed up', async () => {
  const { host } = await start(
    hosts,
    `import { setTimeout as wait } from 'node:timers/promises';
    export default { methods: { say(x) { console.log(x); } }, async run({ who, ms }) {
      for (let i = 0; i < 5; i++) { this.say(who + i); await wait(ms); this.$emit(who + i); }
      await new Promise((resolve) => setImmediate(() => process.nextTick(() => queueMicrotask(() => { console.log(who + 'late'); resolve(); }))));
    } }`,
  );
  const names = ['a', 'b', 'c', 'd'];
  const outcomes = await Promise.all(
    names.map((who, index) => perform(host, event({ who, ms: index + 1 }))),
  );
  for (const [index, who] of names.entries()) {
    const counted = [0, 1, 2, 3, 4].map((i) => `${who}${i}`);
    expect(outcomes[index]?.logs.map(({ text }) => text)).toEqual([...counted, `${who}late`]);
    expect(outcomes[index]?.emits.map((emit) => JSON.parse(emit.event) as string)).toEqual(counted);
  }
});

test('lines outside any invocation, and what comes after its end, are told apart', async () => {
  const { host, outside } = await start(
    hosts,
    `console.log('loading');
    let go;
    export default { props: { db: '$.service.db' }, async run(event) {
      if (event.last) { go(); await null; return; }
      const { $emit, db } = this;
      new Promise((resolve) => { go = resolve; }).then(() => { console.log('stray'); $emit(1); $emit(2); db.set('k', 1); });
    } }`,
  );
  const first = await perform(host, event());
  const last = await perform(host, event({ last: true }));
  expect([first.logs, first.emits, last.logs, last.emits]).toEqual([[], [], [], []]);
  await expect
    .poll(() => outside.map(({ text }) => text))
    .toEqual([
      'loading',
      'stray',
      '$emit was called after the run had ended; the event was dropped.',
      'this.db.set("k") was called after the run had ended and had no effect.',
    ]);
});

test('50 MB of output are cut, and cost little', async () => {
  const { host } = await start(
    hosts,
    `export default { async run() {
      const line = 'x'.repeat(1000);
      for (let i = 0; i < 50_000; i++) console.log(line);
      console.log('y'.repeat(5_000_000));
      this.$emit('done');
    } }`,
  );
  const { logs, emits, error } = await perform(host, event());
  expect(error).toBeUndefined();
  expect(emits).toHaveLength(1);
  const size = logs.reduce((sum, { text }) => sum + text.length, 0);
  expect(size).toBeGreaterThan(1024 * 1024 - 1000);
  expect(size).toBeLessThan(1024 * 1024 + 2000);
  expect(logs.at(-1)).toMatchObject({
    level: 'warn',
    text: 'Weir keeps 1 MB of console output; the rest was cut.',
  });
});

test('a line longer than 64 KB is cut and says so', async () => {
  const { host } = await start(
    hosts,
    `export default { run() { console.log('x'.repeat(100_000)); } }`,
  );
  const { logs } = await perform(host, event());
  expect(logs[0]?.text).toBe(`${'x'.repeat(65_536)}… (34464 more characters were cut)`);
});
