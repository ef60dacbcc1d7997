import { allPages } from '../../client/pages.ts';
import type { Execution } from '../../protocol/catalogue.ts';
import { positiveInteger, UsageError } from '../arguments.ts';
import { readEvent } from '../event-argument.ts';
import type { Verb } from '../cli.ts';
import { table } from '../render/table.ts';
import { executionColumns, executionText, outcomeText } from '../views/executions.ts';

export const executions: Verb = (program, cli) => {
  program
    .command('executions <workflow>')
    .description('List the newest executions of a workflow, newest first')
    .option('-n <count>', 'how many', positiveInteger, 20)
    .option('--failed', 'only those that failed, crashed or took too long, among so many')
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
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const whole = await call('executions.get', { id });
        out.answer(whole, () => executionText(whole, width));
      });
    });
};

interface ResumeFlags {
  readonly path?: string;
  readonly event?: string;
  readonly asDue?: boolean;
}

export const resume: Verb = (program, cli) => {
  program
    .command('resume <execution>')
    .description('Let a paused execution go on, as its resume URL would')
    .option('--path <step>', 'the step that waits, when several do')
    .option(
      '--event <json|@file|->',
      'what the step gets as $resume_data: JSON, a file, - for stdin',
    )
    .option(
      '--as-due',
      'as if the time had come that it waits for; a suspended one is cancelled then',
    )
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
    .command('cancel <execution>')
    .description('Cancel an execution that waits, runs or is paused')
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const cancelled = await call('executions.cancel', { id });
        out.answer(cancelled, () => outcomeText(cancelled));
      });
    });
};

export const pin: Verb = (program, cli) => {
  program
    .command('pin <execution> <step> [name]')
    .description('Keep the results of a step in a file that stands in for the step in tests')
    .option('--replace', 'take the place of a pin of that name')
    .action(
      async (
        id: string,
        step: string,
        name: string | undefined,
        flags: { replace?: boolean },
        command,
      ) => {
        await cli.connected(command, async ({ call, out }) => {
          const pinned = await call('executions.pin', {
            id,
            step,
            ...(name !== undefined && { name }),
            ...(flags.replace === true && { replace: true }),
          });
          out.answer(pinned, () => `Wrote ${pinned.file}.`);
        });
      },
    );
};

/** One that may be worth a replay. */
export function hasFailed({ status }: Pick<Execution, 'status'>): boolean {
  return status === 'failed' || status === 'crashed' || status === 'timed_out';
}
