import { expect, test } from 'vitest';
import type { Trigger } from '../../../../../src/protocol/host.ts';
import { planRecovery } from '../../../../../src/runtime/events/runs/recovery.ts';
import type { UnfinishedInvocation } from '../../../../../src/runtime/store/ownership.ts';
import type { Suspicion } from '../../../../../src/runtime/store/history/suspicion.ts';

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
  suspicion?: Suspicion,
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
  return { record: { ...record, ...times, ...counts }, trigger, suspicion };
}

/** After a crash, with two HTTP requests side by side. */
const crashed = (all: UnfinishedInvocation[]) =>
  planRecovery({ unfinished: all, released: false }, 2);
const suspects = (all: UnfinishedInvocation[]) =>
  crashed(all).again.map(({ suspect }) => suspect !== undefined);
const alone = { isAlone: true, outlived: 0 };

test('P12.14 what ran alone at three deaths is given up; beside others it runs any number of times', () => {
  const of = (attempt: number, suspicion?: Suspicion) =>
    crashed([unfinished(event, attempt, null, suspicion)]);
  expect(of(3).again).toMatchObject([{ attempt: 3, suspect: { outlived: 0 } }]);
  expect(of(3, { isAlone: false, outlived: 2 }).again).toMatchObject([
    { attempt: 3, suspect: { outlived: 2 } },
  ]);
  expect(of(1, alone).again).toMatchObject([{ attempt: 2 }]);
  const { again, givenUp } = of(3, alone);
  expect(again).toEqual([]);
  expect(givenUp).toMatchObject([
    {
      error: {
        name: 'RuntimeEnded',
        message: expect.stringContaining('3 times while nothing but this ran'),
      },
    },
  ]);
});

test('what cannot have begun is no suspect: others of its queue were before it', () => {
  const queue = [
    unfinished(http),
    unfinished(event),
    unfinished(http),
    unfinished(event),
    unfinished(http),
    unfinished(http, 3),
  ];
  expect(suspects(queue)).toEqual([true, true, true, false, false, false]);
});

test('a hook is not run again by itself, nor what has lost its trigger', () => {
  const { again, givenUp } = crashed([unfinished(undefined, 1, 'deploy'), unfinished(undefined)]);
  expect(again).toEqual([]);
  expect(givenUp.map(({ error }) => error.message)).toEqual([
    expect.stringContaining('hook'),
    'Its trigger is gone.',
  ]);
});

test('of an owner that ended in peace nothing counts', () => {
  const left = [unfinished(event), unfinished(event, 3, null, alone)];
  const { again, givenUp } = planRecovery({ unfinished: left, released: true }, 2);
  expect(givenUp).toEqual([]);
  expect(again.map(({ attempt, suspect }) => [attempt, suspect])).toEqual([
    [1, undefined],
    [3, undefined],
  ]);
});
