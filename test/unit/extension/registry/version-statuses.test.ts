import { expect, test, vi } from 'vitest';
import type { Folder } from '../../../../src/extension/connection/folder.ts';
import type { VersionStatus } from '../../../../src/extension/registry/version-status-text.ts';
import { VersionStatuses } from '../../../../src/extension/registry/version-statuses.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const standing = (current: string): VersionStatus => ({
  key: 'acme-ship-order',
  reference: 'acme-ship-order',
  type: 'action',
  path: null,
  current,
  newest: current,
  is_outdated: false,
  newer: null,
  unpublished: false,
  deprecated: null,
  problem: null,
  registry: 'acme',
  package: null,
  package_version: null,
  used_by: [],
});

/** A folder whose registries answer when the test says what. */
function slowFolder() {
  const waiting: ((data: VersionStatus[]) => void)[] = [];
  const call = (): Promise<{ data: VersionStatus[] }> =>
    new Promise((resolve) => waiting.push((data) => resolve({ data })));
  const folder = { key: '/shop/.weir', link: { client: { call } }, remote: undefined };
  return { folder: folder as unknown as Folder, waiting };
}

/** Looks whenever there may be another answer, as a code lens does. */
function looking(folder: Folder) {
  const clock = new FakeClock();
  const changed = vi.fn(() => void standings.of(folder));
  const standings = new VersionStatuses(clock, changed);
  return { clock, changed, standings };
}

test('an answer is believed for an hour', async () => {
  const { folder, waiting } = slowFolder();
  const { clock, changed, standings } = looking(folder);
  expect(standings.of(folder)).toEqual([]);
  waiting.shift()?.([standing('0.1.0')]);
  await vi.waitFor(() => expect(changed).toHaveBeenCalled());
  expect(standings.of(folder)).toEqual([standing('0.1.0')]);
  expect(waiting).toEqual([]);
  clock.pass(3_600_000);
  standings.of(folder);
  expect(waiting).toHaveLength(1);
});

test.each([1, 3])(
  'a lock that changes %i times while registries are asked has them asked once more',
  async (times) => {
    const { folder, waiting } = slowFolder();
    const { standings } = looking(folder);
    standings.of(folder);
    for (let n = 0; n < times; n++) standings.forget();
    expect(waiting).toHaveLength(1);
    waiting.shift()?.([standing('0.1.0')]);
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    waiting.shift()?.([standing('0.2.0')]);
    await vi.waitFor(() => expect(standings.of(folder)).toEqual([standing('0.2.0')]));
    expect(waiting).toEqual([]);
  },
);

test('the same answer, overtaken by a change of the lock, is asked for anew', async () => {
  const { folder, waiting } = slowFolder();
  const { changed, standings } = looking(folder);
  standings.of(folder);
  waiting.shift()?.([standing('0.1.0')]);
  await vi.waitFor(() => expect(changed).toHaveBeenCalled());
  standings.forget();
  standings.forget();
  waiting.shift()?.([standing('0.1.0')]);
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
});
