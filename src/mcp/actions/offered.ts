/** An action as a tool: its name, its input, and how it is run. */
import { allPages } from '../../client/pages.ts';
import type { Result } from '../../protocol/catalogue.ts';
import { appOf, type ConfigurableProp } from '../../protocol/definition.ts';
import { accountNamed } from '../../protocol/account-value.ts';
import { WeirError } from '../../protocol/errors.ts';
import { own } from '../../protocol/own.ts';
import { actionAnswer } from '../documents.ts';
import type { AgentCaller, Tool } from '../tool.ts';
import type { ActionOrigin } from './find.ts';
import { inputSchema, isUserBound } from './schema.ts';

export type Inspected = Result<'components.inspect'>;

export interface OfferedAction {
  /** The offer that it comes from. */
  readonly what: string;
  readonly origin: ActionOrigin;
  readonly definition: Inspected;
  readonly rules: ActionRules;
  readonly tool: Tool;
}

/** The user's decisions about an action. */
export interface ActionRules {
  /** Account by app slug, null for none. Empty: an app's only account is used. */
  readonly accounts: ReadonlyMap<string, string | null>;
  /** Whether it runs for real. */
  readonly isLive: boolean;
}

/** The most that clients take. */
const longestName = 64;

/**
 * The name of an action's tool: its key, as far as the protocol takes its characters.
 * @param isTaken whether another tool has a name
 */
export function toolName({ key, name }: Inspected, isTaken: (name: string) => boolean): string {
  const plain = (key ?? name).replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, longestName) || 'action';
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : `_${n}`;
    const candidate = `${plain.slice(0, longestName - end.length)}${end}`;
    if (!isTaken(candidate)) return candidate;
  }
}

export function offeredAction(
  name: string,
  origin: ActionOrigin,
  definition: Inspected,
  rules: ActionRules,
  what: string,
): OfferedAction {
  const { isLive } = rules;
  const about = definition.description ?? definition.name;
  const tool: Tool = {
    name,
    title: definition.name,
    description: isLive
      ? about
      : `${about} (Dry run: values are completed and checked, the action itself is not run. Only the user can change that.)`,
    inputSchema: inputSchema(definition.configurable_props, definition.has_additional_props),
    annotations: hintsOf(definition, isLive),
    scope: 'deploy',
    run: async (given, caller) => {
      const { call, agent } = caller;
      const values = valuesOf(definition.configurable_props, given);
      requireKnown(values, tool);
      const user = await bound(definition.configurable_props, rules, caller);
      const request = { ...origin, configured_props: { ...values, ...user.values }, ...user.only };
      if (!isLive) {
        const checked = await call('actions.check', request);
        return { operation: 'actions.check', data: { dry_run: true, ...checked } };
      }
      return actionAnswer(await call('actions.run', { ...request, agent }));
    },
  };
  return { what, origin, definition, rules, tool };
}

/** A run of code does whatever its author has not denied; a dry run destroys nothing. */
export function hintsOf({ annotations = {} }: Inspected, isLive: boolean): Tool['annotations'] {
  const said = (name: string, otherwise: boolean): boolean => {
    const value = own(annotations, name);
    return typeof value === 'boolean' ? value : otherwise;
  };
  const readOnlyHint = said('readOnlyHint', false);
  return {
    readOnlyHint,
    destructiveHint: isLive && said('destructiveHint', !readOnlyHint),
    idempotentHint: said('idempotentHint', !isLive),
    openWorldHint: said('openWorldHint', true),
  };
}

/**
 * Values of a model, as an object.
 * @throws WeirError `bad_input` for one that only the user gives
 */
export function valuesOf(
  props: readonly ConfigurableProp[],
  given: unknown,
): Record<string, unknown> {
  const values = given ?? {};
  if (typeof values !== 'object' || Array.isArray(values)) {
    throw new WeirError('bad_input', 'The values must be an object, by prop.');
  }
  for (const [name, value] of Object.entries(values)) {
    const prop = props.find((one) => one.name === name);
    if (accountNamed(value) !== undefined || (prop !== undefined && isUserBound(prop))) {
      const message = `${name} is not for you to give: the user binds accounts and secrets. Leave it out.`;
      throw new WeirError('bad_input', message, [{ message, prop: name, user_bound: true }]);
    }
  }
  return { ...values };
}

/** @throws WeirError `bad_input` for a value of a prop that the schema does not have */
function requireKnown(
  values: Readonly<Record<string, unknown>>,
  { inputSchema: schema }: Tool,
): void {
  if (schema['additionalProperties'] === true) return;
  const known = schema['properties'] as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const names = Object.keys(known).join(', ') || 'none';
  throw new WeirError('bad_input', `There is no prop "${unknown}"; the props are ${names}.`);
}

/** The accounts that the user has bound. */
interface Bound {
  readonly values: Record<string, unknown>;
  /** The only accounts that the action may use, also in props that it adds by itself; absent for all. */
  readonly only?: { readonly accounts: string[] };
}

/**
 * The app props, as the user bound them. With a list of accounts, an app that is not on it gets none: null
 * keeps the runtime from choosing. Without one it is the app's only account that agents may use; of several the
 * runtime says so.
 */
export async function bound(
  props: readonly ConfigurableProp[],
  { accounts }: Pick<ActionRules, 'accounts'>,
  { call, allowed }: Pick<AgentCaller, 'call' | 'allowed'>,
): Promise<Bound> {
  const only =
    accounts.size === 0
      ? allowed
      : [...accounts.values()].filter((id) => id !== null && (allowed?.includes(id) ?? true));
  const limit = only === null ? {} : { only: { accounts: only.filter((id) => id !== null) } };
  const apps = props.filter(({ type }) => type === 'app');
  if (apps.length === 0) return { values: {}, ...limit };
  const connected = accounts.size > 0 ? [] : await allPages((page) => call('accounts.list', page));
  const values = apps.flatMap((prop): (readonly [string, unknown])[] => {
    const app = appOf(prop);
    const of =
      accounts.size > 0
        ? [accounts.get(app)].filter((id) => typeof id === 'string')
        : connected.filter((one) => one.app.id === app).map(({ id }) => id);
    const usable = of.filter((id) => allowed === null || allowed.includes(id));
    const [only, ...others] = usable;
    if (only !== undefined && others.length === 0) return [[prop.name, { authProvisionId: only }]];
    // Several that all may be used: the runtime says so. Else it must not choose by itself.
    return usable.length > 1 && usable.length === of.length ? [] : [[prop.name, null]];
  });
  return { values: Object.fromEntries(values), ...limit };
}
