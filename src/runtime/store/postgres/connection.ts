import {
  Client,
  type ClientConfig,
  type CustomTypesConfig,
  Pool,
  type QueryConfig,
  types,
} from 'pg';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { plainText } from './text.ts';

/** Oids of the columns whose values are not what `pg` makes of them. */
const [int8, text] = [20, 25];

/** Longest that a new connection may take to be ready, in ms. */
const connectWithinMs = 10_000;

/** Longest that a read may take, in ms. */
const readWithinMs = 60_000;

const readBigint = (value: string): number => Number(value);

/** Numbers of 64 bits are numbers: none goes beyond 2^53. */
const ownTypes: CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8) return readBigint;
    if (oid === text) return plainText;
    return types.getTypeParser(oid, format) as (value: string) => unknown;
  },
};

/** Connections of one purpose have its name, for people who look at the server. */
export function configOf(url: string, purpose: string): ClientConfig {
  return {
    connectionString: url,
    application_name: `weir ${purpose}`,
    types: ownTypes,
    keepAlive: true,
    connectionTimeoutMillis: connectWithinMs,
  };
}

/**
 * Rejects with what `pg` says. Its later errors are those of the queries under way.
 * @param idleMs longest that a transaction waits for its next statement: who was stopped in the middle of one must not
 * keep others from taking over
 */
export async function connect(url: string, purpose: string, idleMs?: number): Promise<Client> {
  const client = new Client({
    ...configOf(url, purpose),
    ...(idleMs !== undefined && { idle_in_transaction_session_timeout: idleMs }),
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // A limit that the server sets for everybody would end accepted work that only waits.
    await client.query({
      text: 'SET statement_timeout = 0; SET lock_timeout = 0',
      query_timeout: connectWithinMs,
    } as QueryConfig);
  } catch (error) {
    // A server that has not answered would not answer to an end, either.
    lose(client);
    throw error;
  }
  return client;
}

/**
 * For a quick connection: one that has not answered in time counts as lost. Its query may be done all the same.
 * @param ms the longest that it may take
 */
export async function answeredWithin<T>(
  client: Client,
  ms: number,
  clock: Pick<Clock, 'after'>,
  ask: () => Promise<T>,
): Promise<T> {
  const cancel = clock.after(ms, () => lose(client));
  try {
    return await ask();
  } finally {
    cancel();
  }
}

/** A server that does not answer does not end a connection, either: after so long it is cut, in ms. */
const endWithinMs = 1000;

/** Ends a connection, whether or not its server answers. Never rejects. */
export async function endClient(client: Client, clock: Pick<Clock, 'after'>): Promise<void> {
  const cancel = clock.after(endWithinMs, () => lose(client));
  await client.end().catch(() => undefined);
  cancel();
}

/** Ends all connections of a pool, whether or not the server answers. Never rejects. */
export async function endPool(pool: Pool, clock: Pick<Clock, 'after'>): Promise<void> {
  const cancel = clock.after(endWithinMs, () => losePool(pool));
  await pool.end().catch(() => undefined);
  // The pool does not wait for connections that it has given up, but their sockets would keep the process alive.
  if (clientsOf.get(pool)?.size === 0) cancel();
}

/** Queries in progress on its connections fail at once. Later queries get new connections. */
export function losePool(pool: Pool): void {
  for (const client of clientsOf.get(pool) ?? []) lose(client);
}

/** The connections of each pool. */
const clientsOf = new WeakMap<Pool, Set<Client>>();

/** Queries in progress on it fail at once; the server may notice later. */
export function lose(client: Client): void {
  const { connection } = client as unknown as {
    readonly connection: { readonly stream: { destroy(error: Error): void } };
  };
  connection.stream.destroy(new Error('The server did not answer in time.'));
}

/** For reads. */
export function poolOf(url: string, max = 3): Pool {
  const pool = new Pool({
    ...configOf(url, 'reads'),
    max,
    query_timeout: readWithinMs,
    allowExitOnIdle: true,
  });
  pool.on('error', () => undefined);
  const clients = new Set<Client>();
  clientsOf.set(pool, clients);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    clients.add(client);
    client.once('end', () => clients.delete(client));
  });
  return pool;
}

/**
 * SQLSTATEs that say nothing against the write itself: it succeeds when the server is well again. 08: connection. 53: a full
 * disk, no memory, too many connections. 58: an error of the disk. 57: the server ends or starts, or an operator ended
 * the query. 40: a deadlock. 25006: the server takes reads only, as one that was just replaced.
 */
const passing = /^(?:08|53|58|57|40|25006)/u;

/** Whether the server refused the write for what is in it. Otherwise the write may be tried again on a new connection. */
export function isRefusal(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/u.test(code) && !passing.test(code);
}

/** The address of the server, without a password. */
export function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `postgres://${host}${pathname}`;
  } catch {
    return 'PostgreSQL';
  }
}

/** The server, and its error, as one sentence. */
export function postgresFailure(url: string, error: unknown): WeirError {
  if (WeirError.is(error)) return error;
  return new WeirError(
    'store_failed',
    `The store ${placeOf(url)} could not be read or written (${messageOf(error)}): check that the server runs, and takes this user and password.`,
    undefined,
    error,
  );
}
