/** Records of a data store, read piece by piece so that neither memory nor other requests suffer from a large one. */
import { setImmediate as otherWork } from 'node:timers/promises';
import { mostRecordsAtOnce } from '../../../protocol/record-limits.ts';
import type { DataStoreItem, DataStoreTable } from '../../store/history/data-stores.ts';

type Items = Pick<DataStoreTable, 'items'>;

/** Rows that are in memory at once. */
const rowsAtOnce = 250;
/** Characters of JSON after which an answer ends. */
const mostCharacters = 4 * 1024 * 1024;

export interface RecordSearch {
  readonly after: string | null;
  readonly limit: number;
  readonly prefix: string;
  readonly text: string;
}

/**
 * Finds the records that have a text in their key or JSON, and counts all of them.
 * @param at epoch ms
 */
export async function searchRecords(
  table: Items,
  id: string,
  at: number,
  { after, limit, prefix, text }: RecordSearch,
): Promise<{ rows: DataStoreItem[]; total: number }> {
  const matches = matcher(text);
  const rows: DataStoreItem[] = [];
  let total = 0;
  let last: string | null = null;
  let isAfter = after === null;
  for (;;) {
    const items: DataStoreItem[] = await table.items(id, at, {
      after: last,
      limit: rowsAtOnce,
      prefix,
    });
    for (const item of items) {
      if (matches(item)) {
        total += 1;
        if (isAfter && rows.length < limit) rows.push(item);
      }
      isAfter ||= after !== null && Buffer.compare(Buffer.from(item.key), Buffer.from(after)) >= 0;
    }
    if (items.length < rowsAtOnce) return { rows, total };
    last = items.at(-1)?.key ?? null;
    await otherWork();
  }
}

/** Whether a record has a text, in either case of its letters. */
function matcher(text: string): (item: DataStoreItem) => boolean {
  const wanted = text.toLowerCase();
  const inJson = JSON.stringify(text).slice(1, -1).toLowerCase();
  return ({ key, json }) =>
    key.toLowerCase().includes(wanted) || json.toLowerCase().includes(inJson);
}

/**
 * The next records after a key, as many as an answer may have.
 * @param at epoch ms
 */
export async function recordsAfter(
  table: Items,
  id: string,
  at: number,
  after: string | null,
  limit = mostRecordsAtOnce,
): Promise<{ items: DataStoreItem[]; isLast: boolean }> {
  const all: DataStoreItem[] = [];
  let characters = 0;
  let last = after;
  while (all.length < limit && characters < mostCharacters) {
    const wanted = Math.min(rowsAtOnce, limit - all.length);
    const items = await table.items(id, at, { after: last, limit: wanted });
    for (const item of items) {
      all.push(item);
      characters += item.key.length + item.json.length;
    }
    if (items.length < wanted) return { items: all, isLast: true };
    last = all.at(-1)?.key ?? null;
  }
  return { items: all, isLast: false };
}
