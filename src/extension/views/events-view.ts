import * as vscode from 'vscode';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { setContext } from '../context-keys.ts';
import { coalesce } from '../model/coalesce.ts';
import { aging } from './aging.ts';
import { eventLine } from './event-line.ts';
import { itemOf, type EventNode, type MoreNode } from './nodes.ts';
import { ShownEvents } from './shown-events.ts';
import { eventTooltip } from './tooltips.ts';
import { whileVisible } from './while-visible.ts';

type EventsNode = EventNode | MoreNode;

/** VS Code takes in all rows whenever one is added, so a long list is repainted less often. */
const msPerRow = 0.2;
const shortestMs = 100;
/** Who has chosen a row below these has scrolled, and reads. */
const firstRows = 10;

/** The events of one source or of all, newest first. */
export class EventsView implements vscode.TreeDataProvider<EventsNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<EventsNode | EventsNode[] | undefined>();
  readonly #disposables: vscode.Disposable[];
  readonly #shown: ShownEvents;
  readonly #more: MoreNode = { kind: 'more' };
  readonly #ages = aging<EventNode>(
    ({ event }) => event.indexed_at_ms,
    (rows) => this.#changed.fire(rows),
  );
  /** As they were given to VS Code. */
  #rows: EventNode[] = [];
  #hadMore = false;
  readonly view: vscode.TreeView<EventsNode>;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(folders: Folders) {
    this.#shown = new ShownEvents(folders);
    this.view = vscode.window.createTreeView('weir.events', {
      treeDataProvider: this,
      canSelectMany: true,
    });
    const repaint = coalesce(
      () => void this.#repaint(),
      () => Math.max(shortestMs, this.#rows.length * msPerRow),
    );
    this.#disposables = [
      this.view,
      this.#changed,
      repaint,
      folders.onDidChangeState(() => this.#changed.fire(undefined)),
      folders.onDidChange(({ folder, touched }) => {
        if (touched.sourceList) this.#describe();
        if (touched.sourceList || this.#shown.concerns(folder, touched.events)) repaint.request();
      }),
      this.view.onDidChangeSelection(({ selection }) => {
        if (
          selection.some((node) => node.kind === 'event' && this.#rows.indexOf(node) >= firstRows)
        ) {
          this.#shown.hold();
        }
      }),
      this.#ages,
      whileVisible(this.view, () => this.#ages.refresh(this.#rows)),
    ];
  }

  get searchText(): string {
    return this.#shown.text ?? '';
  }

  /** Shows the events of one source; of all without one. */
  async show(folder?: Folder, sourceId?: string): Promise<void> {
    this.#shown.limitTo(folder, sourceId);
    this.#describe();
    await this.#repaint();
  }

  /** Shows only events with these words. */
  async search(text: string): Promise<void> {
    await this.#shown.search(text);
    this.#describe();
    this.#changed.fire(undefined);
  }

  async showMore(): Promise<void> {
    this.#shown.hold();
    await this.#shown.loadMore();
  }

  /** Takes in the events that were kept back while older ones were read. */
  async showNewest(): Promise<void> {
    this.#shown.release();
    await this.#repaint();
    const [newest] = this.#shown.rows();
    if (newest !== undefined) await this.view.reveal(newest, { select: false, focus: true });
  }

  getChildren(node?: EventsNode): EventsNode[] {
    if (node !== undefined) return [];
    this.#rows = this.#shown.rows();
    this.#hadMore = this.#shown.hasMore;
    return this.#hadMore ? [...this.#rows, this.#more] : this.#rows;
  }

  getParent(): undefined {
    return undefined;
  }

  getTreeItem(node: EventsNode): vscode.TreeItem {
    if (node.kind === 'more') {
      const item = new vscode.TreeItem('Show more…');
      item.id = 'more';
      item.command = { command: 'weir.showMoreEvents', title: 'Show More Events' };
      return item;
    }
    const { event, folder } = node;
    const source = this.#shown.namesSources(folder)
      ? folder.mirror.source(event.metadata.emitter_id)?.name
      : undefined;
    const now = Date.now();
    this.#ages.painted(node, now);
    const item = itemOf(eventLine(event, now, source), `${event.metadata.emitter_id}/${event.id}`);
    item.command = { command: 'weir.openEvent', title: 'Open Event', arguments: [node] };
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: EventsNode): Promise<vscode.TreeItem> {
    const client = node.kind === 'event' ? node.folder.link.client : undefined;
    if (node.kind === 'event' && client !== undefined) {
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

  async #repaint(): Promise<void> {
    // A runtime that is gone finds nothing; the rows stay until it is back.
    await this.#shown.searchAgain().catch(() => undefined);
    this.#describe();
    // Rows that are kept back change nothing: thousands are not handed over again for that.
    const rows = this.#shown.rows();
    const isSame =
      rows.length === this.#rows.length && rows.every((row, at) => row === this.#rows[at]);
    if (!isSame || this.#shown.hasMore !== this.#hadMore) this.#changed.fire(undefined);
  }

  #describe(): void {
    const source = this.#shown.sourceName;
    const { text, waiting } = this.#shown;
    const filter = [source, text === undefined ? undefined : `“${text}”`];
    const parts = [...filter, waiting === 0 ? undefined : `${waiting} new`];
    this.view.description = parts.filter((part) => part !== undefined).join(' · ');
    setContext('weir.eventsFiltered', source !== undefined || text !== undefined);
    setContext('weir.eventsWaiting', waiting > 0);
  }
}
