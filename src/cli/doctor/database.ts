/** Checks of `weir doctor` on a PostgreSQL database: the server, its nodes, the owners, and replication. */
import { messageOf } from '../../protocol/errors.ts';
import type { DatabaseCheck } from '../../runtime/main.ts';
import { loadRuntime } from '../runtime-bundle.ts';
import { bad, type Check, ok, warning } from './check.ts';

/** A transaction that is open for longer keeps dead rows from being removed, and everything becomes slower. */
const longSnapshotSeconds = 600;
/** Changes that a standby lags behind by this much are lost if it takes over. */
const longLagSeconds = 10;

export async function checkDatabase(url: string): Promise<Check[]> {
  try {
    const found = await loadRuntime().checkDatabase(url);
    return [checkServer(found), checkNodes(found), checkOwners(found), checkReplication(found)];
  } catch (error) {
    return [bad('database', messageOf(error), 'A start says the same, and leaves it as it is.')];
  }
}

function checkServer(found: DatabaseCheck): Check {
  const { place, server, schema, latestSchema, oldestSnapshotSeconds: seconds } = found;
  const what = `${place} is PostgreSQL ${server}`;
  if (seconds > longSnapshotSeconds) {
    return warning(
      'database',
      `${what}; a transaction has been open there for ${Math.round(seconds / 60)} minutes.`,
      'End it: meanwhile nothing that was deleted is cleaned up (pg_stat_activity, xact_start).',
    );
  }
  if (schema === 0) return ok('database', `${what}; the tables are made at the first start.`);
  if (schema < latestSchema) return ok('database', `${what}; the next start brings its tables up.`);
  return ok('database', `${what}, and has the tables of this version.`);
}

export function checkNodes({ nodes }: Pick<DatabaseCheck, 'nodes'>): Check {
  const name = 'nodes';
  if (nodes.length === 0) return ok(name, 'None runs.');
  const told = nodes.map(
    ({ id, version, address, isActive, isLate }) =>
      `${id} (${[address ?? 'starting', `Weir ${version}`, ...(isActive ? ['leads'] : []), ...(isLate ? ['not heard of'] : [])].join(', ')})`,
  );
  const found = `${told.join('; ')}.`;
  if (nodes.some(({ isLate }) => isLate)) {
    return warning(
      name,
      found,
      'One that is not heard of is replaced by another when there is one; start it again.',
    );
  }
  if (new Set(nodes.map(({ version }) => version)).size > 1) {
    return warning(
      name,
      found,
      'Update all of them to the same version: until then some may run nothing.',
    );
  }
  if (!nodes.some(({ isActive }) => isActive)) {
    return warning(name, found, 'None leads yet: look again in a few seconds.');
  }
  return ok(name, found);
}

function checkOwners({ nodes, emitters }: DatabaseCheck): Check {
  const { all, withoutOwner } = emitters;
  const shares = nodes.map(({ id, owned }) => `${owned} by node ${id}`).join(', ');
  const owned = `${all - withoutOwner} of ${all} sources and workflows have an owner${shares === '' ? '' : `: ${shares}`}.`;
  return nodes.length > 0 && withoutOwner > 0
    ? warning('owners', owned, 'The others are taken over when their lease has run out.')
    : ok('owners', nodes.length === 0 ? 'Whoever starts takes over everything.' : owned);
}

export function checkReplication({ standbys }: Pick<DatabaseCheck, 'standbys'>): Check {
  const name = 'replication';
  if (standbys.length === 0) {
    return ok(name, 'No standby is connected: the database is on that server alone.');
  }
  const told = standbys.map(
    ({ name: standby, state, sync, lagSeconds }) =>
      `${standby} (${state ?? 'hidden from this user'}, ${sync ?? 'hidden from this user'}, ${(lagSeconds ?? 0).toFixed(1)} s behind)`,
  );
  const found = `${told.join('; ')}.`;
  if (standbys.some(({ lagSeconds }) => (lagSeconds ?? 0) > longLagSeconds)) {
    return warning(name, found, 'Look at the standby and its network.');
  }
  const isSynchronous = standbys.some(({ sync }) => sync === 'sync' || sync === 'quorum');
  const isKnown = standbys.some(({ sync }) => sync !== null);
  if (isSynchronous || !isKnown) return ok(name, found);
  return warning(
    name,
    found,
    'When such a standby takes over, the last acknowledged events may be lost: make one synchronous (synchronous_standby_names).',
  );
}
