import type { EmittedEvent, Source } from '../../protocol/catalogue.ts';
import type { Change } from '../../protocol/rpc.ts';
import { Signal } from '../signal.ts';
import { coalesce } from './coalesce.ts';
import { loadState, eventsPerPage } from './load-state.ts';
import {
  applyChange,
  emptyState,
  nothingTouched,
  type MirrorState,
  type Touched,
} from './mirror-state.ts';
import type { RuntimeClient } from './runtime-client.ts';

/** How often the trees are painted at most, in ms. */
const repaintMs = 100;

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
  #touched = nothingTouched();
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
    this.#state = loaded;
    const missed = waiting;
    waiting = undefined;
    this.#touched = { ...nothingTouched(), sourceList: true, events: true, listenerList: true };
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
    const all = [...this.#state.events.values()].flatMap((known) => known.items);
    return all.sort((a, b) => b.indexed_at_ms - a.indexed_at_ms || (a.id < b.id ? 1 : -1));
  }

  /** Whether the runtime keeps more events than are here. */
  hasMoreEvents(sourceId?: string): boolean {
    const known =
      sourceId === undefined
        ? [...this.#state.events.values()]
        : [this.#state.events.get(sourceId)];
    return known.some((one) => one !== undefined && one.items.length < one.total);
  }

  async loadMoreEvents(client: RuntimeClient, sourceId?: string): Promise<void> {
    const ids = sourceId === undefined ? [...this.#state.events.keys()] : [sourceId];
    for (const id of ids) {
      const known = this.#state.events.get(id);
      const oldest = known?.items.at(-1);
      if (known === undefined || oldest === undefined || known.items.length >= known.total)
        continue;
      const page = await client.call('events.list', {
        id,
        limit: eventsPerPage,
        after: oldest.id,
        include_dropped: true,
      });
      const here = new Set(known.items.map((item) => item.id));
      known.items.push(...page.data.filter((item) => !here.has(item.id)));
      known.total = page.data.length === 0 ? known.items.length : page.page_info.total_count;
    }
    this.#touched.events = true;
    this.#paint.request();
  }

  dispose(): void {
    this.#paint.dispose();
  }

  #apply(batch: readonly Change[]): void {
    if (batch.length === 0) return;
    for (const change of batch) applyChange(this.#state, change, this.#touched);
    this.onChanges.fire(batch);
    this.#paint.request();
  }
}
