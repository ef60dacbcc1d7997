import type { Result } from '../../protocol/catalogue.ts';
import { UsageError } from '../arguments.ts';
import type { Verb } from '../cli.ts';
import { type Column, table } from '../render/table.ts';
import { when } from '../views/fields.ts';

type Pin = Result<'workflows.pins'>['data'][number];

const columns: readonly Column<Pin>[] = [
  { title: 'STEP', of: ({ step }) => step },
  { title: 'PIN', of: ({ name }) => name },
  {
    title: 'STANDS IN',
    of: ({ active, known }) =>
      active ? 'in every test' : known ? 'when it is asked for' : 'never: there is no such step',
  },
  { title: 'CHANGED', of: ({ updated_at: at }) => when(at) },
  { title: 'FILE', of: ({ file }) => file, shrinks: true },
];

export const pin: Verb = (program, cli) => {
  program
    .command('pin <execution> <step> [name]')
    .description('Save the result of a step as a pin, which tests use instead of running the step')
    .option('--replace', 'replace an existing pin of that name')
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

export const pins: Verb = (program, cli) => {
  program
    .command('pins <workflow>')
    .description('List the pins of a workflow, and which of them tests use')
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const { data } = await call('workflows.pins', { id });
        out.answer(data, () =>
          data.length === 0 ? 'There are no pins.' : table(columns, data, width),
        );
      });
    });
};

export const unpin: Verb = (program, cli) => {
  program
    .command('unpin <workflow> [step] [name]')
    .description('Remove a pin, the pins of a step, or all of a workflow')
    .option('--all', 'remove all pins of the workflow')
    .action(
      async (
        id: string,
        step: string | undefined,
        name: string | undefined,
        flags: { all?: boolean },
        command,
      ) => {
        if ((step === undefined) !== (flags.all === true)) {
          throw new UsageError('Give a step, with the name of a pin or for all of them, or --all.');
        }
        await cli.connected(command, async ({ call, out }) => {
          const { removed } = await call('workflows.unpin', {
            id,
            ...(step !== undefined && { step }),
            ...(name !== undefined && { name }),
          });
          out.answer(removed, () =>
            removed.length === 0
              ? 'There are no pins.'
              : removed.map(({ file }) => `Removed ${file}.`).join('\n'),
          );
        });
      },
    );
};
