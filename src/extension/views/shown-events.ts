import type { EmittedEvent } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { newestFirst } from '../model/event-order.ts';
import { searchEvents } from '../model/queries.ts';
import type { EventNode } from './nodes.ts';

/** Which events the view shows: of one emitter or of all, those with certain words or any. */
export class ShownEvents {
  readonly #folders: Folders;
  #only: { readonly folder: Folder; readonly emitterId: string } | undefined;
  #search: { readonly text: string; hits: EventNode[] } | undefined;
  /** Events newer than this one are held back: a row added on top would move all that is being read. */
  #newest: EmittedEvent | undefined;

  /** Whether rows of what dedupe dropped are left out. */
  hidesDropped = false;

  constructor(folders: Folders) {
    this.#folders = folders;
  }

  get #limit(): { readonly folder: Folder; readonly emitterId: string } | undefined {
    return this.#only?.folder.isCurrent === true ? this.#only : undefined;
  }

  /** The name of the only emitter whose events are shown. One that was deleted, or is of a runtime that is not in use, no longer limits anything. */
  get emitterName(): string | undefined {
    if (this.#limit === undefined) return undefined;
    const emitter = this.#limit.folder.mirror.emitter(this.#limit.emitterId);
    if (emitter === undefined) this.#only = undefined;
    return emitter?.name;
  }

  get text(): string | undefined {
    return this.#search?.text;
  }

  get folders(): readonly Folder[] {
    const limit = this.#limit;
    return limit === undefined ? this.#folders.all : [limit.folder];
  }

  get hasMore(): boolean {
    if (this.#search !== undefined) return false;
    return this.folders.some(({ mirror }) => mirror.hasMoreEvents(this.#limit?.emitterId));
  }

  /** Whether rows name the emitter of their event: wherever more than one can be shown, so that a second changes no row. */
  get namesEmitters(): boolean {
    return this.#limit === undefined;
  }

  /** How many events have arrived since {@link hold}. */
  get waiting(): number {
    return this.#newest === undefined ? 0 : this.#all().length - this.rows().length;
  }

  /** Holds newer events back until {@link release}. */
  hold(): void {
    this.#newest ??= this.#all()[0]?.event;
  }

  release(): void {
    this.#newest = undefined;
  }

  limitTo(folder: Folder | undefined, emitterId: string | undefined): void {
    this.#only =
      folder === undefined || emitterId === undefined ? undefined : { folder, emitterId };
    this.#newest = undefined;
  }

  /** @param text an empty one ends the search */
  async search(text: string): Promise<void> {
    this.#newest = undefined;
    this.#search = text.trim() === '' ? undefined : { text: text.trim(), hits: [] };
    await this.searchAgain();
  }

  /** Brings the hits up to date. Of several searches at the same time the last one counts. */
  async searchAgain(): Promise<void> {
    const search = this.#search;
    if (search === undefined) return;
    const found = await Promise.all(
      this.folders.map(async (folder) => {
        const client = await folder.link.ready();
        const ids = this.#emittersOf(folder);
        return nodes(folder, await searchEvents(client, ids, search.text));
      }),
    );
    search.hits = inOrder(found);
  }

  /** Whether a change of these emitters' events changes what is shown. */
  concerns(folder: Folder, emitterIds: ReadonlySet<string>): boolean {
    const limit = this.#limit;
    if (limit === undefined) return emitterIds.size > 0;
    return folder === limit.folder && emitterIds.has(limit.emitterId);
  }

  rows(): EventNode[] {
    const top = this.#newest;
    const all = this.#all();
    return top === undefined ? all : all.filter(({ event }) => newestFirst(event, top) >= 0);
  }

  async loadMore(): Promise<void> {
    for (const folder of this.folders) {
      const client = await folder.link.ready();
      await folder.mirror.loadMoreEvents(client, this.#limit?.emitterId);
    }
  }

  #all(): EventNode[] {
    const all = this.#withDropped();
    return this.hidesDropped ? all.filter(({ event }) => event.dropped === null) : all;
  }

  #withDropped(): EventNode[] {
    if (this.#search !== undefined) return this.#search.hits;
    return inOrder(
      this.folders.map((folder) => nodes(folder, folder.mirror.events(this.#limit?.emitterId))),
    );
  }

  #emittersOf({ mirror }: Folder): string[] {
    if (this.#limit !== undefined) return [this.#limit.emitterId];
    return mirror.emitters().map(({ id }) => id);
  }
}

function inOrder(lists: EventNode[][]): EventNode[] {
  const [only, another] = lists;
  if (only !== undefined && another === undefined) return only;
  return lists.flat().sort((a, b) => newestFirst(a.event, b.event));
}

/** Each event keeps its row object, by which VS Code identifies the row. */
const made = new WeakMap<EmittedEvent, EventNode>();

function nodes(folder: Folder, events: readonly EmittedEvent[]): EventNode[] {
  return events.map((event) => {
    const node = made.get(event) ?? { kind: 'event', folder, event };
    made.set(event, node);
    return node;
  });
}
