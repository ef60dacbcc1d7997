import type { Client } from 'pg';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { type Value, valueOf } from './arrays.ts';
import type { Change, Step } from './change.ts';
import { answeredWithin, connect, endClient, isRefusal, lose, placeOf } from './connection.ts';
import type { Membership } from './membership.ts';
import { insertStatement, type Row, type Rows } from './row-table.ts';

/** A write and its waiting caller. */
interface Unit {
  readonly change: Change;
  readonly resolve: () => void;
  readonly reject: (error: WeirError) => void;
}

/** A group that only puts rows in and has no answer for so long: the connection counts as lost. */
const answerMs = 5000;
/** The same for a query that may delete many rows. */
const longAnswerMs = 120_000;
/** Without an answer for this long, callers get an error, in ms. */
const patienceMs = 1000;

/** Between two tries to reach the server, in ms. */
const retryMs = 50;

/**
 * Group commit over one connection. One group is on its way at a time; what is asked for meanwhile is the next one.
 * So what this node writes becomes visible in the order it was asked for.
 *
 * Every group checks, in its own transaction, that this node was not fenced: who fences it waits for a group under
 * way, and a later one writes nothing. A group also leaves its number, so that after a lost connection it is known
 * whether it was committed.
 */
export class Writer {
  readonly #url: string;
  readonly #clock: Pick<Clock, 'after' | 'elapsed'>;
  readonly #membership: Membership;
  readonly #onFailure: (failure: WeirError, fault?: unknown) => void;
  #client: Client;
  #waiting: Unit[] = [];
  #isRunning = false;
  #latest: Promise<void> = Promise.resolve();
  #number = 0;
  #failure: WeirError | undefined;
  /** Since when the group under way waits for an answer; undefined while none should take its time. */
  #askedAt: number | undefined;

  /**
   * @param onFailure called once with the reason why nothing can be written any more, and for each single refused write
   */
  constructor(
    url: string,
    client: Client,
    membership: Membership,
    clock: Pick<Clock, 'after' | 'elapsed'>,
    onFailure: (failure: WeirError, fault?: unknown) => void,
  ) {
    this.#url = url;
    this.#client = client;
    this.#membership = membership;
    this.#clock = clock;
    this.#onFailure = onFailure;
    // A group that may delete much is given minutes, but not by a server that is silent. It is looked up, and sent again.
    membership.onSilent = () => {
      if (this.#isRunning) lose(this.#client);
    };
    membership.onLost = () => {
      // Queries in progress would be refused; a silent connection would fail only after its timeout.
      lose(this.#client);
      this.fail(
        new WeirError(
          'store_failed',
          `Another runtime has taken over from this one on ${placeOf(url)}, because it was not heard of for too long.`,
        ),
      );
    };
  }

  get failure(): WeirError | undefined {
    return this.#failure;
  }

  /** Why what is asked for now would have to wait; undefined while the server answers. Nothing is lost. */
  get unreachable(): WeirError | undefined {
    const since = this.#askedAt;
    if (since === undefined || this.#clock.elapsed() - since < patienceMs) return undefined;
    return new WeirError(
      'store_failed',
      `${placeOf(this.#url)} does not answer: what was taken in is kept until it does. Try again.`,
    );
  }

  /** @throws WeirError('store_failed') when nothing is taken any more */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Resolves when it is on disk. @throws as `check` does */
  write(change: Change): Promise<void> {
    this.check();
    const durable = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
    });
    // `onFailure` reports writes that nobody waits for.
    change.memory.settled(durable).catch(() => undefined);
    this.#latest = durable;
    if (!this.#isRunning) void this.#run();
    return durable;
  }

  /** Resolves when everything that was asked for is on disk, or has failed. */
  async settled(): Promise<void> {
    await this.#latest.catch(() => undefined);
  }

  /** Resolves when everything that was asked for is on disk. Rejects as `write` does. */
  async flush(): Promise<void> {
    this.check();
    await this.#latest;
  }

  /** Waiting writes fail for this reason, and so does each write from now on. */
  fail(reason: WeirError): void {
    if (this.#failure !== undefined) return;
    this.#failure = reason;
    for (const unit of this.#waiting.splice(0)) unit.reject(reason);
    this.#onFailure(reason);
  }

  /** Takes no more writes. */
  stop(reason: WeirError): void {
    this.#failure ??= reason;
  }

  /** Writes in progress are cut off if the server does not answer within this time, in ms. */
  async settledWithin(ms: number): Promise<void> {
    const cancel = this.#clock.after(ms, () => lose(this.#client));
    await this.settled();
    cancel();
  }

  async end(): Promise<void> {
    await endClient(this.#client, this.#clock);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Writes requested in this turn are sent together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0));
    this.#isRunning = false;
  }

  async #send(units: readonly Unit[]): Promise<void> {
    const number = ++this.#number;
    for (;;) {
      if (this.#failure !== undefined && !this.#membership.isIn) break;
      try {
        const told = await this.#commit(units, number);
        this.#askedAt = undefined;
        if (told === undefined) return this.#lost(units);
        for (const tell of told) tell();
        for (const { resolve } of units) resolve();
        return;
      } catch (error) {
        if (isRefusal(error)) {
          this.#askedAt = undefined;
          return this.#refused(units, error);
        }
        this.#askedAt ??= this.#clock.elapsed();
        // A server with a full disk refuses at once, and takes connections still.
        await new Promise<void>((resolve) => void this.#clock.after(retryMs, resolve));
        if (await this.#reconnect(number)) {
          this.#askedAt = undefined;
          for (const { resolve } of units) resolve();
          return;
        }
      }
    }
    this.#lost(units);
  }

  /** Undefined when this node was fenced. */
  async #commit(
    units: readonly Unit[],
    number: number,
  ): Promise<readonly (() => void)[] | undefined> {
    const steps = units.flatMap(({ change }) => change.steps);
    const { id, session } = this.#membership;
    const fence = {
      sql: `fence AS MATERIALIZED (SELECT 1 FROM nodes WHERE id = $1 AND session = $2 AND fenced_at IS NULL FOR SHARE),
        mark AS (INSERT INTO groups SELECT $1, $3 FROM fence)`,
      values: [id, session, number],
    };
    const segments = segmentsOf(steps);
    const [only] = segments;
    const isPlain = segments.length === 0 || (segments.length === 1 && Array.isArray(only));
    if (isPlain) {
      const rows = Array.isArray(only) ? only : [];
      const inserts = insertStatement(rows, fence, 'WHERE EXISTS (SELECT 1 FROM fence)');
      const tables = rows.map(({ table }) => table.name).join('+');
      this.#askedAt ??= this.#clock.elapsed();
      const isIn = await this.#answered(answerMs, () => this.#fenced(inserts, `weir ${tables}`));
      return isIn ? [] : undefined;
    }
    return this.#answered(longAnswerMs, () => this.#transaction(segments, fence));
  }

  #answered<T>(ms: number, ask: () => Promise<T>): Promise<T> {
    return answeredWithin(this.#client, ms, this.#clock, ask);
  }

  async #transaction(
    segments: readonly Segment[],
    fence: { readonly sql: string; readonly values: Value[] },
  ): Promise<readonly (() => void)[] | undefined> {
    const told: (() => void)[] = [];
    await this.#client.query('BEGIN');
    try {
      if (!(await this.#fenced(insertStatement([], fence, ''), 'weir fence'))) {
        await this.#client.query('ROLLBACK');
        return undefined;
      }
      for (const segment of segments) {
        if (Array.isArray(segment)) {
          const { sql, values } = insertStatement(
            segment,
            { sql: 'fence AS (SELECT 1)', values: [] },
            '',
          );
          await this.#client.query({ text: `${sql} SELECT 1`, values });
          continue;
        }
        const { sql, values, onRows } = segment;
        const { rows } = await this.#client.query<Row>(sql, values.map(valueOf));
        if (onRows !== undefined) told.push(() => onRows(rows));
      }
      await this.#client.query('COMMIT');
      return told;
    } catch (error) {
      if (isRefusal(error)) await this.#client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async #fenced(
    { sql, values }: { readonly sql: string; readonly values: readonly unknown[] },
    name: string,
  ): Promise<boolean> {
    const query = { text: `${sql} SELECT count(*) AS count FROM fence`, values: [...values], name };
    // A name is cut after 63 bytes.
    const { name: _, ...unnamed } = query;
    const { rows } = await this.#client.query<{ count: number }>(
      name.length > 63 ? unnamed : query,
    );
    return rows[0]?.count === 1;
  }

  /** A write that the server does not take hurts no other: each is tried by itself. */
  async #refused(units: readonly Unit[], error: unknown): Promise<void> {
    const [only] = units;
    if (units.length > 1 || only === undefined) {
      for (const unit of units) await this.#send([unit]);
      return;
    }
    const isConflict = (error as { code?: string }).code?.startsWith('23') === true;
    const failure = isConflict
      ? new WeirError('conflict', `The store has such a record already (${messageOf(error)}).`)
      : new WeirError(
          'store_failed',
          `A write was refused, because of an error in Weir itself (${messageOf(error)}): nothing of it was stored.`,
          undefined,
          error,
        );
    only.reject(failure);
    if (!isConflict) this.#onFailure(failure, error);
  }

  #lost(units: readonly Unit[]): void {
    this.#membership.lose();
    const reason =
      this.#failure ?? new WeirError('store_failed', 'The store takes no writes any more.');
    for (const { reject } of units) reject(reason);
  }

  /**
   * A new connection, and a new session: what the old one had under way is done by then, or will be refused.
   * @returns whether the group was committed
   */
  async #reconnect(number: number): Promise<boolean> {
    void endClient(this.#client, this.#clock);
    for (;;) {
      if (this.#failure !== undefined) {
        this.#membership.leave();
        return false;
      }
      try {
        this.#client = await connect(this.#url, 'writes', this.#membership.leaseMs);
        if (!(await this.#membership.nextSession(this.#client))) return false;
        const { id } = this.#membership;
        const { rows } = await this.#answered(answerMs, () =>
          this.#client.query('SELECT 1 FROM groups WHERE node = $1 AND number = $2', [id, number]),
        );
        return rows.length > 0;
      } catch {
        void endClient(this.#client, this.#clock);
        await new Promise<void>((resolve) => void this.#clock.after(retryMs, resolve));
      }
    }
  }
}

type Segment = Rows[] | Exclude<Step, { readonly table: unknown }>;

/** Neighbours that put rows in are one statement, whatever tables they are of: they have different keys. */
function segmentsOf(steps: readonly Step[]): Segment[] {
  const segments: Segment[] = [];
  let open: Map<string, { table: Rows['table']; rows: Row[] }> | undefined;
  const close = (): void => {
    if (open === undefined) return;
    segments.push([...open.values()].toSorted((a, b) => (a.table.name < b.table.name ? -1 : 1)));
    open = undefined;
  };
  for (const step of steps) {
    if (!('table' in step)) {
      close();
      segments.push(step);
      continue;
    }
    open ??= new Map();
    const { table, row } = step;
    const found = open.get(table.name);
    if (found === undefined) open.set(table.name, { table, rows: [row] });
    else found.rows.push(row);
  }
  close();
  return segments;
}
