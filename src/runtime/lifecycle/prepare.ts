/**
 * Everything of a deploy or update that can fail before anything is touched: bundle, evaluate, check
 * the definition, check the props.
 */
import type { ComponentDefinition } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { ConsoleLine, HostConfiguration } from '../../protocol/host.ts';
import type { Components, Deployment } from '../components/deployment.ts';
import { validateProps, withDefaults } from '../props/validation.ts';
import type { Host, HostLimits, HostOptions } from '../hosts/host.ts';
import { finalDefinition } from './final-definition.ts';
import { openComponent } from './open-component.ts';
import { orOutsideBundle } from './outside-bundle.ts';
import { resolveOrigin, type Origin, type OriginOptions } from './origin.ts';

export interface PrepareOptions extends OriginOptions {
  readonly components: Components;
  readonly limits: HostLimits;
  readonly now: () => number;
  /** Where lines outside any invocation go, of a process that is going to serve this source. */
  readonly hostEvents: (sourceId: string) => Pick<HostOptions, 'onLog' | 'onEnd'>;
  /** `$auth` of the accounts that these values name, by `apn_…`. */
  readonly accountsOf: (
    configured: Readonly<Record<string, unknown>>,
  ) => HostConfiguration['accounts'];
}

export interface Steps {
  readonly signal: AbortSignal;
  progress(message: string): void;
  /** Console lines outside any call, of a process that has no source whose log takes them. */
  readonly onLog?: (lines: readonly ConsoleLine[]) => void;
}

export interface Prepared {
  readonly deployment: Deployment;
  /** Started and evaluated, not configured. The caller ends it when it does not use it. */
  readonly host: Host;
  readonly definition: ComponentDefinition;
  /** Complete, in the clear. */
  readonly configured: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

/** @param sourceId of the instance this is for; null for an action, which runs by itself */
export async function prepare(
  options: PrepareOptions,
  sourceId: string | null,
  origin: Origin,
  given: Readonly<Record<string, unknown>>,
  steps: Steps,
): Promise<Prepared> {
  const { deployment, host, definition, warnings } = await load(options, sourceId, origin, steps);
  try {
    requireType(sourceId === null ? 'action' : 'source', definition, deployment);
    if (definition.hasAdditionalProps) steps.progress('Computing the additional props');
    const full = await finalDefinition(host, definition, given, {
      surroundings: (props) => ({ accounts: options.accountsOf(props), endpoints: {}, db: {} }),
      signal: steps.signal,
      now: options.now,
      onLog: (lines) => steps.onLog?.(lines),
    });
    const configured = withDefaults(full, given);
    const wrong = validateProps(full, configured);
    if (wrong.length > 0) {
      throw new WeirError('bad_input', wrong.map((detail) => detail.message).join(' '), wrong);
    }
    return { deployment, host, definition: full, configured, warnings };
  } catch (error) {
    host.kill('its props were refused');
    throw error;
  }
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
  const only = wanted === 'source' ? 'Only sources are deployed.' : 'Only actions are run so.';
  throw new WeirError('bad_component', `${path ?? 'The code'} is ${typeNames[type]}. ${only}`);
}

/** Bundles and evaluates; deploys nothing. The caller ends the host. */
export function load(
  options: PrepareOptions,
  sourceId: string | null,
  origin: Origin,
  steps: Steps,
): Promise<Omit<Prepared, 'configured'>> {
  return orOutsideBundle(options.components, () => loadOnce(options, sourceId, origin, steps));
}

async function loadOnce(
  options: PrepareOptions,
  sourceId: string | null,
  origin: Origin,
  steps: Steps,
): Promise<Omit<Prepared, 'configured'>> {
  steps.progress('Bundling');
  const deployment = await resolveOrigin(options, origin, {
    signal: steps.signal,
    progress: (step) => steps.progress(step),
  });
  steps.progress('Evaluating');
  const opened = await openComponent(options.components, deployment, {
    sourceId,
    limits: options.limits,
    signal: steps.signal,
    ...(steps.onLog !== undefined && { onLog: steps.onLog }),
    ...(sourceId !== null && options.hostEvents(sourceId)),
  });
  return { deployment, ...opened };
}
