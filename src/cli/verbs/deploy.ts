import type { ConfigurableProp } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { type CodeOrigin, codeOrigin } from '../code-origin.ts';
import { readPropsFile } from '../json-file.ts';
import { collect } from '../numbers.ts';
import { createPrompt } from '../prompt.ts';
import { askProps } from '../props/ask.ts';
import { configuredProps } from '../props/configured.ts';
import { missingProps } from '../props/missing.ts';
import { fields } from '../views/fields.ts';

interface DeployFlags {
  readonly account?: readonly string[];
  readonly prop?: readonly string[];
  readonly props?: string;
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
    .option('--no-hooks', 'leave the deploy hook out')
    .action(async (argument: string, flags: DeployFlags, command) => {
      await cli.connected(command, async (tools) => await run(tools, argument, flags));
    });
};

async function run(tools: ConnectedTools, argument: string, flags: DeployFlags): Promise<ExitCode> {
  const { call, io, out } = tools;
  const origin = codeOrigin(argument, io.cwd);
  const props = await propsOf(tools, origin);
  const configured = configuredProps(props, {
    prop: flags.prop ?? [],
    account: flags.account ?? [],
    file: await readPropsFile(flags.props, io.cwd),
  });
  Object.assign(configured, await answersFor(tools, missingProps(props ?? [], configured)));

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

/** Undefined when only the runtime can get at the code. */
async function propsOf(
  { call, out }: ConnectedTools,
  origin: CodeOrigin,
): Promise<readonly ConfigurableProp[] | undefined> {
  if (origin.component_path === undefined) return undefined;
  const component = await call('components.inspect', { component_path: origin.component_path });
  for (const warning of component.warnings) out.note(warning);
  return component.configurable_props;
}

async function answersFor(
  { io, interrupted, out }: ConnectedTools,
  missing: readonly ConfigurableProp[],
): Promise<Record<string, unknown>> {
  if (missing.length === 0) return {};
  const prompt = createPrompt(io, interrupted);
  if (prompt.possible) return await askProps(missing, prompt, (sentence) => out.note(sentence));
  const details = missing.map(({ name, type, description }) => ({
    prop: name,
    message: `${name} (${type})${description === undefined ? '' : `: ${description}`}`,
  }));
  throw new WeirError(
    'bad_input',
    'These props need a value; give each with --prop NAME=VALUE, or all with --props FILE.json.',
    details,
  );
}
