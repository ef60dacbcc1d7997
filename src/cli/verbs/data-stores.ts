import { allPages } from '../../client/pages.ts';
import { Option } from 'commander';
import { jsonValue, positiveInteger } from '../arguments.ts';
import type { Verb } from '../cli.ts';
import { exportRecords } from '../data-stores/export-records.ts';
import { type ImportFlags, importRecords } from '../data-stores/import-records.ts';
import type { RecordFormat } from '../data-stores/read-records.ts';
import { table } from '../render/table.ts';
import { columnsOf } from '../views/columns.ts';
import { listKind } from './list.ts';

interface RecordFlags {
  readonly prefix?: string;
  readonly search?: string;
  readonly n?: number;
}

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
    .description('Create a data store; an existing name returns that store')
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
    .option('--prefix <text>', 'only records whose key starts with this text')
    .option('--search <text>', 'only records whose key or value contains this text')
    .option('-n <count>', 'maximum number of records; all by default', positiveInteger)
    .action(async (id: string, { prefix, search: q, n }: RecordFlags, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const wanted = {
          id,
          ...(prefix !== undefined && { prefix }),
          ...(q !== undefined && { q }),
        };
        const records = await allPages(
          (page) => call('data_store_records.list', { ...wanted, ...page }),
          n,
        );
        out.answer(records, () =>
          records.length === 0 ? emptyText(prefix ?? q) : table(columnsOf.records, records, width),
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
    .option('--ttl <seconds>', 'seconds until the record expires', positiveInteger)
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
    .command('import <store> [file]')
    .description(
      'Write the records of a file, or of standard input, into a data store; the store is made when it is not there',
    )
    .addOption(formatOption('unless the name of the file says it'))
    .option('--keep', 'keep existing records instead of replacing them')
    .action(async (id: string, file: string | undefined, flags: ImportFlags, command) => {
      await cli.connected(command, async (tools) => await importRecords(tools, id, file, flags));
    });
  group
    .command('export <store>')
    .description('Print the records of a data store as a file that import reads')
    .addOption(formatOption('jsonl unless given'))
    .action(async (id: string, { format }: { readonly format?: RecordFormat }, command) => {
      await cli.connected(command, async (tools) => await exportRecords(tools, id, format));
    });
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

function emptyText(wanted: string | undefined): string {
  return wanted === undefined ? 'The data store is empty.' : `No record has "${wanted}".`;
}

function formatOption(unless: string): Option {
  return new Option('--format <format>', `jsonl or csv; ${unless}`).choices(['jsonl', 'csv']);
}
