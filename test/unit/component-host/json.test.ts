import { expect, test } from 'vitest';
import { lenientJson, toData } from '../../../src/component-host/json.ts';

test('toData leaves functions out and gives up on what is no JSON', () => {
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

test('lenientJson breaks cycles only', () => {
  const shared = { s: 1 };
  const root: Record<string, unknown> = { first: shared, list: [shared, [shared]], big: 2n };
  root['self'] = root;
  root['deep'] = { up: { root } };
  expect(JSON.parse(lenientJson(root) ?? '')).toEqual({
    first: { s: 1 },
    list: [{ s: 1 }, [{ s: 1 }]],
    big: '2',
    self: '[Circular]',
    deep: { up: { root: '[Circular]' } },
  });
  expect(lenientJson(undefined)).toBeUndefined();
  expect(lenientJson({ toJSON: () => 'short' })).toBe('"short"');
});
