import { resolve } from 'node:path';
import type { Verb } from '../cli.ts';
import { loadRuntime } from '../runtime-bundle.ts';

export const db: Verb = (program, cli) => {
  program
    .command('db')
    .description('The store')
    .command('copy <file>')
    .description('Write the live store and its code into one SQLite file, a backup')
    .option('--restore', 'the other way: make a data folder of such a file')
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
