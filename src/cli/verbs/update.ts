import { Option } from 'commander';
import type { Params } from '../../protocol/catalogue.ts';
import { type CodeOrigin, codeOrigin, collect, UsageError } from '../arguments.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { readPropsFile } from '../props/complete.ts';
import { trustOptions, type TrustFlags } from '../trust.ts';
import { updateComponent } from '../update-component.ts';
import { configuredProps } from '../props/configured.ts';
import { addressOf, fields } from '../views/fields.ts';

interface UpdateFlags extends TrustFlags {
  /** True without a version. */
  readonly to?: string | true;
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
  const command = program
    .command('update <source|workflow|component>')
    .description(
      'Change the code, props, name or state of a source, or the name or state of a workflow; with --to the version of a component of others',
    )
    .option(
      '--to [version]',
      'another version of its component, or a reference to it; the newest unless named. Of a component, for all its sources',
    )
    .option('--code, --file <file>', 'new code')
    .option('--name <name>', 'new name')
    .option('--account <prop=apn>', 'connected account for an app prop', collect)
    .option('--prop <k=v>', 'value of a prop; other props stay', collect)
    .option('--props <file.json>', 'values of props as one JSON object')
    .option('--activate', 'switch the source or workflow on')
    .option('--deactivate', 'switch the source or workflow off')
    .addOption(
      new Option('--active <state>', 'switch the source or workflow on or off').choices([
        'true',
        'false',
      ]),
    );
  trustOptions(command).action(async (id: string, given: UpdateFlags, self) => {
    const { to, yes, trust, ...flags } = given;
    if (to !== undefined) {
      const [other] = Object.keys(flags);
      if (other !== undefined) throw new UsageError(`--to and --${other} are two updates.`);
      await cli.connected(self, (tools) =>
        updateComponent(tools, id, to === true ? undefined : to, {
          ...(yes && { yes }),
          ...(trust && { trust }),
        }),
      );
      return;
    }
    const { activate, deactivate, active } = flags;
    if ([activate, deactivate, active].filter((flag) => flag !== undefined).length > 1) {
      throw new UsageError('Give one of --activate, --deactivate and --active.');
    }
    if (Object.keys(flags).length === 0) {
      throw new UsageError(
        'Nothing to update: give --to, --file, --name, --prop, --props, --activate or --deactivate.',
      );
    }
    await cli.connected(self, async (tools) => {
      const found = await tools.call('emitters.find', { id });
      if (found.type === 'workflow') await updateWorkflow(tools, found.id, flags);
      else await run(tools, found.id, flags);
    });
  });
};

async function updateWorkflow(
  { call, out }: ConnectedTools,
  id: string,
  flags: UpdateFlags,
): Promise<void> {
  const { name, activate, deactivate, active } = flags;
  const others = Object.keys(flags).filter(
    (flag) => !['name', 'activate', 'deactivate', 'active'].includes(flag),
  );
  if (others.length > 0) {
    throw new UsageError(
      `--${others[0]} is for sources: a workflow has its code and props in its folder, and "weir deploy" brings them.`,
    );
  }
  const isOn = activate === true || active === 'true';
  const isOff = deactivate === true || active === 'false';
  const workflow = await call('workflows.update', {
    id,
    ...(name !== undefined && { name }),
    ...((isOn || isOff) && { active: isOn }),
  });
  out.answer(workflow, () => fields({ id, name: workflow.name, active: workflow.active }));
}

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
  const { id: sourceId, name, active, endpoint_url: endpoint, webhook } = source;
  out.answer(source, () => fields({ id: sourceId, name, active, endpoint, ...addressOf(webhook) }));
}
