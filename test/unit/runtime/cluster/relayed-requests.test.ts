import { expect, test } from 'vitest';
import {
  relayRequests,
  type RelayedRequests,
} from '../../../../src/runtime/cluster/relayed-requests.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

function telling() {
  const clock = new FakeClock();
  const told: (readonly RelayedRequests[])[] = [];
  const { requested, now } = relayRequests({ clock, tell: (all) => void told.push(all) });
  const request = (status: number, ms: number): void =>
    requested({ method: 'POST', path: '/h/', status, ms, key: undefined, address: '::1' });
  return { clock, told, request, now };
}

test('the requests of a second are told at its end, by status', () => {
  const { clock, told, request } = telling();
  request(200, 1.5);
  request(404, 0.1);
  request(200, 1.5);
  clock.pass(999);
  expect(told).toEqual([]);
  clock.pass(1);
  expect(told).toEqual([
    [
      { status: 200, ms: [1.5, 1.5] },
      { status: 404, ms: [0.1] },
    ],
  ]);
  clock.pass(5000);
  expect(told).toHaveLength(1);
  request(200, 2);
  clock.pass(1000);
  expect(told[1]).toEqual([{ status: 200, ms: [2] }]);
});

test('those of a node that ends are told at once, and no second time', () => {
  const { clock, told, request, now } = telling();
  request(200, 1);
  now();
  now();
  clock.pass(5000);
  expect(told).toEqual([[{ status: 200, ms: [1] }]]);
});
