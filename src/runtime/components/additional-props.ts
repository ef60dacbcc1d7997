/** The props that are in force once `additionalProps` has seen the configured values (P6). */
import { propErrors } from './check-definition.ts';
import { messageWithCauses } from '../../protocol/error-causes.ts';
import type { ComponentDefinition, ConfigurableProp } from '../../protocol/definition.ts';
import { settleProps } from '../../protocol/effective-props.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { ConsoleLine, HostConfiguration, ThrownError } from '../../protocol/host.ts';
import { readPropSet } from '../../protocol/schemas/definition.ts';
import type { Host, ProcessExit } from '../processes/host.ts';
import { callHost } from '../processes/call-host.ts';
import { append } from '../processes/outcome.ts';
import type { Configured } from './props/configured.ts';
import { missingAccounts } from './props/accounts.ts';
import type { BaseServices } from '../base/services.ts';

/** The configuration of a component with these values: accounts, endpoints and db included. */
export type ConfigurationOf = (props: Configured) => HostConfiguration;

export interface FinalOptions extends Pick<BaseServices, 'now'> {
  readonly configurationOf: ConfigurationOf;
  readonly signal: AbortSignal;
  /** Called with the reason if it continues without the props of `additionalProps`. */
  readonly onLog: (lines: readonly ConsoleLine[]) => void;
}

/**
 * The definition with the props that `additionalProps` makes of the given values (P6).
 * @throws WeirError `component_failed` with its own words, and its log as details, when it fails and is
 *   needed; `cancelled`
 */
export async function finalDefinition(
  host: Host,
  declared: ComponentDefinition,
  given: Configured,
  { configurationOf, signal, now, onLog }: FinalOptions,
): Promise<ComponentDefinition> {
  const computed = await computeProps(host, declared, given, configurationOf, signal);
  if (computed.error === undefined) return computed.definition;
  if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
  const failed = `additionalProps failed: ${messageWithCauses(computed.error)}`;
  if (computed.loss !== undefined || needsAdditionalProps(declared, given)) {
    throw new WeirError(
      'component_failed',
      [failed, missingAccounts(declared, given)].join(' ').trimEnd(),
      computed.logs.map(({ at, level, text }) => ({ k: 'console', ts: at, level, message: text })),
    );
  }
  const text = `${failed} The action runs with the props it declares.`;
  onLog([...computed.logs, { at: now(), level: 'warn', text }]);
  return declared;
}

/**
 * The platform calls `additionalProps` for forms and when a source is deployed; an action runs with what a
 * form left (P6.11). So without a form an action needs it only for values of props that it does
 * not declare. A source always does: its interface may come from there.
 */
function needsAdditionalProps({ type, props }: ComponentDefinition, given: Configured): boolean {
  const declared = new Set(props.map(({ name }) => name));
  return type !== 'action' || Object.keys(given).some((name) => !declared.has(name));
}

export interface ComputedProps {
  /** With the final set, in order; as declared when `error` is there. */
  readonly definition: ComponentDefinition;
  readonly logs: readonly ConsoleLine[];
  readonly error?: ThrownError;
  /** Why the process ended, when that is the error. */
  readonly loss?: ProcessExit;
}

/**
 * Calls `additionalProps` until its set no longer changes. Resolves with the declared definition at once
 * when the component has none. What it throws, and the end of its process, are in the result.
 */
export async function computeProps(
  host: Host,
  declared: ComponentDefinition,
  given: Configured,
  configurationOf: ConfigurationOf,
  signal: AbortSignal,
): Promise<ComputedProps> {
  const logs: ConsoleLine[] = [];
  let failed: Pick<ComputedProps, 'error' | 'loss'> = {};
  if (!declared.hasAdditionalProps) return { definition: declared, logs };
  const props = await settleProps(declared.props, given, async (values) => {
    host.configure(configurationOf(values));
    const {
      error,
      loss,
      logs: said,
      result,
    } = await callHost(host, { call: 'additionalProps' }, signal);
    append(logs, said);
    if (error === undefined) return propsOf(result);
    failed = { error, ...(loss !== undefined && { loss }) };
    return undefined;
  });
  return { definition: props === undefined ? declared : { ...declared, props }, logs, ...failed };
}

/** @throws WeirError `component_failed` for what is no set of props */
function propsOf(result: string | undefined): readonly ConfigurableProp[] {
  if (result === undefined) return [];
  const set = readPropSet(result);
  if (set !== undefined) {
    const wrong = set.props.flatMap(propErrors);
    if (wrong.length === 0) return set.props;
    const why = wrong.map(({ message }) => message).join(' ');
    throw new WeirError('component_failed', `additionalProps: ${why}`, wrong);
  }
  throw new WeirError('component_failed', 'What additionalProps() came to is not a set of props.');
}
