import { WeirError } from '../../../protocol/errors.ts';
import { kindOf } from '../../../protocol/ids.ts';
import type { Clock } from '../../base/clock.ts';
import type { EventId } from '../event-id.ts';
import type { DedupeRecord, Ownership, StoredDb, TakenEmitter } from '../ownership.ts';
import { remembered } from './commit/state.ts';
import { type EmitterKey, isOwned, type OwnedEmitter } from './emitter-keys.ts';
import type { Engine } from './engine.ts';
import { flag, number, numberOrNull, text, textOrNull } from './fields.ts';
import { RowCounts } from './row-counts.ts';
import type { Deliveries } from './tables/deliveries.ts';
import type { Invocations } from './tables/invocations.ts';
import type { ScheduledEmits } from './tables/scheduled-emits.ts';
import type { Sends } from './tables/sends.ts';

/** Between two looks at an emitter whose owner may be gone, in ms. */
const lookMs = 50;

/** An emitter has an owner while its node is there and was not fenced. One whose answer was lost when this node took it is free, too. */
const isFree = `(node IS NULL OR node = $1 OR NOT EXISTS (
  SELECT 1 FROM nodes n WHERE n.id = emitters.node AND n.fenced_at IS NULL))`;

/**
 * Takes emitters by the row that says whose they are: of two nodes that try at once, one gets it. One whose owner is
 * not heard of is free when the owner's lease has run out, and the owner is fenced before.
 * @param leaseMs of every node
 * @param waits for others whose lease may run out; who leads nodes that own some of them does not
 */
export function createOwnership(
  engine: Engine,
  invocations: Invocations,
  deliveries: Deliveries,
  scheduledEmits: ScheduledEmits,
  sends: Pick<Sends, 'pending'>,
  clock: Pick<Clock, 'after' | 'elapsed'>,
  leaseMs: number,
  fenceOthers: () => Promise<void>,
  waits: boolean,
): Ownership {
  const { keys, membership, read } = engine;
  const wait = (): Promise<void> => new Promise((resolve) => void clock.after(lookMs, resolve));

  /** False where another node has it. */
  async function claim(key: EmitterKey): Promise<boolean> {
    if (isOwned(key)) return true;
    const [row] = await read(
      `WITH me AS (SELECT 1 FROM nodes WHERE id = $1 AND fenced_at IS NULL FOR SHARE),
         free AS (
           SELECT row AS place, node IS NULL AND released AS was_released FROM emitters
           WHERE row = $2 AND ${isFree} FOR UPDATE SKIP LOCKED)
       UPDATE emitters SET node = $1, epoch = epoch + 1, released = false
       FROM free WHERE row = place AND EXISTS (SELECT 1 FROM me)
       RETURNING epoch, was_released`,
      [membership.id, key.row],
    );
    if (row === undefined) return false;
    const owned = await known(key.row, number(row, 'epoch'), flag(row, 'was_released'));
    // From now on what others ask of it is noted; then what they asked before.
    key.owned = owned;
    const open = await read(
      `SELECT n FROM accepted a WHERE emitter = $1
         AND NOT EXISTS (SELECT 1 FROM ends e WHERE e.emitter = a.emitter AND e.n = a.n)`,
      [key.row],
    );
    for (const one of open) owned.open.add(number(one, 'n'));
    return true;
  }

  async function known(row: number, fence: number, released: boolean): Promise<OwnedEmitter> {
    const [emitter] = await read(
      `SELECT newest_ms, newest_seq,
         (SELECT max(n) FROM logs WHERE emitter = row) AS log,
         (SELECT max(seq) FROM dedupe_ids WHERE emitter = row) AS dedupe_seq,
         (SELECT max(n) FROM accepted WHERE emitter = row) AS accepted,
         strategy, greatest, last
       FROM emitters LEFT JOIN dedupe ON dedupe.emitter = row WHERE row = $1`,
      [row],
    );
    if (emitter === undefined) throw new Error(`The emitter of row ${row} is gone.`);
    const [newest] = await read(
      `SELECT ms, seq FROM (
         SELECT ms, seq FROM events WHERE emitter = $1
         UNION ALL SELECT newest_ms, newest_seq FROM emitters WHERE row = $1 AND newest_ms IS NOT NULL
       ) all_ids ORDER BY ms DESC, seq DESC LIMIT 1`,
      [row],
    );
    const notified = await read('SELECT error, at FROM error_notifications WHERE emitter = $1', [
      row,
    ]);
    const strategy = textOrNull(emitter, 'strategy');
    engine.numbers.after(numberOrNull(emitter, 'accepted') ?? 0);
    return {
      fence,
      released,
      lastLog: numberOrNull(emitter, 'log') ?? 0,
      newestEvent: newest && eventIdOf(newest),
      lastDedupeSeq: numberOrNull(emitter, 'dedupe_seq') ?? 0,
      dedupe:
        strategy === null
          ? undefined
          : {
              strategy,
              greatest: numberOrNull(emitter, 'greatest') ?? undefined,
              last: textOrNull(emitter, 'last') ?? undefined,
            },
      open: new Set(),
      notified: new Map(notified.map((one) => [text(one, 'error'), number(one, 'at')] as const)),
      counts: new RowCounts(),
    };
  }

  async function taken({ id, row, owned }: EmitterKey): Promise<TakenEmitter> {
    if (owned === undefined) throw new Error(`${id} is not owned.`);
    const [db, dedupe, lastInvocation, unfinished, openDeliveries, waitingEmits, pendingSends] =
      await Promise.all([
        dbOf(engine, row),
        dedupeOf(engine, row, owned),
        invocations.lastOf(row),
        invocations.unfinished(row),
        deliveries.open(row),
        scheduledEmits.waiting(row),
        kindOf(id) === 'workflow' ? sends.pending(row) : [],
      ]);
    // A run that arrived after the claim is the same one when it is found again.
    for (const { record } of unfinished) owned.open.add(record.n);
    return {
      id,
      fence: owned.fence,
      released: owned.released,
      newestEvent: owned.newestEvent,
      db,
      dedupe,
      lastInvocation,
      unfinished,
      openDeliveries,
      waitingEmits,
      pendingSends,
    };
  }

  return {
    async takeAll(tell) {
      const begun = clock.elapsed();
      for (;;) {
        let others = 0;
        for (const key of keys.all()) {
          if (isOwned(key)) continue;
          if (await claim(key)) continue;
          others += 1;
        }
        // A node that beats keeps what it has; one that does not is fenced within two leases.
        if (others === 0 || !waits || clock.elapsed() - begun > 2 * leaseMs + 1000) break;
        await wait();
        await fenceOthers();
      }
      for (const key of keys.all()) if (isOwned(key)) tell(await taken(key));
    },
    async take(id) {
      const key = keys.require(id);
      const begun = clock.elapsed();
      while (!(await claim(key))) {
        if (clock.elapsed() - begun > 2 * leaseMs + 1000) {
          throw new WeirError('conflict', `Another runtime owns ${id}.`);
        }
        await wait();
        await fenceOthers();
      }
      return taken(key);
    },
  };
}

function eventIdOf(row: Readonly<Record<string, unknown>>): EventId {
  return { ms: row['ms'] as number, seq: row['seq'] as number };
}

async function dbOf({ read }: Engine, emitter: number): Promise<StoredDb> {
  // Null prototypes: a component may use any key, `__proto__` too.
  const props: Record<string, Record<string, string>> = Object.create(null);
  for (const row of await read('SELECT prop, key, json FROM db WHERE emitter = $1', [emitter])) {
    const prop = (props[text(row, 'prop')] ??= Object.create(null) as Record<string, string>);
    prop[text(row, 'key')] = text(row, 'json');
  }
  return props;
}

async function dedupeOf(
  { read }: Engine,
  emitter: number,
  { dedupe }: OwnedEmitter,
): Promise<DedupeRecord> {
  const rows = await read(
    'SELECT id FROM dedupe_ids WHERE emitter = $1 ORDER BY seq DESC LIMIT $2',
    [emitter, remembered],
  );
  const ids = rows.map((row) => text(row, 'id')).toReversed();
  if (dedupe === undefined) return { strategy: null, ids };
  const { strategy, greatest, last } = dedupe;
  return {
    strategy,
    ids,
    ...(greatest === undefined ? {} : { greatest }),
    ...(last === undefined ? {} : { last }),
  };
}
