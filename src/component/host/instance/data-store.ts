import type { DataStoreRequest } from '../../../protocol/host.ts';
import { own } from '../../../protocol/own.ts';
import type { AskRuntime } from '../channel/requests.ts';
import { notJson, parseJson, toJson } from '../json.ts';
import { isDictionary } from '../values.ts';

/** Type of `this.<data store>` (P14.1): asynchronous, JSON copies in both directions. */
export interface DataStore extends AsyncIterable<[key: string, value: unknown]> {
  get(key: unknown): Promise<unknown>;
  set(key: unknown, value: unknown, options?: { readonly ttl?: unknown }): Promise<void>;
  setTtl(key: unknown, ttl: unknown): Promise<void>;
  has(key: unknown): Promise<boolean>;
  delete(key: unknown): Promise<void>;
  clear(): Promise<void>;
  keys(): Promise<string[]>;
  entries(): Promise<[key: string, value: unknown][]>;
}

type Entries = readonly (readonly [key: string, json: string])[];

/** Configured as `{storeId: "ds_…"}`, or by a name; undefined when no store was chosen. */
export function dataStoreFactory(
  configured: unknown,
  askRuntime: AskRuntime,
): (() => DataStore) | undefined {
  const store = isDictionary(configured) ? own(configured, 'storeId') : configured;
  if (typeof store !== 'string' || store === '') return undefined;
  return () => createDataStore((call) => askRuntime({ of: 'data_store', store, call }));
}

function createDataStore(ask: (call: DataStoreRequest['call']) => Promise<unknown>): DataStore {
  return {
    async get(key) {
      const json = await ask({ op: 'get', key: String(key) });
      return typeof json === 'string' ? parseJson(json) : undefined;
    },
    async set(key, value, options) {
      const json = jsonOf(String(key), value);
      await ask({ op: 'set', key: String(key), json, ttl: ttlOf(options?.ttl) });
    },
    async setTtl(key, ttl) {
      await ask({ op: 'setTtl', key: String(key), ttl: ttlOf(ttl) });
    },
    async has(key) {
      return (await ask({ op: 'has', key: String(key) })) === true;
    },
    async delete(key) {
      await ask({ op: 'delete', key: String(key) });
    },
    async clear() {
      await ask({ op: 'clear' });
    },
    async keys() {
      return [...((await ask({ op: 'keys' })) as readonly string[])];
    },
    async entries() {
      return parsed((await ask({ op: 'entries' })) as Entries);
    },
    async *[Symbol.asyncIterator]() {
      for (let after: string | null = null; ;) {
        const page: Entries = (await ask({ op: 'page', after })) as Entries;
        yield* parsed(page);
        after = page.at(-1)?.[0] ?? null;
        if (after === null) return;
      }
    },
  };
}

function parsed(entries: Entries): [string, unknown][] {
  return entries.map(([key, json]) => [key, parseJson(json)]);
}

/** A value that JSON leaves out, such as undefined, becomes null. */
function jsonOf(key: string, value: unknown): string {
  try {
    return toJson(value) ?? 'null';
  } catch (cause) {
    throw notJson(`The value of "${key}"`, cause);
  }
}

/** Seconds: one year (P14.3). */
const longestTtl = 31_536_000;

function ttlOf(given: unknown): number | null {
  if (given === undefined || given === null) return null;
  const ttl = Number(given);
  if (ttl > 0 && ttl <= longestTtl) return ttl;
  throw new RangeError(`ttl is a number of seconds from 1 to ${longestTtl}.`);
}
