import { codeOrigin, collect, UsageError, workflowPath } from '../arguments.ts';
import type { ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { completeProps, type PropFlags } from '../props/complete.ts';
import { enterSigningSecret } from '../signing-secret.ts';
import { asking, trustOptions, type TrustFlags } from '../trust.ts';
import { addressOf, fields } from '../views/fields.ts';
import { deployFolder, folderOfWorkflows } from '../workflows/deploy-folder.ts';
import { deployedText, warningText } from '../views/workflows.ts';

interface DeployFlags extends PropFlags, TrustFlags {
  readonly name?: string;
  /** False with `--no-hooks`. */
  readonly hooks: boolean;
}

export const deploy: Verb = (program, cli) => {
  const command = program
    .command('deploy <file|folder|reference>')
    .description(
      'Deploy a source, the workflow of a folder or workflow.yaml, or all that are ready below a folder',
    )
    .option('--account <prop=apn>', 'connected account for an app prop', collect)
    .option('--prop <k=v>', 'value of a prop; repeat for more props or a list', collect)
    .option('--props <file.json>', 'values of props as one JSON object')
    .option('--name <name>', 'name of the source')
    .option('--no-hooks', 'do not run the deploy hook');
  trustOptions(command).action(async (argument: string, given: DeployFlags, self) => {
    await cli.connected(self, async (connected) => {
      const { yes, trust, ...flags } = given;
      const tools = asking(connected, { ...(yes && { yes }), ...(trust && { trust }) });
      const folder = folderOfWorkflows(argument, tools.io.cwd);
      if (folder !== undefined) {
        requireNoSourceFlags(flags);
        return await deployFolder(tools, folder);
      }
      const path = workflowPath(argument, tools.io.cwd);
      return path === undefined
        ? await run(tools, argument, flags)
        : await deployWorkflow(tools, path, flags);
    });
  });
};

/** Deploying the same folder again makes a new deployment of the same workflow. */
async function deployWorkflow(
  { call, out }: ConnectedTools,
  workflow_path: string,
  flags: DeployFlags,
): Promise<ExitCode> {
  requireNoSourceFlags(flags);
  const workflow = await call('workflows.deploy', { workflow_path });
  for (const warning of workflow.warnings) out.note(warningText(warning));
  out.answer(workflow, () => deployedText(workflow));
  return 0;
}

function requireNoSourceFlags({ hooks, ...flags }: DeployFlags): void {
  const [other] = Object.keys(flags);
  if (other === undefined && hooks) return;
  throw new UsageError(
    `--${other ?? 'no-hooks'} is for sources: a workflow has its name and its values in workflow.yaml.`,
  );
}

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
  await enterSigningSecret(tools, source);
  const { id, name, endpoint_url: endpoint, webhook, next_tick_at } = source;
  const next = next_tick_at === null ? null : new Date(next_tick_at).toISOString();
  out.answer(source, () =>
    fields({ id, name, endpoint, ...addressOf(webhook), 'next tick': next }),
  );
  return 0;
}
