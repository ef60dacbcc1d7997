import { describe, expect, test } from 'vitest';
import { emitOf } from '../../../../../src/component/host/output/emit.ts';

describe('what meta may hold (P10.6, P10.7)', () => {
  test.for<[meta: unknown, made: object]>([
    [undefined, {}],
    [null, {}],
    ['text', {}],
    [
      { id: 1, name: 'n', summary: 's', ts: 2 },
      { id: 1, name: 'n', summary: 's', ts: 2 },
    ],
    [
      { id: 0, summary: 0, ts: 0 },
      { id: 0, summary: '0', ts: 0 },
    ],
    [{ id: '', name: '', summary: '', ts: '' }, {}],
    [{ id: null, name: null, summary: null, ts: null }, {}],
    [{ id: Number.NaN, ts: Number.NaN }, {}],
    [
      { id: 12n, ts: 12n },
      { id: '12', ts: 12 },
    ],
    [
      { id: new Date(0), ts: new Date(5) },
      { id: '1970-01-01T00:00:00.000Z', ts: 5 },
    ],
    [
      { id: { a: 1 }, summary: ['a'] },
      { id: '{"a":1}', summary: '["a"]' },
    ],
    [
      { id: true, summary: false, ts: true },
      { id: 'true', summary: 'false' },
    ],
    [{ ts: '1700000000000' }, { ts: 1_700_000_000_000 }],
    [{ ts: '2024-01-01T00:00:00Z' }, { ts: 1_704_067_200_000 }],
    [{ ts: 'soon', delivery_ts: Number.POSITIVE_INFINITY }, {}],
    [{ ts: new Date('x') }, {}],
    [{ delivery_ts: 7 }, { deliveryTs: 7 }],
    [{ ts: 1.5 }, { ts: 1.5 }],
    // P18.16
    [{ name: '$errors' }, {}],
    [{ name: '$logs' }, {}],
    [{ name: '$in', id: 1 }, { id: 1 }],
    [{ name: '$other' }, { name: '$other' }],
  ])('%o', ([meta, made]) => {
    expect(emitOf({}, meta, 9)).toEqual({ event: '{}', at: 9, ...made });
  });
});

describe('the event is copied as JSON', () => {
  test.for<[event: unknown, json: string]>([
    [undefined, 'null'],
    [() => {}, 'null'],
    [null, 'null'],
    ['a', '"a"'],
    [[1, undefined], '[1,null]'],
    [{ at: new Date(0), f() {}, u: undefined }, '{"at":"1970-01-01T00:00:00.000Z"}'],
  ])('%o', ([event, json]) => {
    expect(emitOf(event, undefined, 0).event).toBe(json);
  });

  test('what has no JSON form is a clear error', () => {
    expect(() => emitOf({ n: 1n }, undefined, 0)).toThrow(
      /^\$emit: the event cannot be made JSON\. .*BigInt/,
    );
  });
});
