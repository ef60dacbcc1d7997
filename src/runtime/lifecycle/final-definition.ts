import type { ComponentDefinition } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { ConsoleLine } from '../../protocol/host.ts';
import type { Configured } from '../props/configured.ts';
import type { Host } from '../hosts/host.ts';
import { computeProps, type Surroundings } from './compute-props.ts';

export interface FinalOptions {
  readonly surroundings: Surroundings;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Told when it goes on without what `additionalProps` would have added. */
  readonly onLog: (lines: readonly ConsoleLine[]) => void;
}

/**
 * The definition with the props that `additionalProps` makes of the given values (reference §1.9). Throws
 * `component_failed` with its own words when it fails and is needed, and `cancelled`.
 */
export async function finalDefinition(
  host: Host,
  declared: ComponentDefinition,
  given: Configured,
  { surroundings, signal, now, onLog }: FinalOptions,
): Promise<ComponentDefinition> {
  const computed = await computeProps(host, declared, given, surroundings, signal);
  if (computed.error === undefined) return computed.definition;
  if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
  const failed = `additionalProps failed: ${computed.error.message}`;
  if (computed.loss !== undefined || needsAdditionalProps(declared, given)) {
    throw new WeirError('component_failed', failed);
  }
  const text = `${failed} The action runs with the props it declares.`;
  onLog([{ at: now(), level: 'warn', text }]);
  return declared;
}

/**
 * The platform calls `additionalProps` for forms and when a source is deployed; an action runs with what a
 * form left (reference §1.9). So without a form an action needs it only for values of props that it does
 * not declare. A source always does: its interface may come from there.
 */
function needsAdditionalProps({ type, props }: ComponentDefinition, given: Configured): boolean {
  const declared = new Set(props.map(({ name }) => name));
  return type !== 'action' || Object.keys(given).some((name) => !declared.has(name));
}
