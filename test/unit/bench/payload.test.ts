import { expect, test } from 'vitest';
import { checkKept, payload, payloadBytes, payloadId } from '../../../bench/harness/payload.mts';

const acknowledged = [2, 0, 1];
const stored = [payloadId(2, 0), payloadId(0, 1), payloadId(0, 0)];

test('every body has the same length and its own id', () => {
  for (const id of [payloadId(0, 0), payloadId(63, 999_999_999)]) {
    expect(Buffer.byteLength(payload(id))).toBe(payloadBytes);
    expect(JSON.parse(payload(id))).toMatchObject({ id });
  }
});

test('all acknowledged events are stored, in any order', () => {
  expect(() => checkKept(acknowledged, stored)).not.toThrow();
});

test.each([
  ['one is missing', stored.slice(1), '1 of 3 acknowledged events are lost'],
  ['one is there twice', [...stored, stored[0]!], '4 events are stored for 3'],
  [
    'another one is there instead',
    [...stored.slice(1), payloadId(9, 9)],
    '1 of 3 acknowledged events are lost',
  ],
])('%s', (_, ids, complaint) => {
  expect(() => checkKept(acknowledged, ids)).toThrow(complaint);
});
