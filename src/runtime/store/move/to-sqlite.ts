/** From a database of PostgreSQL that no node has open into a new file of SQLite. */
import { WeirError } from '../../../protocol/errors.ts';
import type { Trigger } from '../../../protocol/host.ts';
import type { MoveConnection } from '../postgres/move-connection.ts';
import { numberAt } from '../postgres/numbers.ts';
import type { Row } from '../schema/column.ts';
import type { Connection } from '../sqlite/wasm/connection.ts';
import { Checksums } from './checksums.ts';
import { Counter, type Watch } from './progress.ts';
import { counted, type NextNumbers, sqliteRows } from './sqlite-rows.ts';
import { type MovedTable, movedTables, ownSettings, selectOf } from './tables.ts';
import { bytesOf } from './to-postgres.ts';

/**
 * Writes everything into an empty store of the latest schema, reads it again and compares.
 * @throws WeirError('cancelled'), `store_failed`
 */
export async function writeToSqlite(
  postgres: MoveConnection,
  db: Connection,
  watch: Watch,
): Promise<Checksums> {
  const total = await countRows(postgres);
  const read = new Checksums();
  const writing = new Counter(watch, 'Writing', total);
  const events = new EventPlaces(db);
  db.run('BEGIN');
  // Their numbers are known to others, those of events are not: they take what is left.
  const tables = movedTables.toSorted((one, other) => places(one) - places(other));
  for (const table of tables) {
    const put = writerOf(db, table, events);
    const select = selectOf(table, 'postgres', true);
    for await (const rows of postgres.batches(select, bytesOf)) {
      for (const row of rows) {
        read.add(table, row['owner'] as number | null, row);
        put(row);
      }
      writing.count(rows.length, table.name);
    }
  }
  events.end();
  await writeNumbers(postgres, db);
  db.run('COMMIT');
  const written = new Checksums();
  const comparing = new Counter(watch, 'Comparing', total);
  for (const table of movedTables) {
    for (const { row, emitter } of sqliteRows(db, table)) {
      written.add(table, emitter, row);
      comparing.count(1, table.name);
    }
    // Others have their turn, and Ctrl-C.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const different = read.differenceFrom(written);
  if (different === undefined) return read;
  throw new WeirError(
    'store_failed',
    `What was written is not what ${postgres.place} has (${different.table}): nothing was moved, and this is an error in Weir itself.`,
  );
}

const places = ({ name }: MovedTable): number => (name === 'events' ? 1 : 0);

async function countRows(postgres: MoveConnection): Promise<number> {
  const counts = movedTables.map(({ name }) => `(SELECT count(*) FROM ${name})`);
  const [row] = await postgres.query(`SELECT ${counts.join(' + ')} AS rows`);
  return Number(row?.['rows']);
}

function writerOf(db: Connection, table: MovedTable, events: EventPlaces): (row: Row) => void {
  const { name } = table;
  if (name === 'events') return (row) => events.put(row);
  if (name === 'invocations') return invocationWriter(db, table);
  const put = inserter(db, name, columnsIn(table));
  if (name === 'scheduled_emits') {
    return (row) => {
      put(withDedupeId(row));
      events.reserve(row);
    };
  }
  if (name === 'workflow_deployments') {
    const uses = inserter(db, 'workflow_components', ['deployment', 'component_id']);
    return (row) => {
      put(row);
      const components = JSON.parse(row['components'] as string) as Record<string, string>;
      for (const id of new Set(Object.values(components))) {
        uses({ deployment: row['id'], component_id: id });
      }
    };
  }
  return put;
}

/** The columns that SQLite has, under its own names. */
function columnsIn({ columns }: Pick<MovedTable, 'columns'>): string[] {
  const held = Object.entries(columns).flatMap(([name, { sqlite = name }]) => {
    if (sqlite === name) return [name];
    return /^\w+$/u.test(sqlite) ? [`${name} AS ${sqlite}`] : [];
  });
  return 'dedupe_text' in columns ? [...held, 'dedupe_id'] : held;
}

function withDedupeId(row: Row): Row {
  return { ...row, dedupe_id: row['dedupe_text'] ?? row['dedupe_number'] };
}

/** @param columns with the name that the row has for it first, where that is another (`emitter AS source`) */
function inserter(db: Connection, table: string, columns: readonly string[]): (row: Row) => void {
  const pairs = columns.map((one) => one.split(' AS '));
  const names = pairs.map(([from = '', to = from]) => to);
  const places = names.map(() => '?').join(', ');
  const insert = db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`);
  return (row) => insert.run(...pairs.map(([from = '']) => row[from]));
}

/** The trigger is stored separately, an event's payload as text. */
function invocationWriter(db: Connection, table: MovedTable): (row: Row) => void {
  const { meta: _meta, body: _body, ...columns } = table.columns;
  const put = inserter(db, table.name, columnsIn({ columns }));
  const putTrigger = inserter(db, 'triggers', ['n', 'meta', 'body']);
  return (row) => {
    put({ ...row, logs: row['logs'] ?? 0 });
    const meta = row['meta'];
    if (typeof meta !== 'string') return;
    const { kind } = JSON.parse(meta) as Pick<Trigger, 'kind'>;
    const body = row['body'] as Buffer | null;
    putTrigger({ n: row['n'], meta, body: kind === 'event' ? (body?.toString() ?? '') : body });
  };
}

/**
 * Where SQLite keeps events: under internal numbers, with the events of a run adjacent. They are assigned again, in the
 * order of the runs, and skip the numbers of scheduled emits.
 */
class EventPlaces {
  readonly #db: Connection;
  readonly #taken = new Set<number>();
  readonly #put: (row: Row) => void;
  readonly #leg: (row: Row) => void;
  #next = 1;
  #run: { readonly n: number; readonly emitter: number; readonly first: number } | undefined;
  #count = 0;

  constructor(db: Connection) {
    this.#db = db;
    const events = movedTables.find(({ name }) => name === 'events');
    this.#put = inserter(db, 'events', ['n', ...columnsIn({ columns: events?.columns ?? {} })]);
    this.#leg = inserter(db, 'leg_events', ['execution', 'first', 'count']);
  }

  /** Reserves the number of a waiting emit, which its event will have. */
  reserve(row: Row): void {
    this.#taken.add(row['n'] as number);
    this.#leg({ execution: row['invocation'], first: row['n'], count: 1 });
    this.#db
      .prepare('UPDATE invocations SET scheduled = scheduled + 1 WHERE emitter = ? AND n = ?')
      .run(row['emitter'], row['invocation']);
  }

  /** Sorted by invocation, notices last. */
  put(row: Row): void {
    const n = row['invocation'] as number;
    if (this.#run?.n !== n) {
      this.end();
      this.#run = { n, emitter: row['emitter'] as number, first: this.#free() };
    }
    const place = this.#free();
    this.#next = place + 1;
    if (row['kind'] !== 2) this.#count = place + 1 - this.#run.first;
    this.#put({ ...withDedupeId(row), n: place });
  }

  /** Says where the events of the run begin, and how many numbers they span. */
  end(): void {
    const run = this.#run;
    if (run !== undefined && this.#count > 0) {
      this.#db
        .prepare(
          `UPDATE invocations SET first_event = ?1, scheduled = max(scheduled, ?2 - emitted - dropped)
           WHERE emitter = ?3 AND n = ?4`,
        )
        .run(run.first, this.#count, run.emitter, run.n);
    }
    this.#run = undefined;
    this.#count = 0;
  }

  #free(): number {
    let n = this.#next;
    while (this.#taken.has(n)) n += 1;
    return n;
  }
}

const rowsOf = {
  invocation: 'SELECT n FROM invocations',
  event: 'SELECT n FROM events UNION ALL SELECT n FROM scheduled_emits',
  delivery: 'SELECT n FROM deliveries',
};
const numbered = [...Object.values(rowsOf), ...counted.map((name) => `SELECT n FROM ${name}`)];

/** Assigned numbers and fences are never assigned again, by whichever node. */
async function writeNumbers(postgres: MoveConnection, db: Connection): Promise<void> {
  const [saved] = await postgres.query('SELECT value FROM settings WHERE key = $1', [
    ownSettings.numbers,
  ]);
  const before = saved === undefined ? {} : (JSON.parse(saved['value'] as string) as NextNumbers);
  const [nodes] = await postgres.query(
    `SELECT is_called AS used, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
     FROM nodes_id_seq`,
  );
  // Nodes make them of the time, for all tables in common, and end when that time is over.
  const newest = numbered.map((rows) => `SELECT coalesce(max(n), 0) AS n FROM (${rows})`);
  const last = db.prepare(`SELECT max(n) AS n FROM (${newest.join(' UNION ALL ')})`);
  const byNodes =
    nodes?.['used'] === true
      ? Math.max(numberAt(nodes['now'] as number), last.get((row) => row.number('n')) ?? 0) + 1
      : 1;
  const next = (name: string, rows: string): number => {
    const newest = db.prepare(`SELECT coalesce(max(n), 0) AS n FROM (${rows})`);
    const after = (newest.get((row) => row.number('n')) ?? 0) + 1;
    return Math.max(before[name] ?? 1, after, byNodes);
  };
  const [owned] = await postgres.query('SELECT max(epoch) AS epoch FROM emitters');
  const fence = Math.max(before['fence'] ?? 0, (owned?.['epoch'] as number | null) ?? 0);
  inserter(db, 'settings', ['key', 'value'])({ key: 'fence', value: String(fence) });
  const put = inserter(db, 'numbers', ['name', 'next']);
  for (const [name, rows] of Object.entries(rowsOf)) put({ name, next: next(name, rows) });
  for (const name of counted) {
    db.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(name);
    inserter(db, 'sqlite_sequence', ['name', 'seq'])({
      name,
      seq: next(name, `SELECT n FROM ${name}`) - 1,
    });
  }
}
