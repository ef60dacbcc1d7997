import type { Client } from 'pg';
import { WeirError } from '../../../protocol/errors.ts';
import type { CodeTable } from '../code.ts';
import { connect, placeOf, postgresFailure } from './connection.ts';
import { insertStatement, type Row, type Rows } from './row-table.ts';
import type { KeyCheck } from '../store-node.ts';
import { migrate } from './schema.ts';
import { refuseUnfitServer } from './server-check.ts';
import { createCode } from './tables/code.ts';

/** About how many bytes are read at a time. */
const fetchBytes = 4 * 1024 * 1024;
const mostRows = 2000;
const lockTimeout = '55P03';

/**
 * A whole database in one transaction, with no node on it: for what moves a store from or to it. A node that starts
 * meanwhile waits until it ends.
 */
export class MoveConnection {
  /** Without a password. */
  readonly place: string;
  /** Code of the deployments, in the same transaction. */
  readonly code: CodeTable;
  readonly #client: Client;
  readonly #url: string;

  private constructor(url: string, client: Client) {
    this.#url = url;
    this.place = placeOf(url);
    this.#client = client;
    this.code = createCode((sql, values) => this.query(sql, values));
  }

  /**
   * @param key that seals the secrets of the store; not looked at unless given
   * @throws WeirError('store_failed') as a start would; WeirError('conflict') where a node is on it
   */
  static async open(url: string, key?: KeyCheck): Promise<MoveConnection> {
    let client: Client | undefined;
    try {
      client = await connect(url, 'move');
      await refuseUnfitServer(client, url);
      await migrate(client, key);
      const connection = new MoveConnection(url, client);
      await connection.#begin();
      return connection;
    } catch (error) {
      await client?.end().catch(() => undefined);
      throw postgresFailure(url, error);
    }
  }

  async #begin(): Promise<void> {
    await this.query('BEGIN');
    await this.query(`SET LOCAL lock_timeout = '10s'`);
    // A joining node writes a row there.
    try {
      await this.#client.query('LOCK TABLE nodes IN EXCLUSIVE MODE');
    } catch (error) {
      if ((error as { code?: unknown }).code !== lockTimeout) throw error;
      throw new WeirError(
        'conflict',
        `Another move of ${this.place} is under way: wait for its end, or for the server to notice that it was cut off.`,
      );
    }
    const [row] = await this.query(
      'SELECT count(*) AS count FROM nodes WHERE fenced_at IS NULL AND expires_at > clock_timestamp()',
    );
    const nodes = Number(row?.['count']);
    if (nodes === 0) return;
    throw new WeirError(
      'conflict',
      `${nodes === 1 ? 'A runtime has' : `${nodes} runtimes have`} ${this.place} open: stop all of them first. One that was killed is forgotten after a few seconds.`,
    );
  }

  async query(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#failing(async () => (await this.#client.query<Row>(sql, [...values])).rows);
  }

  async insert(parts: readonly Rows[]): Promise<void> {
    const { sql, values } = insertStatement(
      parts.filter(({ rows }) => rows.length > 0),
      { sql: 'nothing AS (SELECT 1)', values: [] },
      '',
    );
    await this.#failing(() => this.#client.query({ text: `${sql} SELECT 1`, values }));
  }

  /** Batches of a query's rows, of a size that fits into memory. @param sizeOf bytes of a row, about */
  async *batches(sql: string, sizeOf: (row: Row) => number): AsyncGenerator<Row[]> {
    await this.query(`DECLARE rows NO SCROLL CURSOR FOR ${sql}`);
    let count = 16;
    for (;;) {
      const rows = await this.query(`FETCH ${count} FROM rows`);
      if (rows.length === 0) break;
      yield rows;
      const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0) / rows.length;
      count = Math.min(mostRows, 2 * count, Math.max(1, Math.floor(fetchBytes / bytes)));
    }
    await this.query('CLOSE rows');
  }

  async commit(): Promise<void> {
    await this.query('COMMIT');
  }

  /** For the planner, which knows nothing yet of what was written. */
  async analyze(): Promise<void> {
    await this.query('ANALYZE');
  }

  /** Whatever was not committed has not happened. */
  async end(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  async #failing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw postgresFailure(this.#url, error);
    }
  }
}
