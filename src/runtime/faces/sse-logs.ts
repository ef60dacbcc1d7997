/** The log lines of a source as they are written: what the platform calls observations (P20.5). */
import { presentLog } from '../operations/present.ts';
import type { Signals } from '../signals.ts';
import type { LogRecord } from '../store/history/logs.ts';
import type { Store } from '../store/store.ts';
import type { Feed } from './sse-feed.ts';
import { createResumingFeed } from './sse-resuming.ts';
import { message } from './sse-text.ts';

export interface LogFeedOptions {
  readonly store: Pick<Store, 'flush'> & { readonly logs: Pick<Store['logs'], 'after'> };
  readonly signals: Signals;
  readonly report: (where: string, error: unknown) => void;
}

export function createLogFeed({ store, signals, report }: LogFeedOptions): Feed {
  const feed = createResumingFeed<LogRecord, number>({
    what: 'log lines',
    parse: (id) => (/^\d{1,15}$/.test(id) ? Number(id) : undefined),
    idOf: ({ id }) => id,
    isAfter: (id, mark) => id > mark,
    after: (sourceId, id, limit) => store.logs.after(sourceId, id, limit),
    messageOf: (record) => message(String(record.id), JSON.stringify(presentLog(record))),
    flush: () => store.flush(),
    report,
  });
  signals.on('committed', ({ commit, made }) => {
    if (!feed.isFollowed(commit.sourceId)) return;
    const { n, sourceId, logs } = commit;
    feed.tell(
      sourceId,
      logs.map((line, i) => ({ ...line, id: made.logIds[i] ?? 0, sourceId, invocation: n })),
    );
  });
  signals.on('log', (line) => feed.tell(line.sourceId, [line]));
  return feed;
}
