import { idCursor, page, placeOfId } from './paging.ts';
import type { Connection } from '../wasm/connection.ts';
import type { Row } from '../wasm/row.ts';
import type { SqlValue } from '../wasm/statement.ts';
import type { PageOf, PageRequest } from '../../page.ts';

/** Reading a table of resources that have an `id` of their own, in the order they were made. */
export interface ResourceReader<T> {
  get(id: string): T | undefined;
  all(): T[];
  list(
    request: PageRequest,
    where?: readonly (readonly [condition: string, value: SqlValue])[],
  ): PageOf<T>;
}

export function resourceReader<T extends { readonly id: string }>(
  db: Connection,
  table: string,
  read: (row: Row) => T,
): ResourceReader<T> {
  const select = `SELECT * FROM ${table}`;
  return {
    get: (id) => db.prepare(`${select} WHERE id = ?`).get(read, id),
    all: () => db.prepare(`${select} ORDER BY row`).all(read),
    list: (request, where = []) =>
      page(
        db,
        {
          select,
          from: table,
          where,
          key: ['row'],
          newestFirst: false,
          read,
          cursorOf: (record) => idCursor(record.id),
          placeOf: (cursor) => placeOfId(db, table, cursor),
        },
        request,
      ),
  };
}
