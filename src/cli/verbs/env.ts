import { UsageError } from '../arguments.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { createPrompt } from '../prompt.ts';

export const env: Verb = (program, cli) => {
  const group = program
    .command('env')
    .description('Environment variables of the steps of workflows');
  group
    .command('list')
    .description('List their names, and what sets each')
    .action(async (_flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const { data } = await call('environment.list', {});
        out.answer(data, () =>
          data.length === 0
            ? 'There are no variables yet; set one with "weir env set NAME".'
            : data.map(({ name, from }) => `${name}  (${from})`).join('\n'),
        );
      });
    });
  group
    .command('set <name> [value]')
    .description(
      'Set a variable; a value that is left out is asked for. It is sealed, and never shown',
    )
    .action(async (name: string, given: string | undefined, _flags: object, command) => {
      await cli.connected(command, async (tools) => {
        const value = given ?? (await asked(tools, name));
        await tools.call('environment.set', { name, value });
        tools.out.answer({ name }, () => `Set ${name}.`);
      });
    });
  group
    .command('delete <name>')
    .description('Delete a variable')
    .action(async (name: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('environment.delete', { name });
        out.answer({ deleted: name }, () => `Deleted ${name}.`);
      });
    });
};

/** A typed value is neither shown nor printed, and is in no shell history. */
async function asked({ io, interrupted }: ConnectedTools, name: string): Promise<string> {
  const prompt = createPrompt(io, interrupted);
  if (prompt.possible) return prompt.ask(`${name}: `, true);
  throw new UsageError(`${name} needs a value, because there is no terminal to ask on.`);
}
