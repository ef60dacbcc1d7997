import type { Client } from 'pg';
import { WeirError } from '../../../protocol/errors.ts';
import { kindOf } from '../../../protocol/ids.ts';
import type { Clock } from '../../clock.ts';
import type { Store } from '../store.ts';
import { createHotPath } from './commit/hot-path.ts';
import { connect, placeOf, poolOf, postgresFailure } from './connection.ts';
import { EmitterKeys } from './emitter-keys.ts';
import { type Engine, readerOf, write } from './engine.ts';
import { number, text } from './fields.ts';
import { Membership } from './membership.ts';
import { Numbers } from './numbers.ts';
import { createOwnership } from './ownership.ts';
import { migrate } from './schema.ts';
import { createEventSearch } from './search.ts';
import { createAccounts } from './tables/accounts.ts';
import { createComponents } from './tables/components.ts';
import { createDataStores } from './tables/data-stores.ts';
import { createDeliveries } from './tables/deliveries.ts';
import { createEvents } from './tables/events.ts';
import { createExecutions } from './tables/executions.ts';
import { createInvocations } from './tables/invocations.ts';
import { createLogs } from './tables/logs.ts';
import { createScheduledEmits } from './tables/scheduled-emits.ts';
import { createSends } from './tables/sends.ts';
import { createSettings } from './tables/settings.ts';
import { createSources } from './tables/sources.ts';
import { createStreams } from './tables/streams.ts';
import { createAutoSubscriptions, createSubscriptions } from './tables/subscriptions.ts';
import { createWebhooks } from './tables/webhooks.ts';
import { createWorkflows } from './tables/workflows.ts';
import { Writer } from './writer.ts';

export interface PostgresOptions {
  /** `postgres://user@host/database` */
  readonly url: string;
  readonly clock: Pick<Clock, 'now' | 'elapsed' | 'after'>;
  /** Of Weir, for whoever looks at the nodes. */
  readonly version: string;
  /** Who is not heard of for so long may be replaced; 5000 ms unless given. */
  readonly leaseMs?: number;
  /**
   * Told when nothing can be written any more, and of a write that was refused by itself.
   * @param fault what was thrown, when it was a mistake of Weir
   */
  readonly onFailure?: (failure: WeirError, fault?: unknown) => void;
}

/**
 * Opens the store on a database of PostgreSQL 14 or newer, and joins the runtimes on it.
 * Rejects with WeirError('store_failed'): no server, an older one, a schema of a newer version of Weir.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url } = options;
  let client: Client | undefined;
  try {
    client = await connect(url, 'writes');
    await refuseOldServer(client, url);
    await migrate(client);
    return await storeOn(client, options);
  } catch (error) {
    await client?.end().catch(() => undefined);
    throw postgresFailure(url, error);
  }
}

async function refuseOldServer(client: Client, url: string): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    `SELECT current_setting('server_version_num') AS version`,
  );
  const version = Math.floor(Number(rows[0]?.version) / 10_000);
  if (version >= 14) return;
  throw new WeirError(
    'store_failed',
    `${placeOf(url)} is PostgreSQL ${version}: Weir needs 14 or newer.`,
  );
}

async function storeOn(
  client: Client,
  { url, clock, version, leaseMs = 5000, onFailure = () => undefined }: PostgresOptions,
): Promise<Store> {
  const membership = await Membership.join(client, url, leaseMs, clock, version);
  const writer = new Writer(url, client, membership, clock, onFailure);
  const pool = poolOf(url);
  const keys = new EmitterKeys();
  const read = readerOf(url, pool, writer);
  const numbers = new Numbers(membership.slot, () => clock.now());
  const engine: Engine = { writer, keys, numbers, membership, read };
  let closing: Promise<void> | undefined;
  for (const row of await read('SELECT row, id FROM emitters ORDER BY row')) {
    keys.add(text(row, 'id'), number(row, 'row'));
  }
  const logs = createLogs(engine);
  const invocations = createInvocations(engine);
  const subscriptions = await createSubscriptions(engine);
  const autoSubscriptions = await createAutoSubscriptions(engine);
  const sources = await createSources(engine, subscriptions, autoSubscriptions);
  const workflows = await createWorkflows(engine, subscriptions, autoSubscriptions);
  const sends = createSends(engine);
  const streams = createStreams(engine);
  const webhooks = await createWebhooks(engine, subscriptions, autoSubscriptions);
  const deliveries = createDeliveries(engine, webhooks);
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
    close() {
      closing ??= close();
      return closing;
    },
    ownership: createOwnership(
      engine,
      invocations,
      deliveries,
      scheduledEmits,
      clock,
      leaseMs,
      () => membership.fenceOthers(pool),
    ),
    settings: await createSettings(engine),
    components: await createComponents(engine, () => [
      ...sources.all().map(({ componentId }) => componentId),
      ...workflows.componentIds(),
    ]),
    sources: {
      ...sources,
      // Timers belong to sources and to workflows.
      setNextTick: ({ id, fence }, interfaceId, nextAt) =>
        write(engine, (change) => {
          keys.owned(id, fence);
          const table = kindOf(id) === 'workflow' ? workflows : sources;
          table.requireInterface(id, interfaceId);
          table.moveTick(change, id, interfaceId, nextAt);
        }),
    },
    workflows,
    webhooks,
    subscriptions,
    autoSubscriptions,
    accounts: await createAccounts(engine),
    invocations,
    events: createEvents(engine, createEventSearch(engine)),
    scheduledEmits,
    logs,
    deliveries,
    dataStores: await createDataStores(engine),
    executions: createExecutions(engine, invocations, logs),
    sends,
    streams,
    ...createHotPath(engine, {
      logs,
      sources,
      workflows,
      webhooks,
      scheduledEmits,
      sends,
      streams,
    }),
  };

  /** Gives back what it owns, so that the next one need not wait for the lease. */
  async function close(): Promise<void> {
    const hasFailed = writer.failure !== undefined;
    writer.stop(new WeirError('store_failed', `The store ${placeOf(url)} is closed.`));
    await writer.settled();
    membership.leave();
    await membership.idle();
    try {
      if (!hasFailed) await leave();
    } catch (error) {
      throw postgresFailure(url, error);
    } finally {
      await Promise.allSettled([writer.end(), pool.end()]);
    }
  }

  async function leave(): Promise<void> {
    const { id } = membership;
    await pool.query(
      `WITH me AS (SELECT 1 FROM nodes WHERE id = $1 AND fenced_at IS NULL FOR SHARE)
       UPDATE emitters SET node = NULL, released = true WHERE node = $1 AND EXISTS (SELECT 1 FROM me)`,
      [id],
    );
    await pool.query('DELETE FROM groups WHERE node = $1', [id]);
    await pool.query('DELETE FROM nodes WHERE id = $1 AND fenced_at IS NULL', [id]);
  }
}
