import { join, resolve } from 'node:path';
import type { Salvaged } from '../../runtime/store/sqlite/salvage.ts';
import type { Verb } from '../cli.ts';
import { checkAccounts } from '../doctor/accounts.ts';
import type { Check } from '../doctor/check.ts';
import {
  checkDataFolder,
  checkPort,
  checkRuntime,
  checkStore,
  salvageStore,
} from '../doctor/data-folder.ts';
import { checkDatabase } from '../doctor/database.ts';
import { checkEsbuild, checkKey, checkNode, checkNpm } from '../doctor/machine.ts';
import { storeUrl } from '../store-url.ts';

export const doctor: Verb = (program, cli) => {
  program
    .command('doctor')
    .description(
      'Check data folder, store, key, runtime, port, programs and accounts, and say what to do',
    )
    .option(
      '--store <url>',
      'look at this PostgreSQL database, its nodes and its replication (WEIR_STORE)',
    )
    .option('--salvage <file>', 'write the readable parts of a damaged store into this new file')
    .action(async (flags: { readonly salvage?: string; readonly store?: string }, command) => {
      await cli.run(command, async ({ dataFolder, io, out }) => {
        if (flags.salvage !== undefined) {
          const saved = await salvageStore(dataFolder, resolve(io.cwd, flags.salvage));
          out.answer(saved, () => salvagedText(saved, dataFolder));
          return 0;
        }
        const store = storeUrl(io, flags.store);
        const checked = await Promise.all([
          checkDataFolder(dataFolder),
          store === undefined ? checkStore(dataFolder) : checkDatabase(store),
          checkKey(),
          checkRuntime(dataFolder),
          checkPort(dataFolder),
          checkEsbuild(),
          checkNpm(io.env),
        ]);
        const accounts = await checkAccounts(dataFolder);
        const checks = [...checked.flat(), ...accounts, checkNode(process.versions.node)];
        out.answer(checks, () => checks.map(checkText).join('\n'));
        return checks.some(({ state }) => state === 'bad') ? 1 : 0;
      });
    });
};

function checkText({ name, state, found, advice }: Check): string {
  const line = `${state.padEnd(8)} ${name}: ${found}`;
  return advice === undefined ? line : `${line}\n         ${advice}`;
}

function salvagedText({ file, rows, damaged }: Salvaged, dataFolder: string): string {
  const lost =
    damaged.length === 0
      ? 'Every row could be read.'
      : `Rows were lost from: ${damaged.join(', ')}.`;
  const store = join(dataFolder, 'weir.db');
  return `Saved ${rows} rows in ${file}. ${lost}\nTo use it, move ${store}* away and put it in its place.`;
}
