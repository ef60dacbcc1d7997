import { expect, test } from 'vitest';
import { failedSince, originals } from '../../../src/client/past-executions.ts';
import * as make from '../extension/make.ts';

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
