/** The log lines of a source as they are written. There is no resuming: `GET …/logs` has the old ones. */
import { presentLog } from '../operations/present.ts';
import type { Committed, Signals } from '../signals.ts';
import type { LogRecord, Store } from '../store/store.ts';
import { type Feed, Followers } from './sse-feed.ts';
import type { EventStream } from './sse-stream.ts';
import { message } from './sse-text.ts';

export interface LogFeedOptions {
  readonly store: { readonly logs: Pick<Store['logs'], 'list'> };
  readonly signals: Signals;
}

/** Lines that may be written to one source between a line and its signal. */
const recent = 100;

export function createLogFeed({ store, signals }: LogFeedOptions): Feed {
  const followers = new Followers<EventStream>();
  signals.on('committed', ({ commit, made }: Committed) => {
    if (followers.of(commit.sourceId) === undefined) return;
    const records = commit.logs.map((line, i) => ({
      ...line,
      id: made.logIds[i] ?? 0,
      sourceId: commit.sourceId,
      invocation: commit.n,
    }));
    tell(commit.sourceId, records);
  });
  signals.on('log', (sourceId, id) => {
    if (followers.of(sourceId) === undefined) return;
    const { rows } = store.logs.list(sourceId, { limit: recent });
    tell(
      sourceId,
      rows.filter((row) => row.id === id),
    );
  });

  function tell(sourceId: string, records: readonly LogRecord[]): void {
    const text = records
      .map((record) => message(String(record.id), JSON.stringify(presentLog(record))))
      .join('');
    for (const stream of followers.of(sourceId) ?? []) stream.queue(text);
  }

  return {
    start(stream, sourceId) {
      followers.add(sourceId, stream);
      return () => followers.remove(sourceId, stream);
    },
  };
}
