import { allPages } from '../../client/pages.ts';
import { positiveInteger } from '../arguments.ts';
import type { Verb } from '../cli.ts';
import { table } from '../render/table.ts';
import { actionRunColumns, wholeActionRunText } from '../views/action-runs.ts';

export const actionRuns: Verb = (program, cli) => {
  program
    .command('action-runs [run]')
    .description(
      'List the newest runs of actions by themselves, newest first, or show one: values, requests, log and exports',
    )
    .option('-n <count>', 'maximum number of rows', positiveInteger, 20)
    .action(async (id: string | undefined, { n }: { readonly n: number }, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        if (id !== undefined) {
          const run = await call('action_runs.get', { id });
          return out.answer(run, () => wholeActionRunText(run, width));
        }
        const runs = await allPages((page) => call('action_runs.list', page), n);
        out.answer(runs, () =>
          runs.length === 0 ? 'No action has run by itself.' : table(actionRunColumns, runs, width),
        );
      });
    });
};
