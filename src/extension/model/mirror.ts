import type {
  EmittedEvent,
  Execution,
  Invocation,
  Source,
  Workflow,
} from '../../protocol/catalogue.ts';
import type { Change } from '../../protocol/rpc.ts';
import type { Clock } from '../clock.ts';
import { Signal } from '../signal.ts';
import { coalesce, type Coalesced } from '../timing.ts';
import { endsTheMerge, mergeEvents, type KnownEvents } from './event-order.ts';
import {
  applyChange,
  emptyState,
  firstExecutions,
  firstRuns,
  nothingTouched,
  type Emitter,
  type EmitterRuns,
  type MirrorState,
  type Touched,
} from './mirror-state.ts';
import { loadEvents, loadExecutions, loadRuns, loadState, readEvents } from './queries.ts';
import type { RuntimeClient } from './runtime-client.ts';
import { SlowRuns } from './slow-runs.ts';

/** How often the trees are repainted at most, in ms. */
const repaintMs = 100;
/** Events that "Show more" adds. */
const moreEvents = 500;

/**
 * A copy of what one runtime has, kept up to date by its feed of changes. It survives the runtime:
 * while that is started again, the trees go on showing what was last known.
 */
export class Mirror {
  /** Coalesced; listeners read again what they show. */
  readonly onDidChange = new Signal<Touched>();
  /** Every batch as it came. */
  readonly onChanges = new Signal<readonly Change[]>();
  #state: MirrorState = emptyState();
  #client: RuntimeClient | undefined;
  /** Counts whom it has followed. */
  #following = 0;
  #touched = nothingTouched();
  readonly #slowRuns: SlowRuns;
  readonly #repaint: Coalesced;

  constructor(clock: Clock) {
    this.#repaint = coalesce(clock, repaintMs, () => {
      const touched = this.#touched;
      this.#touched = nothingTouched();
      this.onDidChange.fire(touched);
    });
    this.#slowRuns = new SlowRuns(clock, (invocation) => {
      applyChange(this.#state, { type: 'invocation', invocation }, this.#touched);
      this.#repaint.request();
    });
  }

  get state(): MirrorState {
    return this.#state;
  }

  /** Makes all views read everything again. */
  repaint(): void {
    this.#replace(this.#state);
    this.#repaint.request();
  }

  /** Loads everything from a new connection, and follows its changes from then on. */
  async follow(client: RuntimeClient): Promise<void> {
    const following = ++this.#following;
    // Changes that come in while the lists are being read are applied after them.
    let waiting: Change[] | undefined = [];
    client.onChanges((batch) => {
      if (following !== this.#following) return;
      if (waiting === undefined) this.#apply(batch);
      // Pushed one by one: a batch may be larger than the stack.
      else for (const change of batch) waiting.push(change);
    });
    const loaded = await loadState(client);
    for (const [id, { wanted }] of this.#state.invocations) {
      if (!loaded.events.has(id)) continue;
      loaded.invocations.set(id, await loadRuns(client, id, wanted));
    }
    if (following !== this.#following) return;
    this.#client = client;
    this.#replace(loaded);
    const missed = waiting;
    waiting = undefined;
    this.#apply(missed);
    this.#repaint.request();
  }

  #replace(loaded: MirrorState): void {
    const executionIds = [this.#state, loaded].flatMap(({ executions }) =>
      [...executions.values()].flatMap(({ items }) => items.map(({ id }) => id)),
    );
    const all = [...this.#state.events.keys(), ...loaded.events.keys()];
    this.#state = loaded;
    this.#touched = {
      ...nothingTouched(),
      emitterList: true,
      events: new Set(all),
      listenerList: true,
      accountList: true,
      dataStoreList: true,
      // Whatever was written while nobody followed.
      dataStores: new Set(loaded.dataStores.keys()),
      emitters: new Set(loaded.sources.keys()),
      workflowList: true,
      workflows: new Set(loaded.workflows.keys()),
      // Executions that were shown may have continued while nobody followed them.
      executions: new Set(executionIds),
      agents: true,
      actionRuns: true,
    };
  }

  sources(): readonly Source[] {
    return [...this.#state.sources.values()];
  }

  source(id: string): Source | undefined {
    return this.#state.sources.get(id);
  }

  /** Everything that emits events. */
  emitters(): readonly Emitter[] {
    return [...this.sources(), ...this.workflows()];
  }

  /** Undefined once it was deleted. */
  emitter(id: string): Emitter | undefined {
    return this.source(id) ?? this.workflow(id);
  }

  workflows(): readonly Workflow[] {
    return [...this.#state.workflows.values()];
  }

  workflow(id: string): Workflow | undefined {
    return this.#state.workflows.get(id);
  }

  /** The loaded executions, newest first. */
  executions(workflowId: string): readonly Execution[] {
    return this.#state.executions.get(workflowId)?.items ?? [];
  }

  /** How many executions of a workflow the runtime keeps. */
  executionCount(workflowId: string): number {
    return this.#state.executions.get(workflowId)?.total ?? 0;
  }

  /** Reads older executions of a workflow. */
  async loadMoreExecutions(client: RuntimeClient, workflowId: string): Promise<void> {
    const wanted = this.executions(workflowId).length + firstExecutions;
    const loaded = await loadExecutions(client, workflowId, wanted);
    if (!this.#state.workflows.has(workflowId)) return;
    this.#state.executions.set(workflowId, loaded);
    this.#touched.workflows.add(workflowId);
    this.#repaint.request();
  }

  /** How many events of an emitter the runtime keeps. */
  eventCount(emitterId: string): number {
    return this.#state.events.get(emitterId)?.total ?? 0;
  }

  /** Newest first, of one emitter or of all. */
  events(emitterId?: string): readonly EmittedEvent[] {
    if (emitterId !== undefined) return this.#state.events.get(emitterId)?.items ?? [];
    return mergeEvents([...this.#known().values()]);
  }

  /** Whether the runtime keeps more events than are here. */
  hasMoreEvents(emitterId?: string): boolean {
    return [...this.#known(emitterId).values()].some(({ hasMore }) => hasMore);
  }

  /** Reads older events, of one emitter or of the emitters that hold up the merged list. */
  async loadMoreEvents(client: RuntimeClient, emitterId?: string): Promise<void> {
    const lists = this.#known(emitterId);
    const ending = [...lists].filter(([, list]) => endsTheMerge(list, [...lists.values()]));
    for (const [id] of ending) {
      const known = this.#state.events.get(id);
      if (known === undefined) continue;
      const read = await readEvents(client, id, moreEvents, known.items.at(-1)?.id);
      const here = new Set(known.items.map((item) => item.id));
      for (const item of read.items) if (!here.has(item.id)) known.items.push(item);
      known.wanted = known.items.length;
      known.total = read.items.length < moreEvents ? known.items.length : read.total;
      this.#touched.events.add(id);
    }
    this.#repaint.request();
  }

  /** The newest runs of an emitter, kept up to date from the first time they are asked for. */
  async runs(client: RuntimeClient, emitterId: string): Promise<EmitterRuns> {
    const known = this.#state.invocations.get(emitterId);
    if (known !== undefined) return known;
    const runs = await loadRuns(client, emitterId, firstRuns);
    this.#state.invocations.set(emitterId, runs);
    return runs;
  }

  /** Reads older runs of an emitter. */
  async loadMoreRuns(client: RuntimeClient, emitterId: string): Promise<void> {
    const shown = this.#state.invocations.get(emitterId)?.items.length ?? 0;
    const loaded = await loadRuns(client, emitterId, shown + firstRuns);
    if (!this.#state.sources.has(emitterId)) return;
    this.#state.invocations.set(emitterId, loaded);
    this.#touched.emitters.add(emitterId);
    this.#repaint.request();
  }

  /** The failed runs of a source, newest first, however many went well since. */
  failures(sourceId: string): readonly Invocation[] {
    return this.#state.failures.get(sourceId) ?? [];
  }

  dispose(): void {
    this.#slowRuns.dispose();
    this.#repaint.dispose();
  }

  #apply(batch: readonly Change[]): void {
    if (batch.length === 0) return;
    const shown = batch.filter(
      (change) => change.type !== 'invocation' || this.#slowRuns.take(change.invocation),
    );
    for (const change of shown) applyChange(this.#state, change, this.#touched);
    for (const id of this.#touched.stale) void this.#reload(id);
    this.#touched.stale.clear();
    this.onChanges.fire(batch);
    // A repaint for a run that has only begun would delay the one for its event by an interval.
    if (shown.length > 0) this.#repaint.request();
  }

  async #reload(id: string): Promise<void> {
    const state = this.#state;
    const wanted = state.events.get(id)?.wanted;
    if (this.#client === undefined || wanted === undefined) return;
    // When the connection breaks, the next one loads everything anyway.
    const loaded = await loadEvents(this.#client, id, wanted).catch(() => undefined);
    if (loaded === undefined || !state.events.has(id)) return;
    state.events.set(id, loaded);
    this.#touched.events.add(id);
    this.#touched.emitters.add(id);
    this.#repaint.request();
  }

  #known(emitterId?: string): Map<string, KnownEvents> {
    const lists = [...this.#state.events].filter(
      ([id]) => emitterId === undefined || id === emitterId,
    );
    return new Map(
      lists.map(([id, { items, total }]) => [id, { items, hasMore: items.length < total }]),
    );
  }
}
