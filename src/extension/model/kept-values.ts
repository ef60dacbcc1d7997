/** Values under keys, in the db of a source or in a data store: both are read and changed alike. */
import { WeirError } from '../../protocol/errors.ts';
import type { RuntimeClient } from './runtime-client.ts';

/** The holder of the values. */
export type Holder =
  | { readonly kind: 'db'; readonly sourceId: string; readonly prop: string }
  | { readonly kind: 'dataStore'; readonly id: string };

export interface KeptValue {
  readonly key: string;
  readonly value: unknown;
  /** Epoch ms; null for one that stays. */
  readonly expiresAt: number | null;
}

export interface KeptValues {
  /** In the order of the keys. */
  readonly items: readonly KeptValue[];
  /** How many there are in all. */
  readonly total: number;
}

type Client = Pick<RuntimeClient, 'call'>;

/** The largest page the runtime gives (P16.5). */
const pageSize = 100;

/** The first `count` of them. */
export async function listValues(
  client: Client,
  holder: Holder,
  count: number,
): Promise<KeptValues> {
  const items: KeptValue[] = [];
  let after: string | undefined;
  for (;;) {
    const limit = Math.min(pageSize, count - items.length);
    const paging = { limit, ...(after !== undefined && { after }) };
    const page =
      holder.kind === 'db'
        ? await client.call('service_db.list', { ...dbOf(holder), ...paging })
        : await client.call('data_store_records.list', { id: holder.id, ...paging });
    items.push(...page.data.map(keptValue));
    const { total_count: total, end_cursor: end } = page.page_info;
    if (page.data.length < limit || items.length >= count || end === null) return { items, total };
    after = end;
  }
}

/** Undefined if there is no value under the key, or its holder is gone. */
export async function readValue(
  client: Client,
  holder: Holder,
  key: string,
): Promise<KeptValue | undefined> {
  try {
    return keptValue(
      holder.kind === 'db'
        ? await client.call('service_db.get', { ...dbOf(holder), key })
        : await client.call('data_store_records.get', { id: holder.id, key }),
    );
  } catch (error) {
    if (WeirError.is(error, 'not_found')) return undefined;
    throw error;
  }
}

/**
 * @param expected nothing is written when another value is there
 * @throws WeirError `conflict` then, and while a run of the source goes on
 */
export async function writeValue(
  client: Client,
  holder: Holder,
  written: { readonly key: string; readonly value: unknown; readonly expected?: unknown },
): Promise<void> {
  if (holder.kind === 'db') await client.call('service_db.set', { ...dbOf(holder), ...written });
  else await client.call('data_store_records.set', { id: holder.id, ...written });
}

export async function deleteValue(client: Client, holder: Holder, key: string): Promise<void> {
  if (holder.kind === 'db') await client.call('service_db.delete', { ...dbOf(holder), key });
  else await client.call('data_store_records.delete', { id: holder.id, key });
}

export async function clearValues(client: Client, holder: Holder): Promise<void> {
  if (holder.kind === 'db') await client.call('service_db.clear', dbOf(holder));
  else await client.call('data_store_records.clear', { id: holder.id });
}

function dbOf({ sourceId: id, prop }: Extract<Holder, { kind: 'db' }>) {
  return { id, prop };
}

function keptValue(read: {
  readonly key: string;
  readonly value?: unknown;
  readonly expires_at?: number | null;
}): KeptValue {
  return { key: read.key, value: read.value, expiresAt: read.expires_at ?? null };
}
