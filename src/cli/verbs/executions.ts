import { allPages } from '../../client/pages.ts';
import { executionsOf, hasFailed, isUnfinished } from '../../client/past-executions.ts';
import type { Execution, Result } from '../../protocol/catalogue.ts';
import { kindOf } from '../../protocol/ids.ts';
import { positiveInteger, UsageError } from '../arguments.ts';
import { readEvent } from '../event-argument.ts';
import type { Verb } from '../cli.ts';
import { table } from '../render/table.ts';
import { staleReason } from '../../client/stale-reason.ts';
import { executionColumns, executionText, outcomeText } from '../views/executions.ts';

export const executions: Verb = (program, cli) => {
  program
    .command('executions <workflow>')
    .description('List the newest executions of a workflow, newest first')
    .option('-n <count>', 'maximum number of rows', positiveInteger, 20)
    .option('--failed', 'show only executions among these that failed, crashed or timed out')
    .action(async (id: string, flags: { n: number; failed?: boolean }, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const newest = await allPages((page) => call('executions.list', { id, ...page }), flags.n);
        const shown = flags.failed === true ? newest.filter(hasFailed) : newest;
        out.answer(shown, () =>
          shown.length === 0 ? 'There are no executions.' : table(executionColumns, shown, width),
        );
      });
    });
};

export const execution: Verb = (program, cli) => {
  program
    .command('execution <execution>')
    .description('Show an execution: its steps, what they logged, and where it waits')
    .option('--stale', 'also show which results are out of date because files changed since')
    .action(async (id: string, flags: { stale?: boolean }, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const whole = await call('executions.get', { id });
        if (flags.stale !== true) return out.answer(whole, () => executionText(whole, width));
        const { data: stale } = await call('executions.stale', { id });
        out.answer({ ...whole, stale }, () =>
          [executionText(whole, width), staleText(stale)].join('\n\n'),
        );
      });
    });
};

function staleText(stale: Result<'executions.stale'>['data']): string {
  if (stale.length === 0) return 'No result is stale.';
  return stale.map((one) => `stale: ${one.path}, ${staleReason(one)}`).join('\n');
}

interface ResumeFlags {
  readonly path?: string;
  readonly event?: string;
  readonly asDue?: boolean;
}

export const resume: Verb = (program, cli) => {
  program
    .command('resume <execution>')
    .description('Resume a paused execution, as its resume URL would')
    .option('--path <step>', 'resume this step, if several wait')
    .option('--event <json|@file|->', 'data for $resume_data: JSON, @file, or - for stdin')
    .option('--as-due', 'end the wait as if its time had come; this cancels a suspended execution')
    .action(async (id: string, flags: ResumeFlags, command) => {
      const asDue = flags.asDue === true;
      if (asDue && flags.event !== undefined) {
        throw new UsageError('Give --event or --as-due, not both: a time brings no event.');
      }
      await cli.connected(command, async ({ call, io, out }) => {
        const { path } = flags;
        const resumed = await call('executions.resume', {
          id,
          ...(path !== undefined && { path }),
          ...(flags.event !== undefined && { event: await readEvent(io, flags.event) }),
          ...(asDue && { as_due: true }),
        });
        out.answer(resumed, () => outcomeText(resumed));
      });
    });
};

export const cancel: Verb = (program, cli) => {
  program
    .command('cancel <workflow|execution> [id...]')
    .description('Cancel executions that wait, run or are paused')
    .option('--all', 'cancel all executions of the workflow')
    .action(async (of: string, ids: string[], flags: { all?: boolean }, command) => {
      const isWorkflow = kindOf(of) !== 'execution';
      if (isWorkflow !== (flags.all === true) || (isWorkflow && ids.length > 0)) {
        throw new UsageError('Give executions (exec_…), or a workflow and --all.');
      }
      await cli.connected(command, async ({ call, out }) => {
        const chosen = isWorkflow
          ? (await executionsOf(call, of)).filter(isUnfinished).map(({ id }) => id)
          : [of, ...ids];
        const cancelled: Execution[] = [];
        for (const id of chosen) cancelled.push(await call('executions.cancel', { id }));
        const [only, another] = cancelled;
        const isOne = !isWorkflow && only !== undefined && another === undefined;
        out.answer(isOne ? only : cancelled, () =>
          only === undefined
            ? 'There is nothing to cancel.'
            : cancelled.map(outcomeText).join('\n'),
        );
      });
    });
};
