import type { EmittedEvent } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { newestFirst } from '../model/event-order.ts';
import { searchEvents } from '../model/event-search.ts';
import type { EventNode } from './nodes.ts';

/** Which events a person wants to see: of one source or of all, with some words or with any. */
export class ShownEvents {
  readonly #folders: Folders;
  #only: { readonly folder: Folder; readonly sourceId: string } | undefined;
  #search: { readonly text: string; hits: EventNode[] } | undefined;
  /** Newer events wait: a row that is added on top moves all that is read. */
  #newest: EmittedEvent | undefined;

  constructor(folders: Folders) {
    this.#folders = folders;
  }

  /** The name of the only source whose events are shown. A source that is gone limits nothing any more. */
  get sourceName(): string | undefined {
    if (this.#only === undefined) return undefined;
    const source = this.#only.folder.mirror.source(this.#only.sourceId);
    if (source === undefined) this.#only = undefined;
    return source?.name;
  }

  get text(): string | undefined {
    return this.#search?.text;
  }

  get folders(): readonly Folder[] {
    return this.#only === undefined ? this.#folders.all : [this.#only.folder];
  }

  get hasMore(): boolean {
    if (this.#search !== undefined) return false;
    return this.folders.some(({ mirror }) => mirror.hasMoreEvents(this.#only?.sourceId));
  }

  /** Whether a row has to say whose event it is. */
  namesSources({ mirror }: Folder): boolean {
    return this.#only === undefined && mirror.sources().length > 1;
  }

  /** Events that came since {@link hold}. */
  get waiting(): number {
    return this.#newest === undefined ? 0 : this.#all().length - this.rows().length;
  }

  /** Keeps newer events back until {@link release}. */
  hold(): void {
    this.#newest ??= this.#all()[0]?.event;
  }

  release(): void {
    this.#newest = undefined;
  }

  limitTo(folder: Folder | undefined, sourceId: string | undefined): void {
    this.#only = folder === undefined || sourceId === undefined ? undefined : { folder, sourceId };
    this.#newest = undefined;
  }

  /** @param text nothing ends the search */
  async search(text: string): Promise<void> {
    this.#newest = undefined;
    this.#search = text.trim() === '' ? undefined : { text: text.trim(), hits: [] };
    await this.searchAgain();
  }

  /** The hits as they are now. The last question wins. */
  async searchAgain(): Promise<void> {
    const search = this.#search;
    if (search === undefined) return;
    const found = await Promise.all(
      this.folders.map(async (folder) => {
        const client = await folder.link.ready();
        const ids = this.#sourcesOf(folder);
        return nodes(folder, await searchEvents(client, ids, search.text));
      }),
    );
    search.hits = inOrder(found);
  }

  /** Whether a change of these sources' events changes what is shown. */
  concerns(folder: Folder, sourceIds: ReadonlySet<string>): boolean {
    if (this.#only === undefined) return sourceIds.size > 0;
    return folder === this.#only.folder && sourceIds.has(this.#only.sourceId);
  }

  rows(): EventNode[] {
    const top = this.#newest;
    const all = this.#all();
    return top === undefined ? all : all.filter(({ event }) => newestFirst(event, top) >= 0);
  }

  async loadMore(): Promise<void> {
    for (const folder of this.folders) {
      const client = await folder.link.ready();
      await folder.mirror.loadMoreEvents(client, this.#only?.sourceId);
    }
  }

  #all(): EventNode[] {
    if (this.#search !== undefined) return this.#search.hits;
    return inOrder(
      this.folders.map((folder) => nodes(folder, folder.mirror.events(this.#only?.sourceId))),
    );
  }

  #sourcesOf({ mirror }: Folder): string[] {
    return this.#only === undefined ? mirror.sources().map(({ id }) => id) : [this.#only.sourceId];
  }
}

function inOrder(lists: EventNode[][]): EventNode[] {
  const [only, another] = lists;
  if (only !== undefined && another === undefined) return only;
  return lists.flat().sort((a, b) => newestFirst(a.event, b.event));
}

/** Rows that were made once, so that VS Code knows them again. */
const made = new WeakMap<EmittedEvent, EventNode>();

function nodes(folder: Folder, events: readonly EmittedEvent[]): EventNode[] {
  return events.map((event) => {
    const node = made.get(event) ?? { kind: 'event', folder, event };
    made.set(event, node);
    return node;
  });
}
