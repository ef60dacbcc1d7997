import { relative } from 'node:path';
import { collect } from '../arguments.ts';
import type { Verb } from '../cli.ts';

interface SaveTestFlags {
  readonly name?: string;
  readonly pin?: readonly string[];
  readonly replace?: boolean;
}

export const saveTest: Verb = (program, cli) => {
  program
    .command('save-test <execution>')
    .description('Write a test that expects what an execution came to, beside its workflow.yaml')
    .option('--name <name>', 'of the test (the id of the execution)')
    .option('--pin <step>', 'a step that does not run in the test: its result stands in', collect)
    .option('--replace', 'write over a test of that name')
    .action(async (execution: string, flags: SaveTestFlags, command) => {
      await cli.connected(command, async ({ call, io, out }) => {
        const { name, pin, replace } = flags;
        const saved = await call('tests.save', {
          execution,
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
