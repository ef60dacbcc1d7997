/** What can be followed of an emitter: its events and its log lines, as they are committed. */
import { isJson } from '../../protocol/json-text.ts';
import { presentEvent, presentLog } from '../operations/present.ts';
import type { Signals } from '../signals.ts';
import { compareEventIds, parseEventId } from '../store/event-id.ts';
import { emittedRecord, type EventRecord } from '../store/history/events.ts';
import type { LogRecord } from '../store/history/logs.ts';
import type { Store } from '../store/store.ts';
import { createResumingFeed, type Feed } from './sse-resuming.ts';
import { message } from './sse-text.ts';

export interface FeedOptions {
  readonly store: Pick<Store, 'flush'> & {
    readonly events: Pick<Store['events'], 'after'>;
    readonly logs: Pick<Store['logs'], 'after'>;
  };
  readonly signals: Signals;
  readonly report: (where: string, error: unknown) => void;
}

export function createEventFeed({ store, signals, report }: FeedOptions): Feed {
  const feed = createResumingFeed({
    what: 'events',
    parse: (id) => (parseEventId(id) === undefined ? undefined : id),
    idOf: ({ id }) => id,
    isAfter,
    after: (emitterId, id, limit) => store.events.after(emitterId, id, limit),
    messageOf: eventMessage,
    flush: () => store.flush(),
    report,
  });
  signals.on('committed', ({ commit }) => {
    if (!feed.isFollowed(commit.emitterId)) return;
    const records = commit.events.map((event) => emittedRecord(commit, event));
    feed.tell(commit.emitterId, records);
  });
  signals.on('due', ({ emitterId, made }) => feed.tell(emitterId, made.events));
  return feed;
}

/** What the platform calls observations (P20.5). */
export function createLogFeed({ store, signals, report }: FeedOptions): Feed {
  const feed = createResumingFeed<LogRecord, number>({
    what: 'log lines',
    parse: (id) => (/^\d{1,15}$/.test(id) ? Number(id) : undefined),
    idOf: ({ id }) => id,
    isAfter: (id, mark) => id > mark,
    after: (emitterId, id, limit) => store.logs.after(emitterId, id, limit),
    messageOf: (record) => message(String(record.id), JSON.stringify(presentLog(record))),
    flush: () => store.flush(),
    report,
  });
  signals.on('committed', ({ commit, made }) => {
    if (!feed.isFollowed(commit.emitterId)) return;
    const { n, emitterId, logs } = commit;
    feed.tell(
      emitterId,
      logs.map((line, i) => ({ ...line, id: made.logIds[i] ?? 0, emitterId, invocation: n })),
    );
  });
  signals.on('log', (line) => feed.tell(line.emitterId, [line]));
  return feed;
}

/** The event as `events.list` shows it with `expand=event`; a payload that is JSON is passed on as it is. */
export function eventMessage(record: EventRecord): string {
  const { payload } = record;
  const { event: _null, ...rest } = presentEvent({ ...record, payload: 'null' }, true);
  const event = isJson(payload) ? payload : JSON.stringify(payload);
  return message(record.id, `{"event":${event},${JSON.stringify(rest).slice(1)}`);
}

const first = { ms: 0, seq: 0 };

/** Ids count up as numbers, not as text: `5-10` comes after `5-9`. */
export function isAfter(id: string, mark: string): boolean {
  return compareEventIds(parseEventId(id) ?? first, parseEventId(mark) ?? first) > 0;
}
