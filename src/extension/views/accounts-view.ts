import * as vscode from 'vscode';
import { accountHealth } from '../../protocol/account-health.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { accountLine, accountUserLine, appLine } from './kept-line.ts';
import {
  folderItem,
  itemOf,
  rowId,
  type AccountNode,
  type AccountUserNode,
  type AppNode,
  type FolderNode,
} from './nodes.ts';

type AccountsNode = FolderNode | AppNode | AccountNode | AccountUserNode;

/** The connected accounts below their apps; never what is in them. */
export class AccountsView implements vscode.TreeDataProvider<AccountsNode>, vscode.Disposable {
  readonly #folders: Folders;
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #disposables: vscode.Disposable;
  readonly view: vscode.TreeView<AccountsNode>;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(folders: Folders, clock: Clock) {
    this.#folders = folders;
    this.#clock = clock;
    this.view = vscode.window.createTreeView<AccountsNode>('weir.accounts', {
      treeDataProvider: this,
      canSelectMany: true,
    });
    this.#disposables = vscode.Disposable.from(
      this.view,
      this.#changed,
      folders.onDidChangeState(() => this.#changed.fire(undefined)),
      folders.onDidChange(({ touched }) => {
        if (touched.accountList || touched.emitterList || touched.workflowList)
          this.#changed.fire(undefined);
      }),
    );
  }

  getChildren(node?: AccountsNode): AccountsNode[] | Promise<AccountsNode[]> {
    if (node === undefined) {
      const { all, first } = this.#folders;
      if (all.length === 1) return appsOf(first);
      const used = all.filter(({ mirror }) => mirror.state.accounts.size > 0);
      return used.map((folder) => ({ kind: 'folder', folder }));
    }
    if (node.kind === 'folder') return appsOf(node.folder);
    if (node.kind === 'account') return usersOf(node);
    return node.kind === 'app' ? accountsOf(node) : [];
  }

  getTreeItem(node: AccountsNode): vscode.TreeItem {
    if (node.kind === 'folder') return folderItem(node);
    const { folder } = node;
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    if (node.kind === 'account') {
      const now = this.#clock.now();
      const line = accountLine(node.account, now);
      const item = itemOf(line, rowId(folder, node.account.id), Collapsed);
      item.tooltip = accountHealth(node.account, now)?.why ?? undefined;
      return item;
    }
    if (node.kind === 'accountUser') {
      return itemOf(
        accountUserLine(node.user),
        rowId(folder, `${node.account.id} ${node.user.id}`),
      );
    }
    const line = appLine(node.app, accountsOf(node).length);
    return itemOf(line, rowId(folder, node.app.id), Expanded);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

async function usersOf({ folder, account }: AccountNode): Promise<AccountUserNode[]> {
  const { client } = folder.link;
  if (client === undefined) return [];
  const { used_by: users = [] } = await client.call('accounts.get', {
    id: account.id,
    include_used_by: true,
  });
  return users.map((user) => ({ kind: 'accountUser', folder, account, user }));
}

function appsOf(folder: Folder): AppNode[] {
  const apps = new Map(
    [...folder.mirror.state.accounts.values()].map(({ app }) => [app.id, app] as const),
  );
  return [...apps.values()]
    .sort((a, b) => a.name.localeCompare(b.name))
    .map((app) => ({ kind: 'app', folder, app }));
}

function accountsOf({ folder, app }: AppNode): AccountNode[] {
  return [...folder.mirror.state.accounts.values()]
    .filter((account) => account.app.id === app.id)
    .sort((a, b) => a.name.localeCompare(b.name))
    .map((account) => ({ kind: 'account', folder, account }));
}
