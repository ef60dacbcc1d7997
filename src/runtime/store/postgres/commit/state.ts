/** The state that a component's run leaves for the next one. */
import type { DbWrite } from '../../../../protocol/host.ts';
import type { DedupeChange } from '../../commit.ts';
import type { Change } from '../change.ts';
import type { EmitterKey, OwnedKey } from '../emitter-keys.ts';
import * as tables from '../tables/row-tables.ts';

/** Newest `unique` ids an emitter remembers (P11.2). */
export const remembered = 100;

export function writeDb(
  change: Change,
  { row: emitter }: EmitterKey,
  writes: readonly DbWrite[],
): void {
  for (const { prop, key, json } of writes) {
    if (json === undefined) {
      change.run('DELETE FROM db WHERE emitter = $1 AND prop = $2 AND key = $3', [
        emitter,
        prop,
        key,
      ]);
    } else change.insert(tables.db, { emitter, prop, key, json });
  }
}

export function writeDedupe(
  change: Change,
  { row: emitter, owned }: OwnedKey,
  { strategy, append = [], greatest, last, reset }: DedupeChange,
): void {
  if (reset === true) {
    change.run('DELETE FROM dedupe_ids WHERE emitter = $1', [emitter]);
    change.run('DELETE FROM dedupe WHERE emitter = $1', [emitter]);
    owned.dedupe = undefined;
  }
  const before = owned.dedupe;
  if (greatest !== undefined || last !== undefined || before?.strategy !== strategy) {
    owned.dedupe = {
      strategy,
      greatest: greatest ?? before?.greatest,
      last: last ?? before?.last,
    };
    change.insert(tables.dedupe, { emitter, ...owned.dedupe });
    // Unknown: the next change writes the whole row.
    change.memory.onRefused(() => (owned.dedupe = undefined));
  }
  const first = owned.lastDedupeSeq;
  for (const id of append.slice(-remembered)) {
    change.insert(tables.dedupeIds, { emitter, seq: ++owned.lastDedupeSeq, id });
  }
  // Not with each event: a statement of its own costs more than the rows that stay a little longer.
  const isTime = Math.floor(first / remembered) < Math.floor(owned.lastDedupeSeq / remembered);
  if (isTime) {
    change.run('DELETE FROM dedupe_ids WHERE emitter = $1 AND seq <= $2', [
      emitter,
      owned.lastDedupeSeq - remembered,
    ]);
  }
}
