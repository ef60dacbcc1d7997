import { resolve } from 'node:path';
import { Option } from 'commander';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { writeNamed } from '../../protocol/write-inside.ts';
import { positiveInteger, UsageError } from '../arguments.ts';
import { pull } from '../carry-over/pull.ts';
import { take } from '../carry-over/take.ts';
import type { Verb } from '../cli.ts';
import { carryOverText, stepNotes } from '../views/carry-over.ts';

const ways = ['pull', 'file', 'paste'] as const;

interface StepFlags {
  readonly out?: string;
  readonly way?: (typeof ways)[number];
  readonly days?: number;
}

export const carryOver: Verb = (program, cli) => {
  const group = program
    .command('carry-over')
    .description('Bring accounts, variables, data stores and files that imports lack');
  group
    .command('step')
    .description('Write a step for the platform that encrypts what the imported workflows lack')
    .option('--out <file>', 'write the step into this file instead of printing it')
    .addOption(
      new Option(
        '--way <way>',
        'pull: Weir calls the workflow; file: for large data stores; paste: without a trigger',
      )
        .choices(ways)
        .default('pull'),
    )
    .option('--days <count>', 'for how many days Weir accepts results (14)', positiveInteger)
    .action(async ({ out: file, way = 'pull', days }: StepFlags, command) => {
      await cli.connected(command, async ({ call, out, io }) => {
        const asked = { way, ...(days !== undefined && { days }) };
        const path = file === undefined ? undefined : resolve(io.cwd, file);
        const made = await call('carry_over.begin', asked);
        if (path !== undefined) {
          await writeNamed(io.cwd, path, made.code).catch(async (error: unknown) => {
            // Nobody has its step.
            await call('carry_over.end', { id: made.carry_over.id });
            throw unwritable(path, error);
          });
        }
        out.answer(path === undefined ? made : { ...made, file: path }, () =>
          path === undefined ? made.code.trimEnd() : `Wrote ${path}.`,
        );
        for (const line of stepNotes(made.carry_over)) out.note(line);
      });
    });
  group
    .command('pull <url>')
    .description('Call the HTTP trigger of the workflow with the step until everything has arrived')
    .option('--id <carry-over>', 'id of the carry-over; by default, the newest open one')
    .action(async (url: string, { id }: { readonly id?: string }, command) => {
      await cli.connected(command, async (tools) => await pull(tools, url, id));
    });
  group
    .command('take [file]')
    .description(
      'Take what the step returned from a text, from the URL of its file, or from standard input',
    )
    .action(async (from: string | undefined, _flags: object, command) => {
      await cli.connected(command, async (tools) => await take(tools, from));
    });
  group
    .command('status')
    .description('Show what was asked for, what has arrived and what is missing')
    .action(async (_flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const { data } = await call('carry_over.status', {});
        out.answer(data, () =>
          data.length === 0
            ? 'There is no carry-over yet. Import workflows, then run "weir carry-over step".'
            : data.map(carryOverText).join('\n\n'),
        );
      });
    });
  group
    .command('end <id>')
    .description('End a carry-over: Weir deletes its private key and accepts nothing more')
    .action(async (id: string, _flags: object, command) => {
      if (id === '')
        throw new UsageError('Name a carry-over, as "weir carry-over status" shows it.');
      await cli.connected(command, async ({ call, out }) => {
        await call('carry_over.end', { id });
        out.answer({ ended: id }, () => `Ended ${id}. Its private key is deleted.`);
      });
    });
};

function unwritable(path: string, error: unknown): WeirError {
  if (WeirError.is(error)) return error;
  const message = `${path} cannot be written (${messageOf(error)}). Name another file.`;
  return new WeirError('bad_input', message, undefined, error);
}
