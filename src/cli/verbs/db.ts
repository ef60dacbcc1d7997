import { resolve } from 'node:path';
import type { Command } from 'commander';
import { allPages } from '../../client/pages.ts';
import { jsonValue } from '../arguments.ts';
import type { Cli, Verb } from '../cli.ts';
import { table } from '../render/table.ts';
import { loadRuntime } from '../runtime-bundle.ts';
import { columnsOf } from '../views/columns.ts';
import { addMove } from './db-move.ts';

/** Which db of the source. */
interface PropFlags {
  readonly prop?: string;
}

export const db: Verb = (program, cli) => {
  const group = program.command('db').description('The db of sources, and the store');
  addContents(group, cli);
  addMove(group, cli);
  group
    .command('copy <file>')
    .description('Write the live store and its code into one SQLite file, a backup')
    .option('--restore', 'make a data folder from such a file instead')
    .action(async (file: string, { restore }: { readonly restore?: boolean }, command) => {
      if (restore === true) {
        await cli.run(command, async ({ dataFolder, io, out }) => {
          const backup = resolve(io.cwd, file);
          const made = await loadRuntime().restoreDataFolder(dataFolder, backup);
          out.answer(made, () => restoredText(made, backup));
          return 0;
        });
        return;
      }
      await cli.connected(command, async ({ call, io, out }) => {
        const copy = await call('db.copy', { file: resolve(io.cwd, file) });
        out.answer(copy, () => `Wrote ${copy.file} (${copy.bytes} bytes).`);
      });
    });
};

/** The keys and values of a source's `$.service.db`. */
function addContents(group: Command, cli: Cli): void {
  const verb = (syntax: string, description: string): Command =>
    group
      .command(syntax)
      .description(description)
      .option('--prop <name>', 'name of the $.service.db prop, if the source has several');
  verb('list <source>', 'List what a source keeps in its db').action(
    async (id: string, flags: PropFlags, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const entries = await allPages((page) =>
          call('service_db.list', { id, ...flags, ...page }),
        );
        out.answer(entries, () =>
          entries.length === 0 ? 'The db is empty.' : table(columnsOf.dbEntries, entries, width),
        );
      });
    },
  );
  verb('get <source> <key>', 'Print a value of the db of a source, as JSON').action(
    async (id: string, key: string, flags: PropFlags, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const { value } = await call('service_db.get', { id, key, ...flags });
        out.answer(value, () => JSON.stringify(value, null, 2));
      });
    },
  );
  verb(
    'set <source> <key> <json>',
    'Write a key of the db of a source, between two of its runs',
  ).action(async (id: string, key: string, json: string, flags: PropFlags, command) => {
    const value = jsonValue(json);
    await cli.connected(command, async ({ call, out }) => {
      const entry = await call('service_db.set', { id, key, value, ...flags });
      out.answer(entry, () => `Set ${key}.`);
    });
  });
  verb('delete <source> <key>', 'Delete a key of the db of a source').action(
    async (id: string, key: string, flags: PropFlags, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('service_db.delete', { id, key, ...flags });
        out.answer({ deleted: key }, () => `Deleted ${key}.`);
      });
    },
  );
  verb('clear <source>', 'Delete all keys of the db of a source').action(
    async (id: string, flags: PropFlags, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('service_db.clear', { id, ...flags });
        out.answer({ cleared: id }, () => `Cleared the db of ${id}.`);
      });
    },
  );
}

function restoredText(
  made: { readonly data: string; readonly files: number },
  from: string,
): string {
  const code =
    made.files === 0
      ? 'It had no code with it: update each source from its file.'
      : 'Start it with "weir serve"; its secrets need the key they were sealed with ("weir doctor" says whether it is here).';
  return `Restored ${made.data} from ${from}. ${code}`;
}
