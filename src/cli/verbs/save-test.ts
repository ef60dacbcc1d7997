import { relative } from 'node:path';
import { kindOf } from '../../protocol/ids.ts';
import { collect } from '../arguments.ts';
import type { Verb } from '../cli.ts';
import { readEvent } from '../event-argument.ts';

interface SaveTestFlags {
  readonly name?: string;
  readonly pin?: readonly string[];
  readonly replace?: boolean;
  readonly run?: string;
  readonly event?: string;
}

export const saveTest: Verb = (program, cli) => {
  program
    .command('save-test <execution|source>')
    .description(
      'Write a test that expects what an execution came to, or what a source does with an event now, beside it. The requests of the source are sent; nothing else that it does is kept',
    )
    .option('--name <name>', 'name of the test; by default, the id of the execution or run')
    .option('--run <inv>', 'source: use the trigger of this run')
    .option('--event <json|@file|->', 'source: event to run with: JSON, @file, or - for stdin')
    .option(
      '--pin <step>',
      'keep the result of this step in the test instead of running it',
      collect,
    )
    .option('--replace', 'replace an existing test of that name')
    .action(async (of: string, flags: SaveTestFlags, command) => {
      const { name, pin, replace, run, event } = flags;
      await cli.connected(command, async ({ call, io, out }) => {
        const saved = await call('tests.save', {
          ...(kindOf(of) === 'execution' ? { execution: of } : { source: of }),
          ...(run !== undefined && { invocation_id: run }),
          ...(event !== undefined && { event: await readEvent(io, event) }),
          ...(name !== undefined && { name }),
          ...(pin !== undefined && { pins: [...pin] }),
          ...(replace === true && { replace }),
        });
        const shown = relative(io.cwd, saved.file);
        out.answer(saved, () =>
          [
            `Wrote ${shown}.`,
            ...(saved.requests === 0
              ? []
              : [
                  `${saved.requests} ${saved.requests === 1 ? 'request' : 'requests'} over HTTP will be answered from ${shown.replace(/\.test\.yaml$/, '.har')}.`,
                ]),
            ...(saved.hidden.length === 0
              ? []
              : [
                  `Secrets were taken out, and steps read what stands there now: ${saved.hidden.join(', ')}`,
                ]),
            `Run it with: weir test ${shown}`,
          ].join('\n'),
        );
      });
    });
};
