import * as vscode from 'vscode';
import type { DataStore } from '../../protocol/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { whileVisible } from './ages.ts';
import { dataStoreLine } from './kept-line.ts';
import { KeptRows } from './kept-rows.ts';
import {
  folderItem,
  itemOf,
  NodeCache,
  rowId,
  type DataStoreNode,
  type FolderNode,
  type MoreValuesNode,
  type ValueNode,
} from './nodes.ts';

type DataStoresNode = FolderNode | DataStoreNode | ValueNode | MoreValuesNode;

/** The data stores, and below each its keys. */
export class DataStoresView implements vscode.TreeDataProvider<DataStoresNode>, vscode.Disposable {
  readonly #folders: Folders;
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<DataStoresNode | DataStoresNode[] | undefined>();
  readonly #stores = new NodeCache<DataStoreNode>();
  readonly #rows = new KeptRows();
  readonly #disposables: vscode.Disposable;
  readonly view: vscode.TreeView<DataStoresNode>;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(folders: Folders, clock: Clock) {
    this.#folders = folders;
    this.#clock = clock;
    this.view = vscode.window.createTreeView<DataStoresNode>('weir.dataStores', {
      treeDataProvider: this,
      canSelectMany: true,
    });
    this.#disposables = vscode.Disposable.from(
      this.view,
      this.#changed,
      folders.onDidChangeState(() => this.#changed.fire(undefined)),
      folders.onDidChange(({ folder, touched }) => {
        if (touched.dataStoreList) this.#changed.fire(undefined);
        else if (touched.dataStores.size > 0) this.#refresh(folder, touched.dataStores);
      }),
      // Values expire.
      whileVisible(clock, this.view, () => this.#changed.fire(undefined)),
    );
  }

  getChildren(node?: DataStoresNode): DataStoresNode[] | Promise<DataStoresNode[]> {
    if (node === undefined) {
      const { all, first } = this.#folders;
      if (all.length === 1) return this.#storesOf(first);
      const used = all.filter(({ mirror }) => mirror.state.dataStores.size > 0);
      return used.map((folder) => ({ kind: 'folder', folder }));
    }
    if (node.kind === 'folder') return this.#storesOf(node.folder);
    return node.kind === 'dataStore' ? this.#rows.of(node) : [];
  }

  getTreeItem(node: DataStoresNode): vscode.TreeItem {
    if (node.kind === 'folder') return folderItem(node);
    if (node.kind !== 'dataStore') return this.#rows.itemOf(node, this.#clock.now());
    const { Collapsed } = vscode.TreeItemCollapsibleState;
    return itemOf(dataStoreLine(node.store), rowId(node.folder, node.store.id), Collapsed);
  }

  showMore(node: DataStoreNode): void {
    this.#rows.more(node);
    this.#changed.fire(node);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #storesOf(folder: Folder): DataStoreNode[] {
    return [...folder.mirror.state.dataStores.values()]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map((store) => this.#nodeOf(folder, store));
  }

  #nodeOf(folder: Folder, store: DataStore): DataStoreNode {
    return this.#stores.put(store.id, { kind: 'dataStore', folder, store });
  }

  #refresh(folder: Folder, ids: ReadonlySet<string>): void {
    const nodes = [...ids].flatMap((id) => {
      const store = folder.mirror.state.dataStores.get(id);
      return store === undefined ? [] : [this.#nodeOf(folder, store)];
    });
    if (nodes.length > 0) this.#changed.fire(nodes);
  }
}
