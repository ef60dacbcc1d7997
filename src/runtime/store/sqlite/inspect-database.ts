/** Queries for any database file, whatever its tables: a store, a copy, a damaged one. */
import { WeirError } from '../../../protocol/errors.ts';
import { damaged } from './failure.ts';
import type { Connection } from './wasm/connection.ts';

/**
 * Looks through all pages, about 4 ms a megabyte.
 * @param file as the message names it
 * @throws WeirError `store_failed` with the first damage
 */
export function refuseDamaged(db: Connection, file: string): void {
  const [first = 'ok'] = db.prepare('PRAGMA quick_check(1)').all((row) => row.text('quick_check'));
  if (first === 'ok') return;
  // It says which database on a line of its own; there is only one.
  const [found = first] = first.split('\n').toReversed();
  throw new WeirError('store_failed', damaged(file, found));
}

export function tableExists(db: Connection, name: string): boolean {
  const find = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?`);
  return find.get((row) => row.text('name'), name) !== undefined;
}
