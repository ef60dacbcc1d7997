import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';
import type { AccountRecord, AccountTable } from '../../configuration/accounts.ts';
import { resourceReader } from './resource.ts';

export function createAccounts({ db, groups }: Engine): AccountTable {
  const reader = resourceReader(db, 'accounts', readAccount);
  return {
    get: (id) => reader.get(id),
    all: () => reader.all(),
    list: (request) =>
      reader.list(request, request.app === undefined ? [] : [['app = ?', request.app]]),
    insert: (record) =>
      groups.writeAlone(() =>
        db
          .prepare(
            `INSERT INTO accounts (id, app, name, sealed, created_at, updated_at)
             VALUES (?, ?, ?, ?, ?, ?)`,
          )
          .run(
            record.id,
            record.app,
            record.name,
            record.sealed,
            record.createdAt,
            record.updatedAt,
          ),
      ),
    delete: (id) =>
      groups.writeAlone(() => db.prepare('DELETE FROM accounts WHERE id = ?').run(id)),
  };
}

function readAccount(row: Row): AccountRecord {
  return {
    id: row.text('id'),
    app: row.text('app'),
    name: row.text('name'),
    sealed: row.text('sealed'),
    createdAt: row.number('created_at'),
    updatedAt: row.number('updated_at'),
  };
}
