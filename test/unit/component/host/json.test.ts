import { expect, test } from 'vitest';
import { exportJson, toData } from '../../../../src/component/host/json.ts';

test('toData leaves functions out and gives up on what has no JSON form', () => {
  expect(toData({ a: 1, f() {}, list: [() => {}], d: new Date(0) })).toEqual({
    a: 1,
    list: [null],
    d: '1970-01-01T00:00:00.000Z',
  });
  const loop: Record<string, unknown> = {};
  loop['loop'] = loop;
  expect([toData(loop), toData(1n), toData(undefined), toData(() => {})]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('exportJson breaks cycles only', () => {
  const shared = { s: 1 };
  const root: Record<string, unknown> = { first: shared, list: [shared, [shared]], big: 2n };
  root['self'] = root;
  root['deep'] = { up: { root } };
  expect(JSON.parse(exportJson('It', root) ?? '')).toEqual({
    first: { s: 1 },
    list: [{ s: 1 }, [{ s: 1 }]],
    big: '2',
    self: '[Circular]',
    deep: { up: { root: '[Circular]' } },
  });
  expect(exportJson('It', { toJSON: () => 'short' })).toBe('"short"');
});

const nested = (levels: number): unknown => {
  let value: unknown = '{"[';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};
const cycle: Record<string, unknown> = { a: 1 };
cycle['self'] = cycle;

test.for<[what: string, value: unknown, json: string | undefined]>([
  ['undefined', undefined, undefined],
  ['a function', () => 1, undefined],
  ['a map', new Map([[1, 2]]), '{}'],
  ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ['a cycle', cycle, '{"a":1,"self":"[Circular]"}'],
  ['a bigint', { n: 2n }, '{"n":"2"}'],
  ['brackets in text', `\\"${'['.repeat(300)}`, JSON.stringify(`\\"${'['.repeat(300)}`)],
])('%s', ([, value, json]) => {
  expect(exportJson('It', value)).toBe(json);
});

test('256 levels pass, 257 do not; many values side by side are not deep', () => {
  expect(exportJson('It', nested(256))).toContain('{\\"[');
  expect(() => exportJson('The export "x"', nested(257))).toThrow(
    'The export "x" is nested more than 256 levels deep.',
  );
  expect(
    exportJson(
      'It',
      Array.from({ length: 500 }, () => ({})),
    ),
  ).toHaveLength(1501);
});

test('6 MB pass, more does not', () => {
  expect(() => exportJson('It', 'x'.repeat(6 * 1024 * 1024))).toThrow('It is 6.0 MB of JSON');
  expect(exportJson('It', 'x'.repeat(6 * 1024 * 1024 - 2))).toHaveLength(6 * 1024 * 1024);
});

test('what throws when it is read is left out, and the rest is there', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const throwing = {
    a: 1,
    get b(): unknown {
      throw new Error('getter');
    },
    c: {
      d: 2,
      toJSON() {
        throw new Error('no');
      },
    },
    e: [new Date(0), proxy, 3n, undefined],
    f: { toJSON: () => ({ g: 4n }) },
    h: proxy,
  };
  expect(JSON.parse(exportJson('It', throwing) ?? '')).toEqual({
    a: 1,
    c: { d: 2 },
    e: ['1970-01-01T00:00:00.000Z', {}, '3', null],
    f: { g: '4' },
    h: {},
  });
});

test('a list of 250,000 levels is refused by its name', () => {
  let deep: unknown = [];
  for (let level = 0; level < 250_000; level += 1) deep = [deep];
  expect(() => exportJson('The return value', deep)).toThrow(
    'The return value is nested more than 256 levels deep.',
  );
});
