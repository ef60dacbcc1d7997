import { WeirError } from '../../../protocol/errors.ts';
import type { AccountRecord, AccountTable } from '../configuration/accounts.ts';
import { accounts } from '../schema/configuration.ts';
import type { TableEngine } from './engine.ts';
import { Records } from './records.ts';

export interface Accounts extends AccountTable {
  reread: Records<AccountRecord>['reread'];
}

export async function createAccounts(engine: TableEngine): Promise<Accounts> {
  const records = await Records.load<AccountRecord>(engine, accounts);
  const { memory } = records;
  return {
    get: (id) => memory.get(id),
    reread: () => records.reread(),
    all: () => memory.all(),
    list: (request) =>
      memory.list(request, ({ app }) => request.app === undefined || app === request.app),
    insert: (record) => engine.write((change) => records.insert(change, record)),
    replace: (record) =>
      engine.write((change) => {
        if (!memory.has(record.id)) {
          throw new WeirError('not_found', `There is no account ${record.id}.`);
        }
        records.update(change, record);
      }),
    delete: (id) => engine.write((change) => records.delete(change, id)),
  };
}
