import { expect, test } from 'vitest';
import type { Folder } from '../../../../src/extension/connection/folder.ts';
import { runItems } from '../../../../src/extension/runs/run-items.ts';
import { SeenRuns } from '../../../../src/extension/runs/seen-runs.ts';
import { unseenOf } from '../../../../src/extension/runs/unseen.ts';
import * as make from '../make.ts';

const failed = (n: number, endedAt: number) =>
  make.invocation({ id: `inv_${n}`, status: 'failed', ended_at: endedAt });

test.each([
  ['all while nothing was looked at', { upTo: 0, runs: [] }, 0, ['inv_12', 'inv_9']],
  ['all but the newest, which was looked at', { upTo: 0, runs: [12] }, 0, ['inv_9']],
  ['those after the last one that was marked', { upTo: 9, runs: [] }, 0, ['inv_12']],
  ['none once all were marked', { upTo: 12, runs: [] }, 0, []],
  ['those since the source was changed', { upTo: 0, runs: [] }, 5, ['inv_12']],
  ['none that are older than the change', { upTo: 0, runs: [] }, 7, []],
])('of failed runs are unseen: %s', (_, seen, updatedAt, ids) => {
  const failures = [failed(12, 6000), failed(9, 4000)];
  expect(unseenOf(failures, seen, updatedAt).map(({ id }) => id)).toEqual(ids);
});

test('what was looked at is remembered over a reload of the window, for each runtime by itself', () => {
  const kept = new Map<string, unknown>();
  const memory = {
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  } as never;
  const folderOf = (key: string) =>
    ({ key, mirror: { failures: () => [failed(3, 1), failed(2, 1)] } }) as unknown as Folder;
  const source = make.source({});
  const seen = new SeenRuns(memory);
  const changed: string[] = [];
  seen.onDidChange.on(({ sourceId }) => void changed.push(sourceId));
  seen.see(folderOf('/a'), source.id, 'inv_2');
  // Looked at twice, it tells nothing new.
  seen.see(folderOf('/a'), source.id, 'inv_2');
  expect(changed).toEqual([source.id]);
  const after = new SeenRuns(memory);
  expect(after.unseen(folderOf('/a'), source).map(({ id }) => id)).toEqual(['inv_3']);
  expect(after.unseen(folderOf('/b'), source)).toHaveLength(2);
  after.seeAll(folderOf('/b'), source.id);
  expect(after.unseen(folderOf('/b'), source)).toEqual([]);
});

test('runs are listed newest first, and say whose they are, how they ended and why', () => {
  const error = { name: 'TypeError', message: 'no id' };
  const runs = [
    {
      source: 'Hello',
      invocation: make.invocation({ id: 'inv_1', created_at: 1, cause: 'timer' }),
    },
    {
      source: 'Orders',
      invocation: make.invocation({
        id: 'inv_2',
        status: 'failed',
        created_at: 2,
        error,
        request: { method: 'POST', path: '/' },
      }),
    },
  ];
  expect(runItems(runs, 60_000).map(({ run: _run, ...row }) => row)).toEqual([
    {
      label: '$(error) POST /',
      description: 'Orders · failed · 0 ms · 1m ago',
      detail: 'TypeError: no id',
    },
    { label: '$(pass) Tick', description: 'Hello · succeeded · 0 ms · 1m ago', detail: '' },
  ]);
});
