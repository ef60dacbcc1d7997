import * as vscode from 'vscode';
import { setContext } from '../context-keys.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { eventLine } from './event-line.ts';
import { itemOf, type EventNode, type MoreNode } from './nodes.ts';
import { eventTooltip } from './tooltips.ts';
import { whileVisible } from './while-visible.ts';

type EventsNode = EventNode | MoreNode;

/** The events of one source or of all, newest first. */
export class EventsView implements vscode.TreeDataProvider<EventsNode>, vscode.Disposable {
  readonly #folders: Folders;
  readonly #changed = new vscode.EventEmitter<EventsNode | undefined>();
  readonly #disposables: vscode.Disposable[];
  #only: { folder: Folder; sourceId: string } | undefined;
  readonly view: vscode.TreeView<EventsNode>;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(folders: Folders) {
    this.#folders = folders;
    this.view = vscode.window.createTreeView('weir.events', {
      treeDataProvider: this,
      canSelectMany: true,
    });
    this.#disposables = [
      this.view,
      this.#changed,
      folders.onDidChangeState(() => this.#changed.fire(undefined)),
      folders.onDidChange(({ touched }) => {
        if (touched.sourceList) this.#describe();
        if (touched.events || touched.sourceList) this.#changed.fire(undefined);
      }),
      whileVisible(this.view, () => this.#changed.fire(undefined)),
    ];
  }

  /** Shows the events of one source; of all without one. */
  show(folder?: Folder, sourceId?: string): void {
    this.#only = folder === undefined || sourceId === undefined ? undefined : { folder, sourceId };
    this.#describe();
    this.#changed.fire(undefined);
  }

  async showMore(): Promise<void> {
    for (const folder of this.#shown()) {
      const client = await folder.link.ready();
      await folder.mirror.loadMoreEvents(client, this.#only?.sourceId);
    }
  }

  getChildren(node?: EventsNode): EventsNode[] {
    if (node !== undefined) return [];
    const nodes: EventNode[] = this.#shown().flatMap((folder) =>
      folder.mirror
        .events(this.#only?.sourceId)
        .map((event) => ({ kind: 'event' as const, folder, event })),
    );
    if (this.#shown().length > 1) {
      nodes.sort((a, b) => b.event.indexed_at_ms - a.event.indexed_at_ms);
    }
    const more = this.#shown().some((one) => one.mirror.hasMoreEvents(this.#only?.sourceId));
    return more ? [...nodes, { kind: 'more' }] : nodes;
  }

  getTreeItem(node: EventsNode): vscode.TreeItem {
    if (node.kind === 'more') {
      const item = new vscode.TreeItem('Show more…');
      item.id = 'more';
      item.command = { command: 'weir.showMoreEvents', title: 'Show More Events' };
      return item;
    }
    const { event, folder } = node;
    const source =
      this.#only === undefined && folder.mirror.sources().length > 1
        ? folder.mirror.source(event.metadata.emitter_id)?.name
        : undefined;
    const item = itemOf(
      eventLine(event, Date.now(), source),
      `${event.metadata.emitter_id}/${event.id}`,
    );
    item.command = { command: 'weir.openEvent', title: 'Open Event', arguments: [node] };
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: EventsNode): Promise<vscode.TreeItem> {
    if (node.kind === 'event') {
      const client = await node.folder.link.ready();
      const whole = await client.call('events.get', {
        id: node.event.metadata.emitter_id,
        event_id: node.event.id,
      });
      item.tooltip = eventTooltip(whole);
    }
    return item;
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #shown(): readonly Folder[] {
    return this.#only === undefined ? this.#folders.all : [this.#only.folder];
  }

  #describe(): void {
    const source =
      this.#only === undefined ? undefined : this.#only.folder.mirror.source(this.#only.sourceId);
    if (source === undefined) this.#only = undefined;
    this.view.description = source?.name ?? '';
    setContext('weir.eventsFiltered', source !== undefined);
  }
}
