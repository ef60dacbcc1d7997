import type { Client } from 'pg';
import { WeirError } from '../../../protocol/errors.ts';
import { connect, placeOf } from './connection.ts';

/** The oldest that Weir takes. */
const oldest = 14;

/** Long enough for a notification on any network. */
const notifiedWithinMs = 5000;

/**
 * Reports later problems at the start.
 * @param client that is free; it listens to nothing afterwards
 * @throws WeirError('store_failed') for an older server, a server that accepts no writes, or a pooler in between
 */
export async function refuseUnfitServer(client: Client, url: string): Promise<void> {
  const { rows } = await client.query<{ version: string; is_standby: boolean }>(
    `SELECT current_setting('server_version_num') AS version, pg_is_in_recovery() AS is_standby`,
  );
  const [server] = rows;
  const version = Math.floor(Number(server?.version) / 10_000);
  if (version < oldest) {
    throw unfit(`${placeOf(url)} is PostgreSQL ${version}: Weir needs ${oldest} or newer.`);
  }
  if (server?.is_standby === true) {
    throw unfit(`${placeOf(url)} is a standby, which takes no writes: name the primary.`);
  }
  if (await hearsNotification(client, url)) return;
  throw unfit(
    `${placeOf(url)} passes no notifications on: connect to PostgreSQL itself, or to a pooler in session mode.`,
  );
}

function unfit(message: string): WeirError {
  return new WeirError('store_failed', message);
}

/** Through a pooler that lends a connection for a transaction, what one session waits for reaches it never. */
async function hearsNotification(client: Client, url: string): Promise<boolean> {
  const other = await connect(url, 'check');
  let cancel: () => void = () => undefined;
  try {
    const heard = new Promise<boolean>((resolve) => {
      client.once('notification', () => resolve(true));
      const timer = setTimeout(() => resolve(false), notifiedWithinMs);
      cancel = () => clearTimeout(timer);
    });
    await client.query('LISTEN weir_check');
    await other.query('NOTIFY weir_check');
    return await heard;
  } finally {
    cancel();
    await client.query('UNLISTEN weir_check');
    await other.end().catch(() => undefined);
  }
}
