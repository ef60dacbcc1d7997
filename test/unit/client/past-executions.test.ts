import { describe, expect, test } from 'vitest';
import {
  asTheyAreNow,
  failedSince,
  originals,
  retriesInWords,
  retryChains,
} from '../../../src/client/past-executions.ts';
import type {
  Execution,
  ExecutionStatus,
  WholeExecution,
} from '../../../src/protocol/catalogue.ts';
import * as make from '../extension/make.ts';

const whole = (part: Partial<Execution>): WholeExecution => ({
  ...make.execution(part),
  trigger: null,
  steps: [],
  sends: [],
  requests: [],
  response: null,
});

const ids = (executions: readonly { readonly id: string }[]): string[] =>
  executions.map(({ id }) => id);

test('what failed is retried oldest first, once, and not when it was made good', () => {
  const failed = { status: 'failed', cause: 'http' } as const;
  const replay = { cause: 'replay', status: 'failed' } as const;
  const newestFirst = [
    make.execution({ ...replay, id: 'exec_9', replay_of: 'exec_8', status: 'succeeded' }),
    make.execution({ ...replay, id: 'exec_8', replay_of: 'exec_3' }),
    make.execution({ ...replay, id: 'exec_7', replay_of: 'exec_2' }),
    make.execution({ ...failed, id: 'exec_6', created_at: 600, test: true }),
    make.execution({ id: 'exec_5', status: 'succeeded', cause: 'http' }),
    make.execution({ ...failed, id: 'exec_4', created_at: 400, status: 'timed_out' }),
    make.execution({ ...failed, id: 'exec_3', created_at: 300 }),
    make.execution({ ...failed, id: 'exec_2', created_at: 200, status: 'crashed' }),
    make.execution({ ...failed, id: 'exec_1', created_at: 100, status: 'cancelled' }),
  ];
  // 3 was made good by the replay of its replay.
  expect(ids(failedSince(newestFirst, 0))).toEqual(['exec_2', 'exec_4']);
  expect(ids(failedSince(newestFirst, 201))).toEqual(['exec_4']);
  expect(ids(originals(newestFirst))).toEqual(['exec_5', 'exec_4', 'exec_3', 'exec_2', 'exec_1']);
});

test('a test that went well makes nothing good, and what goes on may do so', () => {
  const bad = make.execution({ id: 'exec_1', status: 'failed', cause: 'http' });
  const again = { cause: 'replay', replay_of: 'exec_1' } as const;
  const tested = make.execution({ ...again, id: 'exec_2', status: 'succeeded', test: true });
  expect(ids(failedSince([tested, bad], 0))).toEqual(['exec_1']);
  const running = make.execution({ ...again, id: 'exec_2', status: 'running' });
  expect(failedSince([running, bad], 0)).toEqual([]);
});

describe('a chain of retries', () => {
  const origin = make.execution({ id: 'exec_1', status: 'failed', cause: 'http' });
  const retry = (n: number, of: number, status: ExecutionStatus) =>
    make.execution({ id: `exec_${n}`, status, cause: 'replay', replay_of: `exec_${of}` });

  test('is good only when its newest execution has succeeded', () => {
    const chain = (...newestFirst: readonly Execution[]) =>
      retryChains([...newestFirst, origin]).get('exec_1')?.state;
    expect(chain()).toBe('open');
    expect(chain(retry(2, 1, 'succeeded'))).toBe('good');
    expect(chain(retry(3, 2, 'failed'), retry(2, 1, 'succeeded'))).toBe('open');
    expect(chain(retry(3, 1, 'timed_out'), retry(2, 1, 'succeeded'))).toBe('open');
    expect(chain(retry(3, 1, 'succeeded'), retry(2, 1, 'crashed'))).toBe('good');
    expect(chain(retry(2, 1, 'cancelled'))).toBe('open');
    for (const status of ['queued', 'running', 'paused'] as const) {
      expect(chain(retry(2, 1, status))).toBe('pending');
    }
  });

  test('is retried once, with the execution that it began with', () => {
    const newestFirst = [retry(3, 2, 'failed'), retry(2, 1, 'failed'), origin];
    expect(ids(failedSince(newestFirst, 0))).toEqual(['exec_1']);
    // The first is not kept any more.
    expect(ids(failedSince(newestFirst.slice(0, 2), 0))).toEqual(['exec_2']);
    // A retry cannot begin at the failed step of one that succeeded.
    const went = make.execution({ id: 'exec_1', status: 'succeeded', cause: 'http' });
    expect(ids(failedSince([retry(2, 1, 'failed'), went], 0))).toEqual(['exec_2']);
  });

  test('is none for what has not failed, and a test is in none', () => {
    const cancelled = make.execution({ id: 'exec_4', status: 'cancelled', cause: 'http' });
    const tested = make.execution({ id: 'exec_5', status: 'failed', cause: 'http', test: true });
    expect(retryChains([tested, cancelled]).size).toBe(0);
  });
});

test('only what has ended counts as a success or a failure', async () => {
  const ended = (status: ExecutionStatus) => make.execution({ status });
  expect(retriesInWords([])).toBe('');
  expect(retriesInWords([ended('succeeded'), ended('succeeded'), ended('paused')])).toBe(
    '2 succeeded, 1 waits',
  );
  const all: ExecutionStatus[] = ['paused', 'paused', 'running', 'failed', 'crashed', 'cancelled'];
  expect(retriesInWords(all.map(ended))).toBe('2 failed again, 2 wait, 1 is running, 1 cancelled');
});

test('what was paused when its retry returned is asked about once more', async () => {
  const asked: string[] = [];
  const call = (async (_name: string, { id }: { id: string }) => {
    asked.push(id);
    if (id === 'exec_3') throw new Error('gone');
    return whole({ id, status: 'failed' });
  }) as unknown as Parameters<typeof asTheyAreNow>[0];
  const retried = [
    whole({ id: 'exec_1', status: 'succeeded' }),
    whole({ id: 'exec_2', status: 'paused' }),
    whole({ id: 'exec_3', status: 'paused' }),
  ];
  const now = await asTheyAreNow(call, retried);
  expect(now.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'paused']);
  expect(asked).toEqual(['exec_2', 'exec_3']);
});
