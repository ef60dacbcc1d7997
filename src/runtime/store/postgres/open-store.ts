import type { Client, Pool } from 'pg';
import { WeirError } from '../../../protocol/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Store } from '../store.ts';
import { createHotPath } from './commit/hot-path.ts';
import {
  connect,
  endClient,
  endPool,
  losePool,
  placeOf,
  poolOf,
  postgresFailure,
} from './connection.ts';
import { EmitterKeys } from './emitter-keys.ts';
import { type Engine, readerOf } from './engine.ts';
import { number, text } from './fields.ts';
import { Membership } from './membership.ts';
import { movedTo } from './moved-setting.ts';
import { Numbers } from './numbers.ts';
import { createOwnership } from './ownership.ts';
import type { Row } from './row-table.ts';
import type { KeyCheck, StoreNode } from '../store-node.ts';
import { migrate } from './schema.ts';
import { refuseUnfitServer } from './server-check.ts';
import { createEventSearch } from './search.ts';
import { createDeliveries } from './tables/deliveries.ts';
import { createEvents } from './tables/events.ts';
import { createExecutions } from './tables/executions.ts';
import { createInvocations } from './tables/invocations.ts';
import { createCode } from './tables/code.ts';
import { createLogs } from './tables/logs.ts';
import { createScheduledEmits } from './tables/scheduled-emits.ts';
import { createSends } from './tables/sends.ts';
import { createSharedStore } from './shared.ts';
import { createStreams } from './tables/streams.ts';
import {
  announce,
  fence,
  lead,
  leaveChannel,
  lookAtActive,
  nodesOf,
  type Queries,
  readSetting,
  removeNode,
} from './node.ts';
import { createActionRuns } from '../tables/action-runs.ts';
import { openConfiguration } from '../tables/configuration.ts';
import { emittersOf, tableEngine } from './table-engine.ts';
import { Writer } from './writer.ts';
import type { BaseServices } from '../../base/services.ts';

/** A node's numbers are no further ahead of the time, unless its clock was set. */
const mostAheadMs = 1000;

export { checkDatabase } from './check-database.ts';
export { MoveConnection } from './move-connection.ts';

export interface PostgresOptions extends Pick<BaseServices, 'clock'> {
  /** `postgres://user@host/database` */
  readonly url: string;
  /** Version of Weir, for people who look at the nodes. */
  readonly version: string;
  /** A node that does not renew its lease for this long may be replaced; 5000 ms unless given. */
  readonly leaseMs?: number;
  /** The key that seals secrets: a node with another key cannot join. Not checked unless given. */
  readonly key?: KeyCheck;
  /**
   * Called when nothing can be written any more, and for a single refused write.
   * @param fault the thrown error, if it was a mistake of Weir
   */
  readonly onFailure?: (failure: WeirError, fault?: unknown) => void;
}

const defaultLeaseMs = 5000;
/** How long a store that is being closed waits for its last group, in ms. */
const longestGroupMs = 6000;

/**
 * Opens the store on a database of PostgreSQL 14 or newer, and joins the runtimes on it.
 * Rejects as `joinPostgres` does.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const node = await joinPostgres(options);
  try {
    return await node.openStore(undefined, true);
  } catch (error) {
    await node.leave().catch(() => undefined);
    throw error;
  }
}

/**
 * Joins the nodes on a database of PostgreSQL 14 or newer.
 * Rejects with WeirError('store_failed'): no server or one that does not fit, a schema of a newer version of Weir,
 * another key.
 */
export async function joinPostgres(options: PostgresOptions): Promise<StoreNode> {
  const { url } = options;
  let client: Client | undefined;
  try {
    client = await connect(url, 'writes', options.leaseMs ?? defaultLeaseMs);
    await refuseUnfitServer(client, url);
    await migrate(client, options.key);
    const { leaseMs = defaultLeaseMs, clock, version } = options;
    const membership = await Membership.join(client, url, leaseMs, clock, version);
    await refuseMoved(client, url, membership);
    const corrected: Clock = {
      now: () => clock.now() + membership.clockOffMs,
      elapsed: () => clock.elapsed(),
      after: (ms, callback) => clock.after(ms, callback),
    };
    return createNode(client, membership, { ...options, clock: corrected });
  } catch (error) {
    if (client !== undefined) await endClient(client, options.clock);
    throw postgresFailure(url, error);
  }
}

/** @param withinMs longest that a query may take; that of the pool unless given */
function told(url: string, pool: Pool, withinMs?: number): Queries {
  const query = async (text: string, values?: unknown[]): Promise<unknown> => {
    const limit = withinMs === undefined ? {} : { query_timeout: withinMs };
    try {
      return await pool.query({ text, ...(values && { values }), ...limit });
    } catch (error) {
      throw postgresFailure(url, error);
    }
  };
  return { query: query as Queries['query'] };
}

function createNode(client: Client, membership: Membership, options: PostgresOptions): StoreNode {
  const { url } = options;
  const pool = poolOf(url, 1);
  /** Failures become one sentence, like all failures of the store. */
  const queries = told(url, pool);
  /** For queries that the node's loop waits for: it must notice in time that the server is silent. */
  const quick = told(url, pool, membership.leaseMs);
  const { id } = membership;
  let store: Promise<Store> | undefined;
  let tell = options.onFailure;
  return {
    get isPaused() {
      return membership.isPaused;
    },
    get isLost() {
      return membership.isLost;
    },
    id,
    clock: options.clock,
    openStore(onFailure = options.onFailure, waits = false) {
      tell = onFailure;
      store ??= storeOn(client, membership, {
        ...options,
        onFailure: (...failure) => tell?.(...failure),
        waits,
      });
      return store;
    },
    nodes: () => nodesOf(quick),
    fence: (other) => fence(queries, other),
    fenceLate: () => membership.fenceOthers(queries),
    announce: (address) => announce(queries, id, address),
    async onLeave(listener) {
      client.on('notification', listener);
      await client.query(`LISTEN ${leaveChannel}`);
    },
    lookAtActive: () => lookAtActive(quick, id),
    async lead() {
      await membership.fenceOthers(queries);
      return await lead(queries, id);
    },
    code: createCode(async (sql, values = []) => (await queries.query<Row>(sql, [...values])).rows),
    setting: (key) => readSetting(quick, key),
    async leave() {
      try {
        if (store !== undefined) await (await store).close();
        else await leaveAlone();
      } finally {
        await endPool(pool, options.clock);
      }
    },
  };

  async function leaveAlone(): Promise<void> {
    const wasIn = membership.isIn;
    membership.leave();
    await membership.idle();
    if (wasIn) await removeNode(quick, id).catch(() => undefined);
    await endClient(client, options.clock);
  }
}

/** Once it has joined: while a store is moved nobody joins. @throws WeirError('store_failed') that says where it is now */
async function refuseMoved(client: Client, url: string, membership: Membership): Promise<void> {
  const { rows } = await client.query<{ value: string }>(
    'SELECT value FROM settings WHERE key = $1',
    [movedTo],
  );
  const [moved] = rows;
  if (moved === undefined) return;
  membership.leave();
  await client.query('DELETE FROM nodes WHERE id = $1', [membership.id]);
  throw new WeirError(
    'store_failed',
    `The store in ${placeOf(url)} was moved to ${moved.value} (host and data folder): start that one.`,
  );
}

async function storeOn(
  client: Client,
  membership: Membership,
  {
    url,
    clock,
    leaseMs = defaultLeaseMs,
    onFailure = () => undefined,
    waits,
  }: PostgresOptions & { readonly waits: boolean },
): Promise<Store> {
  const writer = new Writer(url, client, membership, clock, onFailure);
  const pool = poolOf(url);
  const { onLost } = membership;
  membership.onLost = () => {
    onLost();
    losePool(pool);
  };
  const keys = new EmitterKeys();
  const read = readerOf(url, pool, writer);
  const numbers = new Numbers(membership.slot, () => clock.now());
  const engine: Engine = {
    writer,
    keys,
    numbers,
    membership,
    configuration: { changes: 0 },
    read,
  };
  let closing: Promise<void> | undefined;
  for (const row of await read('SELECT row, id FROM emitters ORDER BY row')) {
    keys.add(text(row, 'id'), number(row, 'row'));
  }
  const configuration = await openConfiguration(tableEngine(engine), emittersOf(engine), () =>
    writer.flush(),
  );
  const { dataStores, ...tables } = configuration.tables;
  const logs = createLogs(engine);
  const invocations = createInvocations(engine);
  const sends = createSends(engine);
  const streams = createStreams(engine);
  const deliveries = createDeliveries(engine, tables.webhooks);
  const scheduledEmits = createScheduledEmits(engine);
  return {
    flush: () => writer.flush(),
    inPlace: () => true,
    async copyTo() {
      throw new WeirError('bad_input', `The store is ${placeOf(url)}: copy it with pg_dump.`);
    },
    fail: (reason) => writer.fail(reason),
    get failure() {
      return writer.failure;
    },
    get unreachable() {
      return writer.unreachable;
    },
    close() {
      closing ??= close();
      return closing;
    },
    ownership: createOwnership(
      engine,
      invocations,
      deliveries,
      scheduledEmits,
      sends,
      clock,
      leaseMs,
      () => membership.fenceOthers(pool),
      waits,
    ),
    shared: createSharedStore(engine, configuration),
    ...tables,
    actionRuns: createActionRuns(tableEngine(engine), {
      row: { node: membership.id },
      // Runs of nodes that left or were fenced.
      lost: () => ['(node IS NULL OR node NOT IN (SELECT id FROM nodes WHERE fenced_at IS NULL))'],
    }),
    invocations,
    events: createEvents(engine, createEventSearch(engine)),
    scheduledEmits,
    logs,
    deliveries,
    dataStores,
    executions: createExecutions(engine, invocations, logs),
    sends,
    streams,
    ...createHotPath(engine, {
      logs,
      timers: configuration.timers,
      webhooks: tables.webhooks,
      sends,
      streams,
    }),
  };

  /** Gives back what it owns, so that the next one need not wait for the lease. */
  async function close(): Promise<void> {
    const hasFailed = writer.failure !== undefined;
    writer.stop(new WeirError('store_failed', `The store ${placeOf(url)} is closed.`));
    await writer.settledWithin(longestGroupMs);
    const ahead = Math.min(numbers.ahead, mostAheadMs);
    if (ahead > 0) await new Promise<void>((resolve) => void clock.after(ahead, resolve));
    membership.leave();
    await membership.idle();
    // Connections that are idle may be dead, which nobody tells: these are new ones.
    losePool(pool);
    try {
      if (!hasFailed) await leave();
    } catch (error) {
      throw postgresFailure(url, error);
    } finally {
      await Promise.all([writer.end(), endPool(pool, clock)]);
    }
  }

  async function leave(): Promise<void> {
    const { id } = membership;
    await pool.query(
      `WITH me AS (SELECT 1 FROM nodes WHERE id = $1 AND fenced_at IS NULL FOR SHARE)
       UPDATE emitters SET node = NULL, released = true WHERE node = $1 AND EXISTS (SELECT 1 FROM me)`,
      [id],
    );
    await removeNode(pool, id);
  }
}
