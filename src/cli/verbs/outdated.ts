import type { Verb } from '../cli.ts';
import { outdatedTable } from '../views/outdated.ts';

export const outdated: Verb = (program, cli) => {
  program
    .command('outdated [key]')
    .description(
      'Show which locked components have a newer version, or were deprecated or unpublished; updates nothing',
    )
    .option('--all', 'also list components that are up to date')
    .action(async (key: string | undefined, flags: { all?: boolean }, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const { data } = await call('components.outdated', key === undefined ? {} : { key });
        out.answer(data, () => outdatedTable(data, flags.all === true, width));
      });
    });
};
