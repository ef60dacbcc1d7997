import { WeirError } from '../../../../protocol/errors.ts';
import type { ResourceMemory } from '../../configuration/memory.ts';
import type { InterfaceRecord } from '../../configuration/sources.ts';
import { uniqueSlug } from '../../configuration/unique-slug.ts';
import { arrayOf } from '../arrays.ts';
import type { Change } from '../change.ts';
import { isOwned } from '../emitter-keys.ts';
import type { Engine } from '../engine.ts';
import { number, numberOrNull, text, textOrNull } from '../fields.ts';
import { RowCounts } from '../row-counts.ts';
import type { RecordChanges } from '../../shared.ts';
import type { Row } from '../row-table.ts';
import type { Records } from './records.ts';

interface EmitterRecord {
  readonly id: string;
  readonly slug: string;
  readonly interfaces: readonly InterfaceRecord[];
}

/** Everything an emitter has, details before what names them. */
const deletions = [
  ...['step_runs', 'outgoing_requests', 'resume_hits'].map(
    (table) =>
      `DELETE FROM ${table} WHERE execution IN (SELECT n FROM executions WHERE emitter = $1)`,
  ),
  'DELETE FROM executions WHERE emitter = $1',
  'DELETE FROM sends WHERE emitter = $1',
  'DELETE FROM stream_messages WHERE emitter = $1',
  'DELETE FROM error_notifications WHERE emitter = $1',
  'DELETE FROM event_words WHERE emitter = $1',
  'DELETE FROM indexed_events WHERE emitter = $1',
  'DELETE FROM left_for_owner WHERE emitter = $1',
  'DELETE FROM accepted WHERE emitter = $1',
  'DELETE FROM ends WHERE emitter = $1',
  'DELETE FROM events WHERE emitter = $1',
  'DELETE FROM scheduled_emits WHERE emitter = $1',
  'DELETE FROM logs WHERE emitter = $1',
  'DELETE FROM attempts WHERE delivery IN (SELECT n FROM deliveries WHERE emitter = $1)',
  'DELETE FROM deliveries WHERE emitter = $1',
  'DELETE FROM db WHERE emitter = $1',
  'DELETE FROM dedupe WHERE emitter = $1',
  'DELETE FROM dedupe_ids WHERE emitter = $1',
  'DELETE FROM interfaces WHERE emitter = $1',
  'DELETE FROM emitters WHERE row = $1',
];

/** What emitters have in common: a row, a slug of their own, interfaces whose ticks move. */
export class EmitterRecords<R extends EmitterRecord> {
  readonly memory: ResourceMemory<R>;
  readonly #engine: Engine;
  readonly #records: Records<R>;
  readonly #what: string;

  /** @param what they are, as messages say it */
  constructor(engine: Engine, records: Records<R>, what: 'source' | 'workflow') {
    this.#engine = engine;
    this.#records = records;
    this.#what = what;
    this.memory = records.memory;
  }

  /** @throws WeirError('not_found') */
  require(id: string): R {
    const record = this.memory.get(id);
    if (record === undefined) throw new WeirError('not_found', `There is no ${this.#what} ${id}.`);
    return record;
  }

  bySlug(slug: string): R | undefined {
    return this.memory.find((one) => one.slug === slug);
  }

  find(idOrSlug: string): R | undefined {
    return this.memory.get(idOrSlug) ?? this.bySlug(idOrSlug);
  }

  /** The slug, or the first like it that no other one has. */
  freeSlug(slug: string, id: string): string {
    const others = this.memory.all().filter((one) => one.id !== id);
    return uniqueSlug(slug, new Set(others.map((one) => one.slug)));
  }

  /** Makes a new one an emitter of this node's. */
  add(change: Change, record: R): void {
    const { keys, numbers, membership } = this.#engine;
    this.#requireFree(record.interfaces, undefined);
    const row = numbers.next();
    this.#records.insert(change, record, row);
    change.run('INSERT INTO emitters (row, id, node, epoch) VALUES ($1, $2, $3, 1)', [
      row,
      record.id,
      membership.id,
    ]);
    keys.add(record.id, row, {
      fence: 1,
      released: true,
      lastLog: 0,
      newestEvent: undefined,
      lastDedupeSeq: 0,
      dedupe: undefined,
      open: new Set(),
      notified: new Map(),
      counts: new RowCounts(),
    });
    this.#writeInterfaces(change, row, record.interfaces);
  }

  update(change: Change, record: R): R {
    return this.#records.update(change, record);
  }

  /** Within the write that updates the record with them. Of an emitter of another node those that stay as they are keep the tick that it has moved. */
  replaceInterfaces(change: Change, { id, interfaces }: R): void {
    const { keys, numbers } = this.#engine;
    this.#requireFree(interfaces, id);
    const key = keys.require(id);
    const before = isOwned(key) ? [] : (this.memory.get(id)?.interfaces ?? []);
    const isKept = (one: InterfaceRecord): boolean =>
      before.some((known) => isSameInterface(known, one));
    change.run('DELETE FROM interfaces WHERE emitter = $1 AND NOT id = ANY ($2::text[])', [
      key.row,
      arrayOf(
        'text',
        interfaces.filter(isKept).map((one) => one.id),
      ),
    ]);
    for (const one of interfaces) {
      if (!isKept(one)) this.#writeInterfaces(change, key.row, [one]);
      else change.run('UPDATE interfaces SET row = $2 WHERE id = $1', [one.id, numbers.next()]);
    }
  }

  /** @throws WeirError('not_found') when it has no such interface */
  requireInterface(id: string, interfaceId: string): void {
    if (this.require(id).interfaces.some((one) => one.id === interfaceId)) return;
    throw new WeirError('not_found', `There is no interface ${interfaceId}.`);
  }

  moveTick(change: Change, id: string, interfaceId: string, nextAt: number | undefined): void {
    change.run('UPDATE interfaces SET next_at = $2 WHERE id = $1', [interfaceId, nextAt]);
    const record = this.require(id);
    this.memory.set({
      ...record,
      interfaces: record.interfaces.map(({ nextAt: before, ...rest }) => {
        const at = rest.id === interfaceId ? nextAt : before;
        return at === undefined ? rest : { ...rest, nextAt: at };
      }),
    });
  }

  /** Reads anew when its timers tick, which its owner on another node has moved. */
  async refreshTicks(id: string): Promise<void> {
    const { keys, read } = this.#engine;
    const rows = await read('SELECT id, next_at FROM interfaces WHERE emitter = $1', [
      keys.rowOf(id) ?? null,
    ]);
    const record = this.memory.get(id);
    if (record === undefined) return;
    const times = new Map(rows.map((row) => [text(row, 'id'), numberOrNull(row, 'next_at')]));
    this.memory.set({
      ...record,
      interfaces: record.interfaces.map(({ nextAt: _, ...rest }) => {
        const at = times.get(rest.id) ?? null;
        return at === null ? rest : { ...rest, nextAt: at };
      }),
    });
  }

  /**
   * Reads all anew, also those of this node, which the one that leads may have changed. When their timers tick is known
   * here better than there.
   */
  reread(isOwn: (id: string) => boolean): Promise<() => RecordChanges> {
    return this.#records.reread((record) => {
      const known = isOwn(record.id) ? this.memory.get(record.id) : undefined;
      if (known === undefined) return record;
      const interfaces = record.interfaces.map((one) => {
        const same = known.interfaces.find((other) => isSameInterface(other, one));
        return same ?? one;
      });
      return { ...record, interfaces };
    });
  }

  /** Deletes it with all that is an emitter's. @returns false where there is none */
  delete(change: Change, id: string): boolean {
    const { keys } = this.#engine;
    const key = keys.get(id);
    if (key === undefined || !this.memory.has(id)) return false;
    for (const sql of deletions) change.run(sql, [key.row]);
    this.#records.delete(change, id);
    keys.remove(id);
    return true;
  }

  /** @throws WeirError('conflict') for one that another emitter has, or that is there twice */
  #requireFree(interfaces: readonly InterfaceRecord[], ofEmitter: string | undefined): void {
    const taken = new Set(
      this.memory
        .all()
        .flatMap((one) => (one.id === ofEmitter ? [] : one.interfaces.map(({ id }) => id))),
    );
    for (const { id } of interfaces) {
      if (taken.has(id)) {
        throw new WeirError('conflict', `The store has such a record already (${id}).`);
      }
      taken.add(id);
    }
  }

  #writeInterfaces(change: Change, row: number, interfaces: readonly InterfaceRecord[]): void {
    for (const one of interfaces) {
      change.run(
        `INSERT INTO interfaces (row, emitter, id, prop, kind, interval_seconds, cron, timezone, next_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          this.#engine.numbers.next(),
          row,
          one.id,
          one.prop,
          one.kind,
          one.intervalSeconds,
          one.cron,
          one.timezone,
          one.nextAt,
        ],
      );
    }
  }
}

/** Adds their interfaces to records that were read. One whose emitter is not known yet was made just now. */
export function withInterfaces<R extends EmitterRecord>(
  engine: Engine,
): (records: readonly R[]) => Promise<R[]> {
  return async (records) => {
    const interfaces = await interfacesByEmitter(engine);
    return records.flatMap((record) => {
      const row = engine.keys.rowOf(record.id);
      return row === undefined ? [] : [{ ...record, interfaces: interfaces.get(row) ?? [] }];
    });
  };
}

/** Of each emitter's row, in declaration order. */
async function interfacesByEmitter(
  engine: Engine,
): Promise<ReadonlyMap<number, InterfaceRecord[]>> {
  const all = new Map<number, InterfaceRecord[]>();
  for (const row of await engine.read('SELECT * FROM interfaces ORDER BY row')) {
    const emitter = number(row, 'emitter');
    const found = all.get(emitter);
    if (found === undefined) all.set(emitter, [readInterface(row)]);
    else found.push(readInterface(row));
  }
  return all;
}

function readInterface(row: Row): InterfaceRecord {
  const intervalSeconds = numberOrNull(row, 'interval_seconds');
  const cron = textOrNull(row, 'cron');
  const timezone = textOrNull(row, 'timezone');
  const nextAt = numberOrNull(row, 'next_at');
  return {
    id: text(row, 'id'),
    prop: text(row, 'prop'),
    kind: text(row, 'kind') as InterfaceRecord['kind'],
    ...(intervalSeconds === null ? {} : { intervalSeconds }),
    ...(cron === null ? {} : { cron }),
    ...(timezone === null ? {} : { timezone }),
    ...(nextAt === null ? {} : { nextAt }),
  };
}

/** Whether they are one interface, and tick at the same times (pure). */
function isSameInterface(a: InterfaceRecord, b: InterfaceRecord): boolean {
  return (
    a.id === b.id &&
    a.cron === b.cron &&
    a.timezone === b.timezone &&
    a.intervalSeconds === b.intervalSeconds
  );
}
