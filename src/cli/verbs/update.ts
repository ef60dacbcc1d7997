import { Option } from 'commander';
import type { Params } from '../../protocol/catalogue.ts';
import { type CodeOrigin, codeOrigin, collect, UsageError } from '../arguments.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { readPropsFile } from '../props/complete.ts';
import { configuredProps } from '../props/configured.ts';
import { fields } from '../views/fields.ts';

interface UpdateFlags {
  readonly file?: string;
  readonly name?: string;
  readonly account?: readonly string[];
  readonly prop?: readonly string[];
  readonly props?: string;
  readonly activate?: boolean;
  readonly deactivate?: boolean;
  readonly active?: 'true' | 'false';
}

export const update: Verb = (program, cli) => {
  program
    .command('update <source>')
    .description('Change the code, props, name or state of a source')
    .option('--code, --file <file>', 'new code')
    .option('--name <name>', 'new name')
    .option('--account <prop=apn>', 'connected account for an app prop', collect)
    .option('--prop <k=v>', 'value of a prop; the others stay', collect)
    .option('--props <file.json>', 'values of props as one JSON object')
    .option('--activate', 'activate it')
    .option('--deactivate', 'deactivate it')
    .addOption(
      new Option('--active <state>', 'activate or deactivate it').choices(['true', 'false']),
    )
    .action(async (id: string, flags: UpdateFlags, command) => {
      const { activate, deactivate, active } = flags;
      if ([activate, deactivate, active].filter((flag) => flag !== undefined).length > 1) {
        throw new UsageError('Give one of --activate, --deactivate and --active.');
      }
      if (Object.keys(flags).length === 0) {
        throw new UsageError(
          'Nothing to update: give --file, --name, --prop, --props, --activate or --deactivate.',
        );
      }
      await cli.connected(command, async (tools) => await run(tools, id, flags));
    });
};

async function run(tools: ConnectedTools, id: string, flags: UpdateFlags): Promise<void> {
  const { call, io, out } = tools;
  const origin: CodeOrigin = flags.file === undefined ? {} : codeOrigin(flags.file, io.cwd);
  const given =
    flags.prop !== undefined || flags.props !== undefined || flags.account !== undefined;
  const params: Params<'sources.update'> = { id, ...origin };
  if (given) {
    const { configurable_props: props } =
      origin.component_path !== undefined
        ? await call('components.inspect', { component_path: origin.component_path })
        : await call('sources.get', { id });
    params.configured_props = configuredProps(props, {
      prop: flags.prop ?? [],
      account: flags.account ?? [],
      file: await readPropsFile(flags.props, io.cwd),
    });
  }
  if (flags.name !== undefined) params.name = flags.name;
  if (flags.activate === true || flags.active === 'true') params.active = true;
  if (flags.deactivate === true || flags.active === 'false') params.active = false;
  const source = await call('sources.update', params);
  const { id: sourceId, name, active, endpoint_url: endpoint } = source;
  out.answer(source, () => fields({ id: sourceId, name, active, endpoint }));
}
