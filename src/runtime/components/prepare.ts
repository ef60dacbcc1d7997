/**
 * Everything of a deploy, an update or the run of an action that can fail before anything is touched:
 * bundle, evaluate, check the definition, check the props.
 */
import type { ComponentDefinition } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { HostConfiguration } from '../../protocol/host.ts';
import { type AccountsOfApp, withOnlyAccounts } from './props/accounts.ts';
import { requireAllowed } from './props/require-allowed.ts';
import type { Configured } from './props/configured.ts';
import { validateProps, withDefaults } from './props/validation.ts';
import { finalDefinition } from './additional-props.ts';
import type { Deployment } from './deployments/deployment.ts';
import { withEventNames } from './event-names.ts';
import { load, type LoadedComponent, type LoadOptions, type TaskContext } from './load.ts';
import type { ForeignReference, Origin } from './origin.ts';
import type { BaseServices } from '../base/services.ts';

export interface PrepareOptions extends LoadOptions, Pick<BaseServices, 'now'> {
  /** `$auth` of the accounts that these values name, by `apn_…`. */
  readonly accountsOf: (configured: Configured) => HostConfiguration['accounts'];
  /** Refreshes what would run out during a run with these; never rejects. */
  readonly refreshExpiring: (configured: Configured) => Promise<void> | undefined;
  /** A run with these failed because an app had answered it 401: the next one refreshes first. */
  readonly unauthorized: (configured: Configured) => void;
  readonly accountsOfApp: AccountsOfApp;
  /** Ids of the only accounts that may be used, see `withAccounts`; all unless given. */
  readonly allowedAccounts?: readonly string[] | undefined;
  /** The file of a component of others that is locked and on this machine; nothing is fetched (P27.8). */
  readonly locked: (reference: ForeignReference) => Promise<string | undefined>;
  /** Whether a definition says how an app sends events, by its slug. */
  readonly sendsEvents: (app: string) => boolean;
}

/** Its definition has the props of `additionalProps`, too. */
export interface PreparedComponent extends LoadedComponent {
  /** Complete, in the clear. */
  readonly configured: Configured;
}

/**
 * The caller ends the host when it does not use it.
 * @param sourceId of the source this is for; null for an action, which runs by itself
 * @throws WeirError what `load` throws; `bad_component` for another type of component; `bad_input` with
 *   one detail per prop; `component_failed` when `additionalProps` fails
 */
export async function prepare(
  options: PrepareOptions,
  sourceId: string | null,
  origin: Origin,
  given: Configured,
  context: TaskContext,
): Promise<PreparedComponent> {
  const loaded = await load(options, sourceId, origin, context);
  const { deployment, host, definition } = loaded;
  try {
    requireType(sourceId === null ? 'action' : 'source', definition, deployment);
    if (definition.hasAdditionalProps) context.progress('Computing the additional props');
    const connected = withOnlyAccounts(definition, given, options.accountsOfApp);
    await options.refreshExpiring(connected);
    const configurationOf = (props: Configured): HostConfiguration => ({
      props,
      accounts: options.accountsOf(props),
      endpoints: {},
      db: {},
    });
    const full = await finalDefinition(host, definition, connected, {
      configurationOf,
      signal: context.signal,
      now: options.now,
      onLog: (lines) => context.onLog?.(lines),
    });
    const configured = withDefaults(full, withOnlyAccounts(full, connected, options.accountsOfApp));
    requireValid(full, configured);
    // A default may name an account, too.
    if (options.allowedAccounts !== undefined) requireAllowed(configured, options.allowedAccounts);
    const hasAppHook = full.props.some(({ type }) => type === '$.interface.apphook');
    if (sourceId === null || !hasAppHook) return { ...loaded, definition: full, configured };
    host.configure(configurationOf(configured));
    const named = await withEventNames(host, full, options.sendsEvents, context.signal);
    return { ...loaded, definition: named, configured };
  } catch (error) {
    host.kill('its props were refused');
    throw error;
  }
}

/** Throws `bad_input` with one detail per prop that has no usable value. */
export function requireValid(definition: ComponentDefinition, configured: Configured): void {
  const wrong = validateProps(definition, configured);
  if (wrong.length === 0) return;
  throw new WeirError('bad_input', wrong.map(({ message }) => message).join(' '), wrong);
}

const typeNames: Readonly<Record<ComponentDefinition['type'], string>> = {
  source: 'a source; deploy it with "weir deploy"',
  action: 'an action; run it with "weir run"',
  app: 'an app file, which components import',
};

function requireType(
  wanted: 'source' | 'action',
  { type }: ComponentDefinition,
  { path }: Deployment,
): void {
  if (type === wanted) return;
  const only =
    wanted === 'source' ? 'Only sources are deployed.' : 'Only actions can be run this way.';
  throw new WeirError('bad_component', `${path ?? 'The code'} is ${typeNames[type]}. ${only}`);
}
