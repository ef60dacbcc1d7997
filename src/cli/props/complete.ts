/** The prop values a component is deployed or run with: from the command line, else asked for. */
import { type ConfigurableProp, isAsked, isUserInput } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import { type CodeOrigin, readJsonObject } from '../arguments.ts';
import type { ConnectedTools } from '../cli.ts';
import { createPrompt } from '../prompt.ts';
import { accountsFor } from './accounts.ts';
import { askProps } from './ask.ts';
import { configuredProps } from './configured.ts';

export interface PropFlags {
  readonly account?: readonly string[];
  readonly prop?: readonly string[];
  readonly props?: string;
  /** Optional props are asked for too. */
  readonly promptAll?: boolean;
}

/**
 * @param type what the props are for: nobody is asked for those of another type of component, as the
 *   runtime is going to refuse it
 * @throws `bad_input` with one detail per prop without a value, when there is nobody to ask
 */
export async function completeProps(
  tools: ConnectedTools,
  origin: CodeOrigin,
  flags: PropFlags,
  type: 'source' | 'action',
): Promise<Record<string, unknown>> {
  const props = await propsOf(tools, origin, type);
  const configured = configuredProps(props, {
    prop: flags.prop ?? [],
    account: flags.account ?? [],
    file: await readPropsFile(flags.props, tools.io.cwd),
  });
  const accounts = await accountsFor(tools, props ?? [], configured);
  const missing = missingProps(props ?? [], configured);
  const asked =
    flags.promptAll === true
      ? (props ?? []).filter((prop) => isAsked(prop) && !Object.hasOwn(configured, prop.name))
      : missing;
  const answers = await answersFor(tools, asked);
  return { ...configured, ...answers, ...accounts };
}

/** The file of `--props`; without one, nothing. */
export async function readPropsFile(
  file: string | undefined,
  cwd: string,
): Promise<Record<string, unknown>> {
  return file === undefined ? {} : readJsonObject(file, cwd, 'values by prop name');
}

/** Props that need a value and have none. `accountsFor` looks for the accounts of apps. */
export function missingProps(
  props: readonly ConfigurableProp[],
  configured: Readonly<Record<string, unknown>>,
): ConfigurableProp[] {
  return props.filter((prop) => {
    if (prop.optional === true || prop.hidden === true || prop.disabled === true) return false;
    if (Object.hasOwn(configured, prop.name) || prop.default !== undefined) return false;
    if (prop.type === '$.interface.timer') {
      return [prop.static, prop['cron'], prop['intervalSeconds']].every((v) => v === undefined);
    }
    return isUserInput(prop) && prop.type !== 'app' && prop.type !== 'dir';
  });
}

/** Undefined when only the runtime can get at the code, and for another type of component. */
async function propsOf(
  { call, out }: ConnectedTools,
  origin: CodeOrigin,
  type: 'source' | 'action',
): Promise<readonly ConfigurableProp[] | undefined> {
  if (origin.component_path === undefined) return undefined;
  const component = await call('components.inspect', { component_path: origin.component_path });
  if (component.type !== type) return undefined;
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
