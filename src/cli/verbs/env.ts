import type { Verb } from '../cli.ts';

export const env: Verb = (program, cli) => {
  const group = program
    .command('env')
    .description('Environment variables of the steps of workflows; values are sealed, never shown');
  group
    .command('list')
    .description('List the names, and what sets each')
    .action(async (_flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const { data } = await call('environment.list', {});
        out.answer(data, () =>
          data.length === 0
            ? 'No environment variables are set. Set one with "weir env set NAME".'
            : data.map(({ name, from }) => `${name}  ${from}`).join('\n'),
        );
      });
    });
  group
    .command('set <name> [value]')
    .description('Set a variable; without a value it is asked for, or read from the standard input')
    .action(async (name: string, given: string | undefined, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const value = given ?? (await cli.secret(`Value of ${name}`));
        await call('environment.set', { name, value });
        out.answer({ name }, () => `Set ${name}.`);
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
