import * as vscode from 'vscode';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { folderItem, itemOf, type FolderNode, type SourceNode } from './nodes.ts';
import { sourceLine } from './source-line.ts';
import { sourceTooltip } from './tooltips.ts';
import { whileVisible } from './while-visible.ts';

type SourcesNode = FolderNode | SourceNode;

/** The tree of deployed sources, below their folders where a window has several. */
export class SourcesView implements vscode.TreeDataProvider<SourcesNode>, vscode.Disposable {
  readonly #folders: Folders;
  readonly #changed = new vscode.EventEmitter<SourcesNode | undefined>();
  /** The nodes that are shown, by source id: VS Code knows an element by its identity. */
  readonly #nodes = new Map<string, SourceNode>();
  readonly view: vscode.TreeView<SourcesNode>;
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #disposables: vscode.Disposable[];

  constructor(folders: Folders) {
    this.#folders = folders;
    this.view = vscode.window.createTreeView('weir.sources', { treeDataProvider: this });
    this.#disposables = [
      this.view,
      this.#changed,
      folders.onDidChangeState(() => {
        this.#sayState();
        this.#changed.fire(undefined);
      }),
      folders.onDidChange(({ touched }) => {
        if (touched.sourceList) this.#changed.fire(undefined);
        else for (const id of touched.sources) this.#refresh(id);
      }),
      // The times in the descriptions move on.
      whileVisible(this.view, () => this.#changed.fire(undefined)),
    ];
  }

  getChildren(node?: SourcesNode): SourcesNode[] {
    if (node?.kind === 'source') return [];
    if (node?.kind === 'folder') return this.#sourcesOf(node.folder);
    const used = this.#folders.all.filter((folder) => folder.mirror.sources().length > 0);
    if (this.#folders.all.length > 1) return used.map((folder) => ({ kind: 'folder', folder }));
    return used.flatMap((folder) => this.#sourcesOf(folder));
  }

  getParent(node: SourcesNode): SourcesNode | undefined {
    if (node.kind === 'folder' || this.#folders.all.length < 2) return undefined;
    return { kind: 'folder', folder: node.folder };
  }

  getTreeItem(node: SourcesNode): vscode.TreeItem {
    if (node.kind === 'folder') return folderItem(node);
    return itemOf(sourceLine(node.source, Date.now()), node.source.id);
  }

  resolveTreeItem(item: vscode.TreeItem, node: SourcesNode): vscode.TreeItem {
    if (node.kind === 'source') {
      const count = node.folder.mirror.eventCount(node.source.id);
      item.tooltip = sourceTooltip(node.source, count);
    }
    return item;
  }

  /** Scrolls a source into view, without taking the focus. */
  async reveal(folder: Folder, id: string): Promise<void> {
    const node = this.#sourcesOf(folder).find((one) => one.source.id === id);
    if (node !== undefined) await this.view.reveal(node, { select: false, focus: false });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  /** What is shown may be old: say why. An empty view says it in its welcome text. */
  #sayState(): void {
    const waiting = this.#folders.all.find(
      ({ link, mirror }) =>
        ['failed', 'stopped'].includes(link.state) && mirror.sources().length > 0,
    );
    const failure = waiting?.link.state === 'failed' ? waiting.link.failure : undefined;
    // An empty message would leave a gap; undefined takes it away, and the types forbid that.
    const view: { message?: string | undefined } = this.view;
    view.message =
      waiting === undefined ? undefined : (failure ?? 'The runtime is stopped, so sources wait.');
  }

  #sourcesOf(folder: Folder): SourceNode[] {
    const sources = [...folder.mirror.sources()].sort((a, b) => a.name.localeCompare(b.name));
    return sources.map((source) => {
      const known = this.#nodes.get(source.id);
      const node = known ?? { kind: 'source' as const, folder, source };
      Object.assign(node, { source });
      this.#nodes.set(source.id, node);
      return node;
    });
  }

  #refresh(id: string): void {
    const node = this.#nodes.get(id);
    const source = node?.folder.mirror.source(id);
    if (node === undefined || source === undefined) return;
    Object.assign(node, { source });
    this.#changed.fire(node);
  }
}
