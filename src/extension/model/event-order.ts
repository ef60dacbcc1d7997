import type { EmittedEvent } from '../../protocol/catalogue.ts';

/** Newest first. Ids are `<epoch ms>-<sequence>` and ascend within one store. */
export function newestFirst(a: EmittedEvent, b: EmittedEvent): number {
  return Number.parseInt(b.id, 10) - Number.parseInt(a.id, 10) || sequenceOf(b) - sequenceOf(a);
}

/** The known events of one emitter, newest first, and whether the runtime keeps older ones. */
export interface KnownEvents {
  readonly items: readonly EmittedEvent[];
  readonly hasMore: boolean;
}

/**
 * Several lists as one, newest first. It ends where the first incomplete list ends: below that,
 * events would be missing in between.
 */
export function mergeEvents(lists: readonly KnownEvents[]): EmittedEvent[] {
  const end = horizon(lists);
  const all = lists.flatMap(({ items }) => items).sort(newestFirst);
  return end === undefined ? all : all.filter((event) => newestFirst(event, end) <= 0);
}

/** Whether {@link mergeEvents} ends because this list is incomplete. */
export function endsTheMerge(list: KnownEvents, lists: readonly KnownEvents[]): boolean {
  return list.hasMore && list.items.at(-1) === horizon(lists);
}

function horizon(lists: readonly KnownEvents[]): EmittedEvent | undefined {
  return lists
    .flatMap(({ items, hasMore }) => (hasMore ? items.slice(-1) : []))
    .sort(newestFirst)[0];
}

function sequenceOf({ id }: EmittedEvent): number {
  return Number(id.slice(id.indexOf('-') + 1));
}
