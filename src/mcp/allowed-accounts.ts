/** Where the user has named the accounts that agents may use, code that they bring gets no other. */
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

/** Their files name accounts themselves. */
export const namesAccounts: ReadonlySet<string> = new Set([
  'deploy_workflow',
  'test_workflow',
  'run_test',
]);

/**
 * The values with null for each app prop that has none: the runtime takes an app's only account otherwise.
 * @throws WeirError `bad_input` for an account that is not allowed, and for code that cannot be looked at before
 */
export async function withAllowedAccounts<V extends Readonly<Record<string, unknown>>>(
  code: Code,
  given: V | undefined,
  { call, allowed }: AgentCaller,
): Promise<V | Record<string, unknown> | undefined> {
  if (allowed === null) return given;
  for (const id of Object.values(given ?? {}).map(accountIn)) {
    if (id === undefined || allowed.includes(id)) continue;
    throw new WeirError(
      'bad_input',
      `The user has not allowed the account ${id}; allowed are ${allowed.join(', ') || 'none'}.`,
    );
  }
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
  if (component_path === undefined && component_id === undefined) return given;
  const origin = { component_path, component_id, install };
  const definition = await call('components.inspect', origin);
  const bound = unbound(definition.configurable_props, { ...given });
  if (!definition.has_additional_props) return bound;
  const { component_path: path, component_id: id } = origin;
  const more = await call('components.props', {
    component_path: path,
    component_id: id,
    configured_props: bound,
  });
  return unbound(more.configurable_props, bound);
}

function unbound(
  props: readonly ConfigurableProp[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const missing = props.filter(({ name, type }) => type === 'app' && values[name] === undefined);
  return { ...Object.fromEntries(missing.map(({ name }) => [name, null])), ...values };
}

function accountIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('authProvisionId' in value))
    return undefined;
  return typeof value.authProvisionId === 'string' ? value.authProvisionId : '';
}
