/** What goes over a server-sent event stream (the WHATWG format, pure). */
import { parseEventId } from '../emit/event-ids.ts';
import { presentEvent } from '../operations/present.ts';
import type { InvocationCommit } from '../store/commit.ts';
import type { EventRecord, NewEvent } from '../store/history/events.ts';

export const handshake = ':sse-handshake\n\n';
export const keepAlive = ':keepalive\n\n';

/** One message. A line break within the data would end it, so each line gets its own field. */
export function message(id: string | undefined, data: string, event?: string): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  const mark = id === undefined ? '' : `id: ${id}\n`;
  return `${name}${mark}data: ${data.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;
}

/** The event as `events.list` shows it with `expand=event`; its payload is passed on unparsed. */
export function eventMessage(record: EventRecord): string {
  const { event: _null, ...rest } = presentEvent({ ...record, payload: 'null' }, true);
  const json = `{"event":${record.payload},${JSON.stringify(rest).slice(1)}`;
  return message(record.id, json);
}

/** An event of a commit as the store will read it back. */
export function recordOf(commit: InvocationCommit, event: NewEvent): EventRecord {
  return {
    id: event.id,
    sourceId: commit.sourceId,
    invocation: commit.n,
    indexedAt: event.indexedAt,
    emitId: event.emitId,
    channel: event.channel,
    dedupeId: event.dedupeId ?? null,
    summary: event.summary ?? null,
    ts: event.ts ?? null,
    payload: event.payload,
    dropped: null,
  };
}

/** Ids count up as numbers, not as text: `5-10` comes after `5-9`. */
export function isAfter(id: string, mark: string): boolean {
  const [ms, sequence] = parseEventId(id) ?? [0, 0];
  const [markMs, markSequence] = parseEventId(mark) ?? [0, 0];
  return ms > markMs || (ms === markMs && sequence > markSequence);
}
