import { expect, test, vi } from 'vitest';
import type { Folder } from '../../../../src/extension/connection/folder.ts';
import type { Folders } from '../../../../src/extension/connection/folders.ts';
import { Mirror } from '../../../../src/extension/model/mirror.ts';
import { SeenRuns } from '../../../../src/extension/runs/seen-runs.ts';
import { AccountsView } from '../../../../src/extension/views/accounts-view.ts';
import { DataStoresView } from '../../../../src/extension/views/data-stores-view.ts';
import { EventsView } from '../../../../src/extension/views/events-view.ts';
import { SourcesView } from '../../../../src/extension/views/sources-view.ts';
import { SubscriptionsView } from '../../../../src/extension/views/subscriptions-view.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import type { TreeItem } from '../fake-vscode/values.ts';
import * as make from '../make.ts';

vi.mock('vscode', () => import('../fake-vscode/vscode.ts'));

const clock = new FakeClock(1_000_000);
const none = () => ({ dispose() {} });

/** Two with the same ids: the data folder of one was copied from the other's. */
function copiedFolders(): Folders {
  const all = ['/a/.weir', '/b/.weir'].map((dataFolder) => {
    const mirror = new Mirror(clock);
    const { state } = mirror;
    const source = make.source({ last_invocation: make.invocation({}) });
    state.sources.set(source.id, source);
    const failed = make.invocation({ status: 'failed' });
    state.invocations.set(source.id, { items: [failed], total: 2, wanted: 1 });
    state.failures.set(source.id, [failed]);
    state.events.set(source.id, { items: [make.event({})], total: 1, wanted: 1 });
    state.webhooks.set('wh_0000001', make.webhook({}));
    state.subscriptions.set('sub_0000001', make.subscription({}));
    state.deliveries.set('wh_0000001', [make.delivery({})]);
    state.accounts.set('apn_0000001', make.account({}));
    state.dataStores.set('ds_1', { id: 'ds_1', name: 'Stock', created_at: 0 });
    return {
      key: dataFolder,
      dataFolder,
      name: dataFolder,
      mirror,
      link: { state: 'stopped', client: undefined },
    };
  }) as unknown as Folder[];
  return { all, first: all[0], onDidChange: none, onDidChangeState: none } as unknown as Folders;
}

interface Tree<N> {
  getChildren(node?: N): N[] | Promise<N[]>;
  getTreeItem(node: N): unknown;
}

async function idsOf<N>(tree: Tree<N>, node?: N): Promise<string[]> {
  const rows = await tree.getChildren(node);
  const ids = await Promise.all(
    rows.map(async (row) => [
      (tree.getTreeItem(row) as TreeItem).id ?? '',
      ...(await idsOf(tree, row)),
    ]),
  );
  return ids.flat();
}

test.each([
  [
    'sources',
    12,
    (folders: Folders) => new SourcesView(folders, nothing, nothing, seen, files, clock),
  ],
  ['events', 2, (folders: Folders) => new EventsView(folders, clock)],
  ['subscriptions', 8, (folders: Folders) => new SubscriptionsView(folders, log, clock)],
  ['accounts', 6, (folders: Folders) => new AccountsView(folders, clock)],
  ['data stores', 4, (folders: Folders) => new DataStoresView(folders, clock)],
] as const)('rows of %s have an id each, which VS Code wants', async (_, count, make) => {
  const view = make(copiedFolders());
  const ids = await idsOf(view as Tree<unknown>);
  expect(ids).toHaveLength(count);
  expect(new Set(ids).size).toBe(count);
  view.dispose();
});

const nothing = { onDidChange: none, followed: new Set<string>(), of: () => undefined } as never;
const files = { isMissing: () => false, onDidChange: { on: none } } as never;
const log = {} as never;
const seen = new SeenRuns({ get: () => undefined, update: () => Promise.resolve() } as never);
