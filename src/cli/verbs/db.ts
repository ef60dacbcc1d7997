import { resolve } from 'node:path';
import type { Verb } from '../cli.ts';

export const db: Verb = (program, cli) => {
  program
    .command('db')
    .description('The store')
    .command('copy <file>')
    .description('Write a copy of the live store as an ordinary SQLite file')
    .action(async (file: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, io, out }) => {
        const copy = await call('db.copy', { file: resolve(io.cwd, file) });
        out.answer(copy, () => `Wrote ${copy.file} (${copy.bytes} bytes).`);
      });
    });
};
