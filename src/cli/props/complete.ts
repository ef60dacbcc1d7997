/** The prop values a component is deployed or run with: from the command line, else asked for. */
import type { Result } from '../../protocol/catalogue.ts';
import {
  type ConfigurableProp,
  isAsked,
  isRequired,
  isRequiredApp,
  isUserInput,
} from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import { type CodeOrigin, readJsonObject } from '../arguments.ts';
import type { ConnectedTools } from '../cli.ts';
import { createPrompt } from '../prompt.ts';
import { accountsFor } from './accounts.ts';
import { askProps, type Asking } from './ask.ts';
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
): Promise<Readonly<Record<string, unknown>>> {
  const component = await definitionOf(tools, origin, type);
  const props = component?.configurable_props;
  const configured = configuredProps(props, {
    prop: flags.prop ?? [],
    account: flags.account ?? [],
    file: await readPropsFile(flags.props, tools.io.cwd),
  });
  const given = { ...configured, ...(await accountsFor(tools, props ?? [], configured)) };
  const prompt = createPrompt(tools.io, tools.interrupted);
  if (component === undefined || !prompt.possible) {
    requireAll(missingProps(props ?? [], given));
    return given;
  }
  const isWanted: Asking['isWanted'] = (prop, values) =>
    flags.promptAll === true
      ? isAsked(prop) && !Object.hasOwn(values, prop.name)
      : missingProps([prop], values).length > 0 ||
        (isRequiredApp(prop) && !Object.hasOwn(values, prop.name));
  return askProps(
    { tools, prompt, origin, isWanted },
    component.configurable_props,
    component.has_additional_props,
    given,
  );
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
    if (!isRequired(prop)) return false;
    if (Object.hasOwn(configured, prop.name) || prop.default !== undefined) return false;
    if (prop.type === '$.interface.timer') {
      return [prop.static, prop['cron'], prop['intervalSeconds']].every((v) => v === undefined);
    }
    return isUserInput(prop) && prop.type !== 'app' && prop.type !== 'dir';
  });
}

/** Undefined for another type of component. */
async function definitionOf(
  { call, out }: ConnectedTools,
  origin: CodeOrigin,
  type: 'source' | 'action',
): Promise<Result<'components.inspect'> | undefined> {
  const component = await call('components.inspect', { ...origin });
  if (component.type !== type) return undefined;
  for (const warning of component.warnings) out.note(warning);
  return component;
}

/** Throws `bad_input` with one detail per prop. */
function requireAll(missing: readonly ConfigurableProp[]): void {
  if (missing.length === 0) return;
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
