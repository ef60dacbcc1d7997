/** An event id `<epoch ms>-<sequence>`: the order of ids is that of both numbers, not of the text. */
export interface EventId {
  readonly ms: number;
  readonly seq: number;
}

const pattern = /^(\d{1,15})-(\d{1,15})$/;

/** Undefined when the text is no event id. */
export function parseEventId(id: string): EventId | undefined {
  const match = pattern.exec(id);
  return match === null ? undefined : { ms: Number(match[1]), seq: Number(match[2]) };
}

export function formatEventId(id: EventId): string {
  return `${id.ms}-${id.seq}`;
}

/** Negative when the first is older. */
export function compareEventIds(one: EventId, other: EventId): number {
  return one.ms - other.ms || one.seq - other.seq;
}
