import * as vscode from 'vscode';
import type { EmittedEvent } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import type { Clock } from '../clock.ts';
import { setContext } from '../context-keys.ts';
import { coalesce } from '../timing.ts';
import { ages, whileVisible } from './ages.ts';
import { eventLine } from './event-line.ts';
import { isNode, itemOf, rowId, type EventNode, type MoreNode, type Node } from './nodes.ts';
import { ShownEvents } from './shown-events.ts';
import { eventTooltip } from './tooltips.ts';

type EventsNode = EventNode | MoreNode;

/** VS Code processes all rows whenever one is added, so a long list is repainted less often. */
const msPerRow = 0.2;
const shortestMs = 100;
/** If the user selects a row below these, they have scrolled and are reading. */
const firstRows = 10;

/** The events of one emitter or of all, newest first. */
export class EventsView implements vscode.TreeDataProvider<EventsNode>, vscode.Disposable {
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<EventsNode | EventsNode[] | undefined>();
  readonly #disposables: vscode.Disposable[];
  readonly #shown: ShownEvents;
  readonly #more: MoreNode = { kind: 'more' };
  readonly #ages: ReturnType<typeof ages<EventNode>>;
  /** As they were last given to VS Code. */
  #rows: EventNode[] = [];
  #hadMore = false;
  readonly view: vscode.TreeView<EventsNode>;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(folders: Folders, clock: Clock) {
    this.#clock = clock;
    this.#shown = new ShownEvents(folders);
    this.#ages = ages(
      clock,
      ({ event }) => event.indexed_at_ms,
      (rows) => this.#changed.fire(rows),
    );
    this.view = vscode.window.createTreeView('weir.events', {
      treeDataProvider: this,
      canSelectMany: true,
    });
    const repaint = coalesce(
      clock,
      () => Math.max(shortestMs, this.#rows.length * msPerRow),
      () => void this.#repaint(),
    );
    this.#disposables = [
      this.view,
      this.#changed,
      repaint,
      folders.onDidChangeState(() => this.#changed.fire(undefined)),
      folders.onDidChange(({ folder, touched }) => {
        if (touched.emitterList) this.#describe();
        if (touched.emitterList || this.#shown.concerns(folder, touched.events)) repaint.request();
      }),
      this.view.onDidChangeSelection(({ selection }) => {
        if (
          selection.some((node) => node.kind === 'event' && this.#rows.indexOf(node) >= firstRows)
        ) {
          this.#shown.hold();
        }
      }),
      this.#ages,
      whileVisible(clock, this.view, () => this.#ages.refresh(this.#rows)),
    ];
  }

  get searchText(): string {
    return this.#shown.text ?? '';
  }

  /** From now on shows the events of whatever is selected in the tree of emitters. */
  followSelection(view: vscode.TreeView<Node>): vscode.Disposable {
    return view.onDidChangeSelection(({ selection: [node] }) => {
      if (isNode(node, 'source')) void this.show(node.folder, node.source.id);
    });
  }

  /** Shows the events of one emitter; without one, those of all. */
  async show(folder?: Folder, emitterId?: string): Promise<void> {
    this.#shown.limitTo(folder, emitterId);
    await this.#shown.searchAgain().catch(() => undefined);
    this.#describe();
    // Also when the rows are the same: they name their emitter now, or no longer.
    this.#changed.fire(undefined);
  }

  /** Shows only events with these words. */
  async search(text: string): Promise<void> {
    await this.#shown.search(text);
    this.#describe();
    this.#changed.fire(undefined);
  }

  /** Leaves out the events that dedupe dropped, or shows them again. */
  async hideDropped(hide: boolean): Promise<void> {
    this.#shown.hidesDropped = hide;
    setContext('weir.droppedHidden', hide);
    await this.#repaint();
  }

  async showMore(): Promise<void> {
    this.#shown.hold();
    await this.#shown.loadMore();
  }

  /** Shows the events that were held back, and goes to the newest. */
  async showNewest(): Promise<void> {
    this.#shown.release();
    await this.#repaint();
    const [newest] = this.#shown.rows();
    if (newest !== undefined) await this.view.reveal(newest, { select: false, focus: true });
  }

  /** Selects an event that is inspected, where its row is shown. The focus stays where it is. */
  async select(folder: Folder, event: EmittedEvent): Promise<void> {
    const { emitter_id: emitterId } = event.metadata;
    const row = this.#rows.find(
      (one) =>
        one.folder === folder &&
        one.event.id === event.id &&
        one.event.metadata.emitter_id === emitterId,
    );
    if (row === undefined || !this.view.visible || this.view.selection.includes(row)) return;
    await this.view.reveal(row, { select: true, focus: false });
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
    const emitter = this.#shown.namesEmitters
      ? folder.mirror.emitter(event.metadata.emitter_id)?.name
      : undefined;
    this.#ages.painted(node);
    const line = eventLine(event, this.#clock.now(), emitter);
    const item = itemOf(line, rowId(folder, `${event.metadata.emitter_id}/${event.id}`));
    item.command = { command: 'weir.inspectEvent', title: 'Inspect Event', arguments: [node] };
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
    // Without a runtime there is no answer; the rows stay until it is back.
    await this.#shown.searchAgain().catch(() => undefined);
    this.#describe();
    // New events that are held back change no row: thousands need not be handed over again for them.
    const rows = this.#shown.rows();
    const isSame =
      rows.length === this.#rows.length && rows.every((row, at) => row === this.#rows[at]);
    if (!isSame || this.#shown.hasMore !== this.#hadMore) this.#changed.fire(undefined);
  }

  #describe(): void {
    const emitter = this.#shown.emitterName;
    const { text, waiting } = this.#shown;
    const filter = [emitter, text === undefined ? undefined : `“${text}”`];
    const parts = [...filter, waiting === 0 ? undefined : `${waiting} new`];
    this.view.description = parts.filter((part) => part !== undefined).join(' · ');
    setContext('weir.eventsFiltered', emitter !== undefined || text !== undefined);
    setContext('weir.eventsWaiting', waiting > 0);
  }
}
