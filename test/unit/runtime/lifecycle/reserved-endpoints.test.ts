import { expect, test } from 'vitest';
import { reservedInterfaces } from '../../../../src/runtime/lifecycle/reserved-endpoints.ts';

const owner = {
  name: 'Orders',
  interfaces: [{ id: 'hi_abcdefg', prop: 'http', kind: 'http' as const }],
};

test('an id that was told before is the interface’s own', () => {
  expect(reservedInterfaces({ http: 'hi_0000001' }, [owner])).toEqual([
    { id: 'hi_0000001', prop: 'http', kind: 'http' },
  ]);
});

test('another source’s endpoint is not taken over', () => {
  expect(() => reservedInterfaces({ http: 'hi_abcdefg' }, [owner])).toThrow(
    'The endpoint hi_abcdefg belongs to Orders already.',
  );
});

test.each(['', 'hi_1', 'hi_guess-me', 'orders', 'hi_00000011'])('"%s" is no id of ours', (id) => {
  expect(() => reservedInterfaces({ http: id }, [])).toThrow('is no id of an endpoint');
});
