import { duplexPair } from 'node:stream';
import { expect, test } from 'vitest';
import { type NodeHandlers, Peer } from '../../../../src/runtime/cluster/peer.ts';
import { WeirError } from '../../../../src/protocol/errors.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

/** Two nodes, of which the other one does what these say. */
function two(handlers: Partial<NodeHandlers> | undefined) {
  const [near, far] = duplexPair();
  const clock = new FakeClock();
  const one = new Peer(near, clock, () => undefined);
  const other = new Peer(far, clock, () => handlers);
  return { one, other, near, far, clock };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('answers come back to who asked, in whatever order', async () => {
  const waiting: (() => void)[] = [];
  const { one } = two({
    release: async ({ id }) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { isReleased: id === 'dc_1' };
    },
  });
  const answers = ['dc_1', 'dc_2'].map((id) =>
    one.call('release', { id, withinMs: 1, isDeleted: false }, 1000),
  );
  await turn();
  await turn();
  for (const resolve of waiting.toReversed()) resolve();
  expect(await Promise.all(answers)).toEqual([{ isReleased: true }, { isReleased: false }]);
});

test('what the other one throws is thrown here', async () => {
  const { one } = two({
    take: () => {
      throw new WeirError('conflict', 'Somebody has it.');
    },
  });
  await expect(one.call('take', { id: 'dc_1' }, 1000)).rejects.toMatchObject({
    code: 'conflict',
    message: 'Somebody has it.',
  });
});

test('a node that does not run anything refuses; one that does not answer in time is not waited for', async () => {
  await expect(two(undefined).one.call('ping', null, 1000)).rejects.toMatchObject({
    code: 'runtime_unavailable',
  });
  const { one, clock } = two({ ping: () => new Promise(() => undefined) });
  const asked = one.call('ping', null, 1000);
  expect(clock.ring()).toBe(1000);
  await expect(asked).rejects.toMatchObject({ code: 'runtime_unavailable' });
});

test('notices arrive in order, with the bytes as they were', async () => {
  const told: unknown[] = [];
  const { one } = two({ answered: (notice) => told.push(notice) });
  const body = Buffer.from([0, 255, 128]);
  const answer = { status: 201, headers: {}, body };
  one.tell('answered', { n: 1, came: { of: 'answer', answer } });
  one.tell('answered', { n: 2, came: { of: 'end', status: 'failed' } });
  await turn();
  await turn();
  expect(told).toEqual([
    { n: 1, came: { of: 'answer', answer } },
    { n: 2, came: { of: 'end', status: 'failed' } },
  ]);
});

test('a connection that ends, or says nonsense, ends what is waited for', async () => {
  const gone = two({ ping: () => new Promise(() => undefined) });
  const asked = gone.one.call('ping', null, 1000);
  let closed = 0;
  gone.one.onClose(() => (closed += 1));
  gone.far.destroy();
  await expect(asked).rejects.toMatchObject({ code: 'runtime_unavailable' });
  expect([gone.one.isOpen, closed]).toEqual([false, 1]);
  await expect(gone.one.call('ping', null, 1000)).rejects.toThrow('has ended');
  const nonsense = two({});
  nonsense.far.write(Buffer.from([0, 0, 0, 1, 0xc1]));
  await turn();
  await turn();
  expect(nonsense.one.isOpen).toBe(false);
});
