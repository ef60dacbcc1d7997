/**
 * Everything of a deploy or update that can fail before anything is touched: bundle, evaluate, check
 * the definition, check the props.
 */
import { basename, extname } from 'node:path';
import type { ComponentDefinition } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { AdditionalPropsResult, HostConfiguration } from '../../protocol/host.ts';
import { checkDefinition } from '../components/check-definition.ts';
import type { Components, Deployment } from '../components/deployment.ts';
import { validateProps, withDefaults } from '../components/props.ts';
import type { Host, HostLimits, HostOptions } from '../hosts/host.ts';
import { askHost } from '../invocations/ask-host.ts';
import { resolveOrigin, type Origin, type OriginOptions } from './origin.ts';

export interface PrepareOptions extends OriginOptions {
  readonly components: Components;
  readonly limits: HostLimits;
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

/** @param sourceId of the instance this is for */
export async function prepare(
  options: PrepareOptions,
  sourceId: string,
  origin: Origin,
  given: Readonly<Record<string, unknown>>,
  steps: Steps,
): Promise<Prepared> {
  const { deployment, host, definition, warnings } = await load(options, sourceId, origin, steps);
  try {
    if (definition.type !== 'source') {
      const what =
        definition.type === 'action'
          ? 'an action; run it with "weir run"'
          : 'an app file, which components import';
      throw new WeirError(
        'bad_component',
        `${deployment.path ?? 'The code'} is ${what}. Only sources are deployed.`,
      );
    }
    const full = await withAdditionalProps(options, host, definition, given, steps);
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

/**
 * The definition with the props that `additionalProps` makes of the configured ones (reference §1.9).
 * One that fails shows its own words; a ConfigurationError is meant for the person who configures.
 */
async function withAdditionalProps(
  options: PrepareOptions,
  host: Host,
  definition: ComponentDefinition,
  given: Readonly<Record<string, unknown>>,
  steps: Steps,
): Promise<ComponentDefinition> {
  if (!definition.hasAdditionalProps) return definition;
  steps.progress('Computing the additional props');
  const props = withDefaults(definition, given);
  host.configure({ props, accounts: options.accountsOf(props), endpoints: {}, db: {} });
  const { error, result } = await askHost(host, { call: 'additionalProps' });
  if (error !== undefined || result === undefined) {
    throw new WeirError(
      'component_failed',
      `additionalProps failed: ${error?.message ?? 'it gave no props'}`,
    );
  }
  return { ...definition, props: (JSON.parse(result) as AdditionalPropsResult).props };
}

/** Bundles and evaluates; deploys nothing. The caller ends the host. */
export async function load(
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
  try {
    const host = await options.components.open(deployment, {
      sourceId,
      limits: options.limits,
      signal: steps.signal,
      ...(sourceId !== null && options.hostEvents(sourceId)),
    });
    try {
      const { definition, warnings } = checkDefinition(named(host.definition, deployment));
      return { deployment, host, definition, warnings };
    } catch (error) {
      host.kill('its definition was refused');
      throw error;
    }
  } catch (error) {
    throw naming(deployment.path, error);
  }
}

/** What is wrong with a component is told with its file in front. */
function naming(path: string | null, error: unknown): unknown {
  if (path === null || !WeirError.is(error, 'bad_component') || error.message.includes(path))
    return error;
  const details = error.details?.map((detail) => ({ file: path, ...detail }));
  return new WeirError('bad_component', `${path}: ${error.message}`, details, error);
}

/** A component without a name takes the file's (reference §1.1). */
function named(definition: ComponentDefinition, deployment: Deployment): ComponentDefinition {
  if (definition.name !== '') return definition;
  const path = deployment.path ?? 'component';
  return { ...definition, name: basename(path, extname(path)) };
}
