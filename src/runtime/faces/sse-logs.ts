/** The log lines of a source as they are written. There is no resuming: `GET …/logs` has the old ones. */
import { presentLog } from '../operations/present.ts';
import type { Committed, Signals } from '../signals.ts';
import type { LogRecord } from '../store/store.ts';
import { type Feed, Followers } from './sse-feed.ts';
import type { EventStream } from './sse-stream.ts';
import { message } from './sse-text.ts';

export function createLogFeed(signals: Signals): Feed {
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
  signals.on('log', (line) => tell(line.sourceId, [line]));

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
