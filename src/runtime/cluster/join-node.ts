/** How a process becomes a node: with the driver of PostgreSQL, which is a bundle of its own. */
import { createHmac } from 'node:crypto';
import type { SealingKey } from '../accounts/key-file.ts';
import type { PostgresNode } from '../store/postgres/node.ts';
import type { KeyCheck } from '../store/postgres/schema.ts';
import type { BaseServices } from '../base/services.ts';

export interface JoinOptions extends Pick<BaseServices, 'clock'> {
  /** `postgres://user@host/database` */
  readonly url: string;
  readonly version: string;
  readonly key: SealingKey;
  /** Who is not heard of for so long may be replaced; 5 unless given. */
  readonly leaseSeconds?: number | undefined;
}

/** Of a lease. */
export const defaultLeaseSeconds = 5;

/** @throws WeirError('store_failed') with one sentence that says why it cannot join */
export async function joinNode(options: JoinOptions): Promise<PostgresNode> {
  const { url, clock, version, key, leaseSeconds } = options;
  const { joinPostgres } = await import('../store/postgres/open-store.ts');
  return await joinPostgres({
    url,
    clock,
    version,
    ...(leaseSeconds !== undefined && { leaseMs: leaseSeconds * 1000 }),
    key: keyCheckOf(key),
  });
}

/** Tells two keys apart, and says nothing of either. */
export function keyCheckOf({ bytes, origin }: SealingKey): KeyCheck {
  const check = createHmac('sha256', bytes).update('weir: the key of this database');
  return { check: check.digest('base64'), origin };
}
