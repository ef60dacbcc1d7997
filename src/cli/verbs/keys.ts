import { type Command, Option } from 'commander';
import type { Result } from '../../protocol/catalogue.ts';
import { type Scope, scopes } from '../../protocol/scopes.ts';
import { answeringRuntime } from '../../client/runtime-file.ts';
import type { Cli, Tools, Verb } from '../cli.ts';
import { type Column, table } from '../render/table.ts';
import { type KeyOperations, loadRuntime } from '../runtime-bundle.ts';
import { storeUrl } from '../store-url.ts';
import { fields } from '../views/fields.ts';

type Call = KeyOperations['call'];

export const keys: Verb = (program, cli) => {
  const group = program
    .command('keys')
    .description('Keys of people and programs that reach this runtime from other machines');
  group
    .command('add <name>')
    .description('Make a key and show it once; Weir keeps only its hash')
    .addOption(
      new Option('--scope <scope>', 'what the key allows; each scope includes those before it')
        .choices(scopes)
        .makeOptionMandatory(),
    )
    .action(async (name: string, { scope }: { scope: Scope }, command) => {
      await withKeys(cli, command, async (call, { out }) => {
        const made = await call('keys.add', { name, scope });
        out.answer(made, () => fields({ name, scope, key: made.key }));
      });
    });
  group
    .command('list')
    .description('List the names and scopes of the keys')
    .action(async (_flags: object, command) => {
      await withKeys(cli, command, async (call, { out, width }) => {
        const { data } = await call('keys.list', {});
        out.answer(data, () =>
          data.length === 0
            ? 'There are no keys yet; make one with "weir keys add NAME --scope read".'
            : table(columns, data, width),
        );
      });
    });
  group
    .command('remove <name>')
    .description('Remove a key, and close the connections that it opened')
    .action(async (name: string, _flags: object, command) => {
      await withKeys(cli, command, async (call, { out }) => {
        await call('keys.remove', { name });
        out.answer({ removed: name }, () => `Removed the key "${name}".`);
      });
    });
};

const columns: readonly Column<Result<'keys.list'>['data'][number]>[] = [
  { title: 'name', of: ({ name }) => name },
  { title: 'scope', of: ({ scope }) => scope },
  { title: 'created', of: ({ created_at }) => created_at },
];

/** With the runtime of the data folder, or in the folder itself where none runs. */
async function withKeys(
  cli: Cli,
  command: Command,
  verb: (call: Call, tools: Tools) => Promise<void>,
): Promise<void> {
  const tools = cli.tools(command);
  const runtime = await answeringRuntime(tools.dataFolder);
  if (runtime === undefined) {
    await cli.run(command, async (mine) => {
      const { dataFolder: data } = mine;
      const where = { data, store: storeUrl(mine.io, undefined) };
      await loadRuntime().withKeysOf(where, async (call) => await verb(call, mine));
    });
  } else await cli.connected(command, async (mine) => await verb(mine.call, mine));
}
