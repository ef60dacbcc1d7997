import type { Engine } from '../engine.ts';
import type { SourceKey } from '../emitter-keys.ts';
import type { DedupeChange, InvocationCommit } from '../../commit.ts';

/** Newest `unique` ids a source remembers (P11.2). */
const REMEMBERED = 100;

/** Within a write: what a component's run leaves behind for its next one. */
export interface StateWriter {
  db(source: number, writes: InvocationCommit['db']): void;
  dedupe(key: SourceKey, change: DedupeChange): void;
}

export function createStateWriter({ db }: Engine): StateWriter {
  const put = db.prepare('INSERT OR REPLACE INTO db (source, prop, key, json) VALUES (?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM db WHERE source = ? AND prop = ? AND key = ?');
  const append = db.prepare('INSERT INTO dedupe_ids (source, seq, id) VALUES (?, ?, ?)');
  const forget = db.prepare('DELETE FROM dedupe_ids WHERE source = ? AND seq <= ?');
  const update = db.prepare(
    `INSERT INTO dedupe (source, strategy, greatest, last) VALUES (?, ?, ?, ?)
     ON CONFLICT (source) DO UPDATE SET strategy = excluded.strategy,
       greatest = coalesce(excluded.greatest, greatest), last = coalesce(excluded.last, last)`,
  );
  const reset = db.prepare('DELETE FROM dedupe WHERE source = ?');

  return {
    db(source, writes) {
      for (const { prop, key, json } of writes) {
        if (json === undefined) remove.run(source, prop, key);
        else put.run(source, prop, key, json);
      }
    },
    dedupe(key, change) {
      if (change.reset === true) {
        forget.run(key.row, key.lastDedupeSeq);
        reset.run(key.row);
        key.strategy = null;
      }
      const changes = change.greatest !== undefined || change.last !== undefined;
      if (changes || key.strategy !== change.strategy) {
        update.run(key.row, change.strategy, change.greatest, change.last);
        key.strategy = change.strategy;
      }
      if (change.append === undefined || change.append.length === 0) return;
      for (const id of change.append.slice(-REMEMBERED))
        append.run(key.row, ++key.lastDedupeSeq, id);
      forget.run(key.row, key.lastDedupeSeq - REMEMBERED);
    },
  };
}
