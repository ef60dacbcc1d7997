import * as configuration from './configuration.ts';
import * as history from './history.ts';
import { ownTables } from './own.ts';
import type { Table } from './table.ts';

/** Every table of the store, but for those in which SQLite keeps its index of words. */
export const tables: readonly Table[] = [
  ...Object.values(configuration),
  ...Object.values(history).filter(
    (one): one is typeof one & Table => 'columns' in one && 'key' in one,
  ),
  ...ownTables,
];
