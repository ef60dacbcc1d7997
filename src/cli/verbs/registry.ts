/** The places that components of others are found in, and whom the user allowed. */
import type { ConfiguredRegistry, Result } from '../../protocol/catalogue.ts';
import type { Verb } from '../cli.ts';
import { type Column, table } from '../render/table.ts';
import { fields } from '../views/fields.ts';

const columns: readonly Column<ConfiguredRegistry>[] = [
  { title: 'name', of: ({ name }) => name },
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'place', of: ({ place }) => place },
  { title: 'configured by', of: ({ from }) => from },
];

const trustedColumns: readonly Column<Result<'registries.trusted'>['data'][number]>[] = [
  { title: 'publisher', of: ({ publisher }) => publisher },
  { title: 'registry', of: ({ registry }) => registry },
  {
    title: 'allowed',
    of: ({ subjects }) => `all of its components; you were asked about ${subjects.join(', ')}`,
    shrinks: true,
  },
];

export const registry: Verb = (program, cli) => {
  const group = program.command('registry').description('Registries: where Weir finds components');
  group
    .command('add <place>')
    .description('Add a registry: npm, npm:@scope, npm:URL, the URL of a git repository, a folder')
    .option('--name <name>', 'name of the registry; by default, its last word')
    .option('--user', 'add it for all your workspaces instead of for this folder')
    .action(async (place: string, flags: { name?: string; user?: boolean }, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const added = await call('registries.add', { place, ...flags });
        out.answer(added, () => fields({ ...added }));
      });
    });
  group
    .command('list')
    .description('List the registries, in the order in which Weir asks them')
    .action(async (_flags: object, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const { data } = await call('registries.list', {});
        for (const { problem } of data) if (problem !== undefined) out.note(problem);
        out.answer(data, () =>
          data.length === 0
            ? 'None is configured: add one with "weir registry add PLACE".'
            : table(columns, data, width),
        );
      });
    });
  group
    .command('remove <name>')
    .description('Remove a registry; components added from it stay')
    .action(async (name: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('registries.remove', { name });
        out.answer({ removed: name }, () => `Removed ${name}.`);
      });
    });
  group
    .command('trusted')
    .description('List the publishers whose components you allowed')
    .action(async (_flags: object, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const { data } = await call('registries.trusted', {});
        out.answer(data, () =>
          data.length === 0 ? 'Nobody is trusted yet.' : table(trustedColumns, data, width),
        );
      });
    });
  group
    .command('forget <publisher>')
    .description('Forget your answer for a publisher; the next deploy asks again')
    .action(async (publisher: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('registries.forget', { publisher });
        out.answer({ forgotten: publisher }, () => `Forgot ${publisher}.`);
      });
    });
};
