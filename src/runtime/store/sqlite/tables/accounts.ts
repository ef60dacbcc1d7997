import { WeirError } from '../../../../protocol/errors.ts';
import type { AccountRecord, AccountTable } from '../../configuration/accounts.ts';
import { ResourceMemory } from '../../configuration/memory.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';

export function createAccounts({ db, groups }: Engine): AccountTable {
  const memory = new ResourceMemory(
    db.prepare('SELECT * FROM accounts ORDER BY row').all(readAccount),
  );
  return {
    get: (id) => memory.get(id),
    all: () => memory.all(),
    list: (request) =>
      memory.list(request, ({ app }) => request.app === undefined || app === request.app),
    insert: (record) =>
      groups.writeAlone(() => {
        const { id, app, name, sealed, createdAt, updatedAt } = record;
        db.prepare(
          `INSERT INTO accounts (id, app, name, sealed, created_at, updated_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
        ).run(id, app, name, sealed, createdAt, updatedAt);
        memory.set(record);
      }),
    replace: (record) =>
      groups.writeAlone(() => {
        const { id, app, name, sealed, createdAt, updatedAt } = record;
        db.prepare(
          `UPDATE accounts SET app = ?, name = ?, sealed = ?, created_at = ?, updated_at = ?
           WHERE id = ?`,
        ).run(app, name, sealed, createdAt, updatedAt, id);
        if (db.changes === 0) throw new WeirError('not_found', `There is no account ${id}.`);
        memory.set(record);
      }),
    delete: (id) =>
      groups.writeAlone(() => {
        db.prepare('DELETE FROM accounts WHERE id = ?').run(id);
        memory.delete(id);
      }),
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
