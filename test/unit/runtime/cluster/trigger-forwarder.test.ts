import { expect, test } from 'vitest';
import { WeirError } from '../../../../src/protocol/errors.ts';
import {
  type NodeRole,
  TriggerForwarder,
} from '../../../../src/runtime/cluster/trigger-forwarder.ts';
import type { WaitingCaller } from '../../../../src/runtime/events/waiting-caller.ts';
import type { ForwardedTrigger } from '../../../../src/runtime/cluster/node-calls.ts';
import type { Peer } from '../../../../src/runtime/cluster/peer.ts';
import type { LeftInvocation } from '../../../../src/runtime/store/shared.ts';
import { systemClock } from '../../../../src/runtime/base/clock.ts';

const trigger = { kind: 'event', json: '{}' } as const;
const plain = { cause: 'http', trigger, isAnswered: false, isRecorded: false } as const;

/** A node whose sources run at `other`, which does what `answer` says. */
function world(answer: (passed: ForwardedTrigger) => Promise<null>) {
  const asked: ForwardedTrigger[] = [];
  const left: LeftInvocation[] = [];
  const told: string[] = [];
  const here: ForwardedTrigger[] = [];
  const closed: (() => void)[] = [];
  let n = 0;
  const peer = {
    call: (_: string, passed: ForwardedTrigger) => {
      asked.push(passed);
      return answer(passed);
    },
    tell: (name: string) => told.push(name),
    onClose: (listener: () => void) => closed.push(listener),
  } as unknown as Peer;
  const place = {
    shared: {
      nextNumber: () => ++n,
      leave: async (one: LeftInvocation) => void left.push(one),
    },
    placeOf: (): string | undefined => 'other:1',
    isAlone: (): boolean => false,
    runsHere: (): boolean => false,
    acceptHere: (passed: ForwardedTrigger, _caller: WaitingCaller) => {
      here.push(passed);
      return { durable: Promise.resolve() };
    },
  } satisfies NodeRole;
  const passingOn = new TriggerForwarder({ peers: { to: async () => peer }, clock: systemClock });
  passingOn.use(place);
  return { passingOn, place, asked, left, told, here, closed };
}

const elsewhere = () => Promise.reject(new WeirError('conflict', 'Not here.'));

test('the owner takes it, once', async () => {
  const { passingOn, asked, left } = world(async () => null);
  await passingOn.accept('dc_1', plain, {}).durable;
  expect(asked).toEqual([{ id: 'dc_1', n: 1, isAgain: false, ...plain }]);
  expect(left).toEqual([]);
});

test('what is asked again, because nobody heard the answer, says so', async () => {
  let times = 0;
  const { passingOn, asked } = world(async () => {
    if (++times === 1) throw new WeirError('runtime_unavailable', 'The connection has ended.');
    return null;
  });
  await passingOn.accept('p_1', { ...plain, cause: 'manual' }, {}).durable;
  expect(asked.map(({ isAgain }) => isAgain)).toEqual([false, true]);
});

test('without an owner it is left in the inbox under the number that was tried, and its node is rung', async () => {
  const { passingOn, asked, left, told } = world(elsewhere);
  await passingOn.accept('dc_1', plain, {}).durable;
  expect(left).toEqual([
    { emitterId: 'dc_1', n: 1, cause: 'http', trigger, at: expect.any(Number) },
  ]);
  expect(told).toEqual(['left']);
  expect(new Set(asked.map(({ n }) => n))).toEqual(new Set([1]));
});

test('what has come here meanwhile is taken in here', async () => {
  const { passingOn, place, here, left } = world(elsewhere);
  const { durable } = passingOn.accept('dc_1', plain, {});
  passingOn.use({ ...place, runsHere: () => true });
  await durable;
  expect(here.map(({ n }) => n)).toEqual([1]);
  expect(left).toEqual([]);
});

test('whoever waits is told at once that nobody can be asked, and what nobody waits for is left', async () => {
  const refused = () => Promise.reject(new WeirError('runtime_unavailable', 'Another version.'));
  const { passingOn, place, left } = world(refused);
  passingOn.use({ ...place, isAlone: () => true });
  const waiting = { ...plain, isAnswered: true };
  const failed: unknown[] = [];
  const { durable } = passingOn.accept('dc_1', waiting, { failed: (error) => failed.push(error) });
  await expect(durable).rejects.toMatchObject({ code: 'runtime_unavailable' });
  expect(failed).toHaveLength(1);
  await passingOn.accept('dc_1', plain, {}).durable;
  expect(left.map(({ n }) => n)).toEqual([2]);
});

test('whoever waits gets the answer of the run, or how it ended without one', async () => {
  const { passingOn } = world(async () => null);
  const heard: unknown[] = [];
  const caller = {
    respond: (answer: unknown) => void heard.push(answer),
    ended: (status: unknown) => void heard.push(status),
    unanswered: (why: unknown) => void heard.push(why),
    failed: () => void heard.push('failed'),
  };
  const answered = { ...plain, isAnswered: true };
  for (let i = 0; i < 3; i++) await passingOn.accept('dc_1', answered, caller).durable;
  const answer = { status: 201, headers: {}, body: Buffer.from('x') };
  passingOn.answered({ n: 1, came: { of: 'answer', answer } });
  passingOn.answered({ n: 1, came: { of: 'end', status: 'succeeded' } });
  passingOn.answered({ n: 2, came: { of: 'end', status: 'failed' } });
  passingOn.answered({ n: 3, came: { of: 'unanswered', why: 'paused' } });
  expect(heard).toEqual([answer, 'failed', 'paused']);
});

test('whoever waits hears that the node that runs it has gone', async () => {
  const { passingOn, closed } = world(async () => null);
  let failed = 0;
  const answered = { ...plain, isAnswered: true };
  await passingOn.accept('dc_1', answered, { failed: () => (failed += 1) }).durable;
  await passingOn.accept('dc_1', answered, { failed: () => (failed += 1) }).durable;
  expect(closed).toHaveLength(1);
  closed[0]?.();
  expect(failed).toBe(2);
});

test('a node that is about to lead leaves in inboxes what comes in for what it ran itself', async () => {
  const { passingOn, place, asked, left, here } = world(async () => null);
  passingOn.use({ ...place, placeOf: () => undefined, runsHere: () => true });
  passingOn.pause();
  await passingOn.accept('dc_1', plain, {}).durable;
  expect([asked.length, here.length, left.length]).toEqual([0, 0, 1]);
});

test('a node that is about to end passes on what it has taken, and what comes in still', async () => {
  const { passingOn, asked } = world(() =>
    asked.length < 3 ? elsewhere() : Promise.resolve(null),
  );
  const heard: unknown[] = [];
  const respond = (answer: unknown): void => void heard.push(answer);
  const { n, durable } = passingOn.accept('dc_1', { ...plain, isAnswered: true }, { respond });
  passingOn.pause();
  await durable;
  expect(asked).toHaveLength(3);
  await passingOn.accept('dc_1', plain, {}).durable;
  expect(asked).toHaveLength(4);
  const answer = { status: 201, headers: {}, body: Buffer.from('x') };
  passingOn.answered({ n, came: { of: 'answer', answer } });
  expect(heard).toEqual([answer]);
});
