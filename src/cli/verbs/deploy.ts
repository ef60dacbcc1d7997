import { codeOrigin, collect } from '../arguments.ts';
import type { ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { completeProps, type PropFlags } from '../props/complete.ts';
import { fields } from '../views/fields.ts';

interface DeployFlags extends PropFlags {
  readonly name?: string;
  /** False with `--no-hooks`. */
  readonly hooks: boolean;
}

export const deploy: Verb = (program, cli) => {
  program
    .command('deploy <file|key|url>')
    .description('Deploy a source')
    .option('--account <prop=apn>', 'connected account for an app prop', collect)
    .option('--prop <k=v>', 'value of a prop; repeat it for more props or a list', collect)
    .option('--props <file.json>', 'values of props as one JSON object')
    .option('--name <name>', 'name of the source')
    .option('--no-hooks', 'do not run the deploy hook')
    .action(async (argument: string, flags: DeployFlags, command) => {
      await cli.connected(command, async (tools) => await run(tools, argument, flags));
    });
};

async function run(tools: ConnectedTools, argument: string, flags: DeployFlags): Promise<ExitCode> {
  const { call, io, out } = tools;
  const origin = codeOrigin(argument, io.cwd);
  const configured = await completeProps(tools, origin, flags, 'source');

  const source = await call('sources.deploy', {
    ...origin,
    configured_props: configured,
    hooks: flags.hooks,
    ...(flags.name === undefined ? {} : { name: flags.name }),
  });
  const { id, name, endpoint_url: endpoint, next_tick_at } = source;
  const next = next_tick_at === null ? null : new Date(next_tick_at).toISOString();
  out.answer(source, () => fields({ id, name, endpoint, 'next tick': next }));
  return 0;
}
