import * as vscode from 'vscode';
import type { Source } from '../../protocol/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { ComponentChecks } from '../component-files/component-checks.ts';
import type { SourceFiles } from '../component-files/source-files.ts';
import type { DevMode } from '../component-files/dev-mode.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { countScheduled, listScheduled } from '../model/scheduled-events.ts';
import { whileVisible } from './ages.ts';
import { emitterDrag } from './drag-and-drop.ts';
import type { EmitterRuns } from '../model/mirror-state.ts';
import type { SeenRuns } from '../runs/seen-runs.ts';
import { failedRunsLine, invocationLine } from './invocation-line.ts';
import { dbLine } from './kept-line.ts';
import { KeptRows } from './kept-rows.ts';
import {
  folderItem,
  itemOf,
  NodeCache,
  rowId,
  type DbNode,
  type FailedRunsNode,
  type FolderNode,
  type InvocationNode,
  type MoreRunsNode,
  type MoreValuesNode,
  type ScheduledEventNode,
  type ScheduledNode,
  type SourceNode,
  type ValueNode,
} from './nodes.ts';
import { moreLine } from './line.ts';
import { scheduledEventLine, scheduledLine } from './scheduled-line.ts';
import { type Following, isFailing, sourceLine } from './source-line.ts';
import { runTooltip, scheduledTooltip, sourceTooltip } from './tooltips.ts';

type SourcesNode =
  | FolderNode
  | SourceNode
  | InvocationNode
  | FailedRunsNode
  | MoreRunsNode
  | ScheduledNode
  | ScheduledEventNode
  | DbNode
  | ValueNode
  | MoreValuesNode;

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

/** The tree of deployed sources with what they keep and their newest runs, below their folders where there are several. */
export class SourcesView implements vscode.TreeDataProvider<SourcesNode>, vscode.Disposable {
  readonly #folders: Folders;
  readonly #dev: Pick<DevMode, 'followed' | 'onDidChange'>;
  readonly #checks: Pick<ComponentChecks, 'of' | 'onDidChange'>;
  readonly #seen: SeenRuns;
  readonly #files: Pick<SourceFiles, 'isMissing' | 'onDidChange'>;
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<SourcesNode | SourcesNode[] | undefined>();
  readonly #sources = new NodeCache<SourceNode>();
  readonly #rows = new KeptRows();
  readonly view: vscode.TreeView<SourcesNode>;
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #disposables: vscode.Disposable[];

  constructor(
    folders: Folders,
    dev: Pick<DevMode, 'followed' | 'onDidChange'>,
    checks: Pick<ComponentChecks, 'of' | 'onDidChange'>,
    seen: SeenRuns,
    files: Pick<SourceFiles, 'isMissing' | 'onDidChange'>,
    clock: Clock,
  ) {
    this.#folders = folders;
    this.#dev = dev;
    this.#checks = checks;
    this.#seen = seen;
    this.#files = files;
    this.#clock = clock;
    this.view = vscode.window.createTreeView<SourcesNode>('weir.sources', {
      treeDataProvider: this,
      canSelectMany: true,
      dragAndDropController: emitterDrag,
    });
    this.#disposables = [
      this.view,
      this.#changed,
      folders.onDidChangeState(() => {
        this.#showState();
        this.#changed.fire(undefined);
      }),
      folders.onDidChange(({ folder, touched }) => {
        if (touched.emitterList || touched.emitters.size > 0) this.#showFailing();
        if (touched.emitterList) this.#changed.fire(undefined);
        else if (touched.emitters.size > 0) this.#refresh(folder, touched.emitters);
      }),
      seen.onDidChange.on(({ folder, sourceId }) => {
        this.#showFailing();
        this.#refresh(folder, new Set([sourceId]));
      }),
      files.onDidChange.on(() => this.#changed.fire(undefined)),
      dev.onDidChange(() => this.#changed.fire(undefined)),
      checks.onDidChange(() => {
        if (dev.followed.size > 0) this.#changed.fire(undefined);
      }),
      // The times in the descriptions move on.
      whileVisible(clock, this.view, () => this.#changed.fire(undefined)),
    ];
  }

  getChildren(node?: SourcesNode): SourcesNode[] | Promise<SourcesNode[]> {
    if (node?.kind === 'source') return this.#below(node);
    if (node?.kind === 'db') return this.#rows.of(node);
    if (node?.kind === 'scheduled') return scheduledRows(node);
    if (node?.kind === 'failedRuns') return failedRows(node);
    if (node?.kind === 'folder') return this.#sourcesOf(node.folder);
    if (node !== undefined) return [];
    const used = this.#folders.all.filter((folder) => folder.mirror.sources().length > 0);
    if (this.#folders.all.length > 1) return used.map((folder) => ({ kind: 'folder', folder }));
    return used.flatMap((folder) => this.#sourcesOf(folder));
  }

  getParent(node: SourcesNode): SourcesNode | undefined {
    if (node.kind === 'invocation')
      return this.#sources.get(node.folder, node.invocation.source_id);
    if (node.kind === 'db' || node.kind === 'scheduled' || node.kind === 'failedRuns') {
      return this.#sources.get(node.folder, node.source.id);
    }
    if (node.kind !== 'source' || this.#folders.all.length < 2) return undefined;
    return { kind: 'folder', folder: node.folder };
  }

  getTreeItem(node: SourcesNode): vscode.TreeItem {
    if (node.kind === 'folder') return folderItem(node);
    const now = this.#clock.now();
    if (node.kind === 'invocation') return runItem(node, now);
    if (node.kind === 'moreRuns') return moreItem(node);
    if (node.kind === 'value' || node.kind === 'moreValues') return this.#rows.itemOf(node, now);
    if (node.kind === 'scheduledEvent') {
      const { emitter_id: emitterId } = node.event.metadata;
      const id = rowId(node.folder, `${emitterId} scheduled ${node.event.id}`);
      return itemOf(scheduledEventLine(node.event, now), id);
    }
    const { source } = node;
    const id = rowId(node.folder, source.id);
    if (node.kind === 'scheduled') {
      return itemOf(scheduledLine(node.scheduled, now), `${id} scheduled`, Collapsed);
    }
    if (node.kind === 'failedRuns') {
      const count = node.folder.mirror.failures(source.id).length;
      const line = failedRunsLine(count, this.#unseen(node.folder, source));
      return itemOf(line, `${id} failed`, Collapsed);
    }
    if (node.kind === 'db') return itemOf(dbLine(node.prop), `${id} ${node.prop}`, Collapsed);
    const hasRows = source.last_invocation !== null || dbsOf(source).length > 0;
    const isStopped = node.folder.link.state === 'stopped';
    const unseen = this.#unseen(node.folder, source);
    const line = sourceLine(source, now, {
      isRuntimeStopped: isStopped,
      following: this.#followingOf(source),
      unseen,
      isMissing: this.#files.isMissing(node.folder, source),
    });
    return itemOf(line, id, hasRows ? Collapsed : None);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: SourcesNode): Promise<vscode.TreeItem> {
    if (node.kind === 'source') {
      const count = node.folder.mirror.eventCount(node.source.id);
      item.tooltip = await sourceTooltip(node.source, count);
    }
    if (node.kind === 'invocation') item.tooltip = runTooltip(node.invocation);
    if (node.kind === 'scheduledEvent') item.tooltip = scheduledTooltip(node.event);
    return item;
  }

  showMore(node: DbNode): void {
    this.#rows.more(node);
    this.#changed.fire(node);
  }

  /** Scrolls a source into view, without taking the focus. */
  async reveal(folder: Folder, id: string): Promise<void> {
    const node = this.#sourcesOf(folder).find((one) => one.source.id === id);
    if (node !== undefined) await this.view.reveal(node, { select: false, focus: false });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  /** Says why the rows may be out of date. An empty view does so in its welcome text. */
  #showState(): void {
    const halted = this.#folders.all.find(
      ({ link, mirror }) =>
        ['failed', 'stopped'].includes(link.state) && mirror.sources().length > 0,
    );
    const failure = halted?.link.state === 'failed' ? halted.link.failure : undefined;
    // An empty message would leave a gap, undefined removes it; the types only know the former.
    const view: { message?: string | undefined } = this.view;
    view.message =
      halted === undefined
        ? undefined
        : (failure ?? 'The runtime is stopped: no source runs until you restart it.');
  }

  #followingOf({ id, path }: Source): Following | undefined {
    if (path === null || !this.#dev.followed.has(id)) return undefined;
    return this.#checks.of(path)?.isBroken === true ? 'broken' : 'in step';
  }

  #showFailing(): void {
    const names = this.#folders.all
      .flatMap((folder) =>
        folder.mirror.sources().filter((one) => isFailing(one, this.#unseen(folder, one))),
      )
      .map(({ name }) => name);
    const tooltip = `Runs failed: ${names.join(', ')}`;
    this.view.badge = names.length === 0 ? undefined : { value: names.length, tooltip };
  }

  #unseen(folder: Folder, source: Source): number {
    return this.#seen.unseen(folder, source).length;
  }

  #sourcesOf(folder: Folder): SourceNode[] {
    const sources = [...folder.mirror.sources()].sort((a, b) => a.name.localeCompare(b.name));
    return sources.map((source) => this.#nodeOf(folder, source));
  }

  async #below(node: SourceNode): Promise<SourcesNode[]> {
    const { folder, source } = node;
    const dbs = dbsOf(source).map((prop): DbNode => ({ kind: 'db', folder, source, prop }));
    const [scheduled, runs] = await Promise.all([scheduledRow(node), this.#runsOf(node)]);
    const { items, total } = runs;
    const failed = folder.mirror.failures(source.id).length;
    return [
      ...dbs,
      ...scheduled,
      ...(failed === 0 ? [] : [{ kind: 'failedRuns' as const, folder, source }]),
      ...items.map((invocation): InvocationNode => ({ kind: 'invocation', folder, invocation })),
      ...(total <= items.length
        ? []
        : [{ kind: 'moreRuns' as const, folder, source, hidden: total - items.length }]),
    ];
  }

  /** Unfolding a row does not start a runtime. */
  async #runsOf({ folder, source }: SourceNode): Promise<EmitterRuns> {
    const known = folder.mirror.state.invocations.get(source.id);
    const { client } = folder.link;
    if (known !== undefined) return known;
    return client === undefined ? noRuns : folder.mirror.runs(client, source.id);
  }

  #nodeOf(folder: Folder, source: Source): SourceNode {
    return this.#sources.put(source.id, { kind: 'source', folder, source });
  }

  #refresh(folder: Folder, ids: ReadonlySet<string>): void {
    const nodes = [...ids].flatMap((id) => {
      const source = folder.mirror.source(id);
      return source === undefined ? [] : [this.#nodeOf(folder, source)];
    });
    this.#changed.fire(nodes);
  }
}

const noRuns: EmitterRuns = { items: [], total: 0, wanted: 0 };

function failedRows({ folder, source }: FailedRunsNode): InvocationNode[] {
  return folder.mirror
    .failures(source.id)
    .map((invocation) => ({ kind: 'invocation', folder, invocation, isBelowFailed: true }));
}

function moreItem(node: MoreRunsNode): vscode.TreeItem {
  const item = itemOf(
    moreLine('moreRuns', String(node.hidden)),
    rowId(node.folder, `${node.source.id} more`),
  );
  item.command = { command: 'weir.showMoreRuns', title: 'Show More', arguments: [node] };
  return item;
}

/** Nothing where nothing waits. Unfolding a row does not start a runtime. */
async function scheduledRow({ folder, source }: SourceNode): Promise<ScheduledNode[]> {
  const { client } = folder.link;
  // A source that never ran has emitted nothing.
  if (client === undefined || source.last_invocation === null) return [];
  const scheduled = await countScheduled(client, source.id);
  return scheduled.total === 0 ? [] : [{ kind: 'scheduled', folder, source, scheduled }];
}

async function scheduledRows({ folder, source }: ScheduledNode): Promise<ScheduledEventNode[]> {
  const { client } = folder.link;
  if (client === undefined) return [];
  const events = await listScheduled(client, source.id);
  return events.map((event) => ({ kind: 'scheduledEvent', folder, event }));
}

/** The props under which a source keeps something. */
function dbsOf({ configurable_props: props }: Source): string[] {
  return props.filter(({ type }) => type === '$.service.db').map(({ name }) => name);
}

function runItem(node: InvocationNode, now: number): vscode.TreeItem {
  const { folder, invocation } = node;
  const line = invocationLine(invocation, now);
  const place = node.isBelowFailed === true ? ' failed' : '';
  const item = itemOf(line, rowId(folder, `${invocation.id}${place}`));
  item.command = { command: 'weir.showInvocation', title: 'Show Run', arguments: [node] };
  return item;
}
