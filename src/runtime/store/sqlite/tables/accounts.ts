import { WeirError } from '../../../../protocol/errors.ts';
import type { AccountGrant, AccountRecord, AccountTable } from '../../configuration/accounts.ts';
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
        const { id, app, name, sealed, createdAt, updatedAt, oauth } = record;
        db.prepare(
          `INSERT INTO accounts (id, app, name, sealed, created_at, updated_at, oauth)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ).run(id, app, name, sealed, createdAt, updatedAt, textOf(oauth));
        memory.set(record);
      }),
    replace: (record) =>
      groups.writeAlone(() => {
        const { id, app, name, sealed, createdAt, updatedAt, oauth } = record;
        db.prepare(
          `UPDATE accounts
           SET app = ?, name = ?, sealed = ?, created_at = ?, updated_at = ?, oauth = ?
           WHERE id = ?`,
        ).run(app, name, sealed, createdAt, updatedAt, textOf(oauth), id);
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

const textOf = (grant: AccountGrant | undefined): string | null =>
  grant === undefined ? null : JSON.stringify(grant);

function readAccount(row: Row): AccountRecord {
  const oauth = row.textOrNull('oauth');
  return {
    id: row.text('id'),
    app: row.text('app'),
    name: row.text('name'),
    sealed: row.text('sealed'),
    createdAt: row.number('created_at'),
    updatedAt: row.number('updated_at'),
    ...(oauth !== null && { oauth: JSON.parse(oauth) as AccountGrant }),
  };
}
