import { allPages } from '../../client/pages.ts';
import { jsonValue, positiveInteger } from '../arguments.ts';
import type { Verb } from '../cli.ts';
import { table } from '../render/table.ts';
import { columnsOf } from '../views/columns.ts';
import { listKind } from './list.ts';

export const dataStores: Verb = (program, cli) => {
  const group = program
    .command('data-stores')
    .description('Data stores, whose values components share');
  group
    .command('list')
    .description('List data stores')
    .action(async (_flags: object, command) => {
      await cli.connected(command, async (tools) => await listKind(tools, 'data-stores'));
    });
  group
    .command('create <name>')
    .description('Create a data store; the same name twice is one')
    .action(async (name: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const store = await call('data_stores.create', { name });
        out.answer(store, () => store.id);
      });
    });
  group
    .command('delete <store>')
    .description('Delete a data store with its records')
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('data_stores.delete', { id });
        out.answer({ deleted: id }, () => `Deleted ${id}.`);
      });
    });
  group
    .command('records <store>')
    .description('List the records of a data store')
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const records = await allPages((page) => call('data_store_records.list', { id, ...page }));
        out.answer(records, () =>
          records.length === 0
            ? 'The data store is empty.'
            : table(columnsOf.records, records, width),
        );
      });
    });
  group
    .command('get <store> <key>')
    .description('Print a value of a data store, as JSON')
    .action(async (id: string, key: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const { value } = await call('data_store_records.get', { id, key });
        out.answer(value, () => JSON.stringify(value, null, 2));
      });
    });
  group
    .command('set <store> <key> <json>')
    .description('Write a record of a data store')
    .option('--ttl <seconds>', 'how long it is kept', positiveInteger)
    .action(
      async (id: string, key: string, json: string, flags: { readonly ttl?: number }, command) => {
        const value = jsonValue(json);
        await cli.connected(command, async ({ call, out }) => {
          const record = await call('data_store_records.set', { id, key, value, ...flags });
          out.answer(record, () => `Set ${key}.`);
        });
      },
    );
  group
    .command('delete-key <store> <key>')
    .description('Delete a record of a data store')
    .action(async (id: string, key: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('data_store_records.delete', { id, key });
        out.answer({ deleted: key }, () => `Deleted ${key}.`);
      });
    });
  group
    .command('clear <store>')
    .description('Delete all records of a data store')
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('data_store_records.clear', { id });
        out.answer({ cleared: id }, () => `Cleared ${id}.`);
      });
    });
};
