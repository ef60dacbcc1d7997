import { WeirError } from '../../../../protocol/errors.ts';
import type { AccountGrant, AccountRecord, AccountTable } from '../../configuration/accounts.ts';
import { type Engine, write } from '../engine.ts';
import { jsonOrNull, number, text } from '../fields.ts';
import { Records, type RecordTable } from './records.ts';

const table: RecordTable<AccountRecord> = {
  name: 'accounts',
  columnsOf: ({ app, name, sealed, createdAt, updatedAt, oauth }) => ({
    app,
    name,
    sealed,
    created_at: createdAt,
    updated_at: updatedAt,
    oauth: oauth === undefined ? null : JSON.stringify(oauth),
  }),
  read(row) {
    const oauth = jsonOrNull(row, 'oauth') as AccountGrant | null;
    return {
      id: text(row, 'id'),
      app: text(row, 'app'),
      name: text(row, 'name'),
      sealed: text(row, 'sealed'),
      createdAt: number(row, 'created_at'),
      updatedAt: number(row, 'updated_at'),
      ...(oauth !== null && { oauth }),
    };
  },
};

export interface AccountRecords extends AccountTable {
  reread: Records<AccountRecord>['reread'];
}

export async function createAccounts(engine: Engine): Promise<AccountRecords> {
  const records = await Records.load(engine, table);
  const { memory } = records;
  return {
    get: (id) => memory.get(id),
    reread: () => records.reread(),
    all: () => memory.all(),
    list: (request) =>
      memory.list(request, ({ app }) => request.app === undefined || app === request.app),
    insert: (record) => write(engine, (change) => records.insert(change, record)),
    replace: (record) =>
      write(engine, (change) => {
        if (!memory.has(record.id)) {
          throw new WeirError('not_found', `There is no account ${record.id}.`);
        }
        records.update(change, record);
      }),
    delete: (id) => write(engine, (change) => records.delete(change, id)),
  };
}
