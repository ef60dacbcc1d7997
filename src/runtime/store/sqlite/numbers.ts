import { compareEventIds, type EventId, formatEventId, parseEventId } from '../event-id.ts';
import type { SourceKeys } from './emitter-keys.ts';
import type { Connection } from './wasm/connection.ts';

const counted = { invocation: 'invocations', event: 'events', log: 'logs', delivery: 'deliveries' };
type Counted = keyof typeof counted;

/** Those whose rows lie by source: the newest of each source is found without reading the others. */
const clustered: ReadonlySet<Counted> = new Set(['invocation', 'log']);

/**
 * The numbers given out so far, in memory, so that a write needs no read. They are written down only
 * before rows are deleted: otherwise the newest rows themselves tell.
 */
export class Marks {
  readonly #db: Connection;
  readonly #last: Record<Counted, number>;
  #lastEventId: EventId | undefined;

  constructor(db: Connection, keys: SourceKeys) {
    this.#db = db;
    this.#last = {
      invocation: this.#load('invocation'),
      event: this.#load('event'),
      log: this.#load('log'),
      delivery: this.#load('delivery'),
    };
    this.#lastEventId = parseEventId(String(this.#saved('event_id') ?? ''));
    const newest = db.prepare(
      'SELECT ms, seq FROM events WHERE source = ? ORDER BY ms DESC, seq DESC LIMIT 1',
    );
    for (const { row } of keys.all()) {
      const id = newest.get((row) => ({ ms: row.number('ms'), seq: row.number('seq') }), row);
      if (id !== undefined) this.sawEvent(id);
    }
  }

  next(what: Counted): number {
    return ++this.#last[what];
  }

  /** The number the next one will get. */
  peek(what: Counted): number {
    return this.#last[what] + 1;
  }

  get lastEventId(): EventId | undefined {
    return this.#lastEventId;
  }

  sawEvent(id: EventId): void {
    if (this.#lastEventId === undefined || compareEventIds(id, this.#lastEventId) > 0) {
      this.#lastEventId = id;
    }
  }

  /** Within the transaction that deletes rows. */
  save(): void {
    const write = this.#db.prepare('INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)');
    for (const [name, value] of Object.entries(this.#last)) write.run(name, value);
    if (this.#lastEventId !== undefined) write.run('event_id', formatEventId(this.#lastEventId));
  }

  #load(what: Counted): number {
    const newest = this.#db.prepare(
      clustered.has(what)
        ? `SELECT coalesce(max((SELECT max(n) FROM ${counted[what]} WHERE source = s.row)), 0) AS n
           FROM sources s`
        : `SELECT coalesce(max(n), 0) AS n FROM ${counted[what]}`,
    );
    return Math.max(newest.get((row) => row.number('n')) ?? 0, Number(this.#saved(what) ?? 0));
  }

  #saved(name: string): string | number | undefined {
    const read = this.#db.prepare('SELECT value FROM marks WHERE name = ?');
    return read.get((row) => row.value('value'), name) ?? undefined;
  }
}
