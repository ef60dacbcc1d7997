import { expect, test } from 'vitest';
import type { Trigger } from '../../../../../src/protocol/host.ts';
import { planRecovery } from '../../../../../src/runtime/events/runs/recovery.ts';
import type { UnfinishedInvocation } from '../../../../../src/runtime/store/ownership.ts';

const http: Trigger = {
  kind: 'http',
  prop: 'http',
  method: 'GET',
  url: 'http://127.0.0.1/',
  path: '/',
  query: '',
  headers: {},
  clientIp: '127.0.0.1',
  body: new Uint8Array(),
};
const event: Trigger = { kind: 'event', json: '{}' };

let n = 0;
function unfinished(
  trigger: Trigger | undefined,
  attempt = 1,
  hook: 'deploy' | null = null,
): UnfinishedInvocation {
  const times = { createdAt: 1, startedAt: null, endedAt: null };
  const counts = { emitted: 0, dropped: 0, error: null, replayOf: null };
  const cause = hook === null ? 'http' : 'hook';
  const record = {
    n: (n += 1),
    emitterId: 'dc_1',
    cause,
    hook,
    request: null,
    status: 'queued',
    attempt,
  } as const;
  return { record: { ...record, ...times, ...counts }, trigger };
}

/** After a crash, with two HTTP requests side by side. */
const crashed = (all: UnfinishedInvocation[]) =>
  planRecovery({ unfinished: all, released: false }, 2);
const begun = (all: UnfinishedInvocation[]) => crashed(all).again.map(({ hadBegun }) => hadBegun);

test('what had begun runs three times at most', () => {
  expect([1, 2].map((attempt) => begun([unfinished(event, attempt)]))).toEqual([[true], [true]]);
  const { again, givenUp } = crashed([unfinished(event, 3)]);
  expect(again).toEqual([]);
  expect(givenUp).toMatchObject([
    { error: { name: 'RuntimeEnded', message: expect.stringContaining('3 times') } },
  ]);
});

test('what cannot have begun has spent no attempt: others of its queue were before it', () => {
  const queue = [
    unfinished(http),
    unfinished(event),
    unfinished(http),
    unfinished(event),
    unfinished(http),
    unfinished(http, 3),
  ];
  expect(begun(queue)).toEqual([true, true, true, false, false, false]);
});

test('a hook is not run again by itself, nor what has lost its trigger', () => {
  const { again, givenUp } = crashed([unfinished(undefined, 1, 'deploy'), unfinished(undefined)]);
  expect(again).toEqual([]);
  expect(givenUp.map(({ error }) => error.message)).toEqual([
    expect.stringContaining('hook'),
    'Its trigger is gone.',
  ]);
});

test('an owner that ended cleanly has told which had begun', () => {
  const [first, second] = [unfinished(event), unfinished(event)];
  const running = { ...second, record: { ...second.record, status: 'running' as const } };
  const { again } = planRecovery({ unfinished: [first, running], released: true }, 2);
  expect(again.map(({ hadBegun }) => hadBegun)).toEqual([false, true]);
});
