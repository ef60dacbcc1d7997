import type { EmittedEvent, Invocation, Source } from '../../protocol/catalogue.ts';
import type { Change } from '../../protocol/rpc.ts';
import { Signal } from '../signal.ts';
import { coalesce } from './coalesce.ts';
import { endsTheMerge, mergeEvents, type KnownEvents } from './event-order.ts';
import { loadEvents, loadRuns, loadState, readEvents } from './load-state.ts';
import {
  applyChange,
  emptyState,
  nothingTouched,
  type MirrorState,
  type Touched,
} from './mirror-state.ts';
import type { RuntimeClient } from './runtime-client.ts';
import { SlowRuns } from './slow-runs.ts';

/** How often the trees are painted at most, in ms. */
const repaintMs = 100;
/** Events that "Show more" adds. */
export const moreEvents = 500;

/**
 * A copy of what one runtime has, kept up to date by its feed of changes. It survives the runtime:
 * while one is started again, the trees go on showing what was last known.
 */
export class Mirror {
  /** Coalesced; a listener reads what it shows anew. */
  readonly onDidChange = new Signal<Touched>();
  /** Every batch as it came, for who follows single lines. */
  readonly onChanges = new Signal<readonly Change[]>();
  #state: MirrorState = emptyState();
  #client: RuntimeClient | undefined;
  #touched = nothingTouched();
  readonly #slow = new SlowRuns((invocation) => {
    applyChange(this.#state, { type: 'invocation', invocation }, this.#touched);
    this.#paint.request();
  });
  readonly #paint = coalesce(() => {
    const touched = this.#touched;
    this.#touched = nothingTouched();
    this.onDidChange.fire(touched);
  }, repaintMs);

  get state(): MirrorState {
    return this.#state;
  }

  /** Loads everything from a new connection, and follows it from then on. */
  async follow(client: RuntimeClient): Promise<void> {
    // What changes while the lists are on their way is taken in after them.
    let waiting: Change[] | undefined = [];
    client.onChanges((batch) => {
      if (waiting === undefined) this.#apply(batch);
      else waiting.push(...batch);
    });
    const loaded = await loadState(client);
    const asked = [...this.#state.invocations.keys()].filter((id) => loaded.sources.has(id));
    for (const id of asked) loaded.invocations.set(id, await loadRuns(client, id));
    const all = [...this.#state.events.keys(), ...loaded.events.keys()];
    this.#client = client;
    this.#state = loaded;
    const missed = waiting;
    waiting = undefined;
    this.#touched = {
      ...nothingTouched(),
      sourceList: true,
      events: new Set(all),
      listenerList: true,
    };
    this.#apply(missed);
    this.#paint.request();
  }

  sources(): readonly Source[] {
    return [...this.#state.sources.values()];
  }

  source(id: string): Source | undefined {
    return this.#state.sources.get(id);
  }

  eventCount(sourceId: string): number {
    return this.#state.events.get(sourceId)?.total ?? 0;
  }

  /** Newest first, of one source or of all. */
  events(sourceId?: string): readonly EmittedEvent[] {
    if (sourceId !== undefined) return this.#state.events.get(sourceId)?.items ?? [];
    return mergeEvents([...this.#known().values()]);
  }

  /** Whether the runtime keeps more events than are here. */
  hasMoreEvents(sourceId?: string): boolean {
    return [...this.#known(sourceId).values()].some(({ hasMore }) => hasMore);
  }

  async loadMoreEvents(client: RuntimeClient, sourceId?: string): Promise<void> {
    const lists = this.#known(sourceId);
    const ending = [...lists].filter(([, list]) => endsTheMerge(list, [...lists.values()]));
    for (const [id] of ending) {
      const known = this.#state.events.get(id);
      if (known === undefined) continue;
      const read = await readEvents(client, id, moreEvents, known.items.at(-1)?.id);
      const here = new Set(known.items.map((item) => item.id));
      known.items.push(...read.items.filter((item) => !here.has(item.id)));
      known.wanted = known.items.length;
      known.total = read.items.length < moreEvents ? known.items.length : read.total;
      this.#touched.events.add(id);
    }
    this.#paint.request();
  }

  /** The newest runs of a source; followed from the first time they are asked for. */
  async runs(client: RuntimeClient, sourceId: string): Promise<readonly Invocation[]> {
    const known = this.#state.invocations.get(sourceId);
    if (known !== undefined) return known;
    const runs = await loadRuns(client, sourceId);
    this.#state.invocations.set(sourceId, runs);
    return runs;
  }

  dispose(): void {
    this.#slow.dispose();
    this.#paint.dispose();
  }

  #apply(batch: readonly Change[]): void {
    if (batch.length === 0) return;
    const shown = batch.filter(
      (change) => change.type !== 'invocation' || this.#slow.take(change.invocation),
    );
    for (const change of shown) applyChange(this.#state, change, this.#touched);
    for (const id of this.#touched.stale) void this.#reload(id);
    this.#touched.stale.clear();
    this.onChanges.fire(batch);
    // A run that has just begun is painted with its end: it must not hold back the event by a beat.
    if (shown.length > 0) this.#paint.request();
  }

  async #reload(id: string): Promise<void> {
    const state = this.#state;
    const wanted = state.events.get(id)?.wanted;
    if (this.#client === undefined || wanted === undefined) return;
    // A connection that breaks is followed by one that loads everything.
    const loaded = await loadEvents(this.#client, id, wanted).catch(() => undefined);
    if (loaded === undefined || !state.sources.has(id)) return;
    state.events.set(id, loaded);
    this.#touched.events.add(id);
    this.#touched.sources.add(id);
    this.#paint.request();
  }

  #known(sourceId?: string): Map<string, KnownEvents> {
    const lists = [...this.#state.events].filter(
      ([id]) => sourceId === undefined || id === sourceId,
    );
    return new Map(
      lists.map(([id, { items, total }]) => [id, { items, hasMore: items.length < total }]),
    );
  }
}
