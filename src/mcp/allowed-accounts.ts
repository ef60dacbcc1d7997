/**
 * If the user has named the accounts that agents may use, code that agents bring gets no other account. The runtime
 * gets these accounts with each request, and refuses any other in whatever form it is named.
 */
import type { ConfigurableProp } from '../protocol/definition.ts';
import { WeirError } from '../protocol/errors.ts';
import type { AgentCaller } from './tool.ts';

export interface Code {
  readonly component_path?: string | undefined;
  readonly component_code?: string | undefined;
  readonly component_id?: string | undefined;
  readonly key?: string | undefined;
  readonly install?: boolean | undefined;
}

/** The parameters that a request gets for both. */
export interface Allowed {
  readonly configured_props: Record<string, unknown> | undefined;
  /** Undefined: all. */
  readonly accounts?: string[];
}

/** Their files name accounts themselves. */
export const namesAccounts: ReadonlySet<string> = new Set([
  'deploy_workflow',
  'test_workflow',
  'run_test',
]);

/**
 * The values with null for each app prop that has none: the runtime takes an app's only account otherwise.
 * @throws WeirError `bad_input` for code that cannot be looked at before, and what the runtime says of an account
 */
export async function withAllowedAccounts(
  code: Code,
  given: Readonly<Record<string, unknown>> | undefined,
  { call, allowed }: AgentCaller,
): Promise<Allowed> {
  if (allowed === null) return { configured_props: given };
  const accounts = [...allowed];
  if (code.component_code !== undefined) {
    throw new WeirError(
      'bad_input',
      'The user has named the accounts that may be used: give the code as a file, with component_path.',
    );
  }
  const { component_path, key, install } = code;
  const component_id =
    key === undefined ? code.component_id : (await call('components.get', { id: key })).id;
  // It keeps the code and the accounts that it has.
  if (component_path === undefined && component_id === undefined) {
    return { configured_props: given, accounts };
  }
  const origin = { component_path, component_id, install };
  const definition = await call('components.inspect', origin);
  const bound = unbound(definition.configurable_props, { ...given });
  if (!definition.has_additional_props) return { configured_props: bound, accounts };
  const { component_path: path, component_id: id } = origin;
  const more = await call('components.props', {
    component_path: path,
    component_id: id,
    configured_props: bound,
    accounts,
  });
  return { configured_props: unbound(more.configurable_props, bound), accounts };
}

function unbound(
  props: readonly ConfigurableProp[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const missing = props.filter(({ name, type }) => type === 'app' && values[name] === undefined);
  return { ...Object.fromEntries(missing.map(({ name }) => [name, null])), ...values };
}
