import { expect, test } from 'vitest';
import { kindOf } from '../../../src/protocol/ids.ts';

test.each([
  ['dc_x7Kq2Pz', 'source'],
  ['p_x7Kq2Pz', 'workflow'],
  ['wh_x7Kq2Pz', 'webhook'],
  ['sub_x7Kq2Pz', 'subscription'],
  ['asub_x7Kq2Pz', 'autoSubscription'],
  ['inv_12', 'invocation'],
  ['del_12', 'delivery'],
])('%s is the id of a %s', (id, kind) => {
  expect(kindOf(id)).toBe(kind);
});

test.each(['', 'hello', 'new-issues', '/work/dc_/a.mjs', 'dc', '_dc', 'toString_1', 'DC_1'])(
  '%j is not an id',
  (text) => {
    expect(kindOf(text)).toBeUndefined();
  },
);
