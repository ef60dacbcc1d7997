/** From an origin to a component host that has evaluated the code, and its checked definition. */
import { basename, extname } from 'node:path';
import type { AdHocPlaces } from '../base/ad-hoc-places.ts';
import type { ComponentDefinition } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { ConsoleLine } from '../../protocol/host.ts';
import type { Host, HostLimits, HostOptions } from '../processes/host.ts';
import { withAuthKeys } from './auth-keys.ts';
import { checkDefinition } from './check-definition.ts';
import type { Components, Deployment } from './deployments/deployment.ts';
import { type Origin, type OriginOptions, resolveOrigin } from './origin.ts';

/** Gets the progress of a long task, and may cancel it. */
export interface TaskContext {
  /** Aborting it cancels the task. */
  readonly signal: AbortSignal;
  /** Called with one short sentence per step. */
  progress(message: string): void;
  /** Places that may be named although no registry is configured for them; none unless given. */
  readonly adHoc?: AdHocPlaces | undefined;
  /** Called with console lines outside any call, for a process that has no source with a log. */
  readonly onLog?: (lines: readonly ConsoleLine[]) => void;
  /** Whether the HTTP requests of code in the process are reported. */
  readonly recordsRequests?: boolean;
}

export interface LoadOptions extends OriginOptions {
  readonly limits: HostLimits;
  /** Takes what the process that is going to serve this source says outside any invocation. */
  readonly hostEvents: (sourceId: string) => Pick<HostOptions, 'onLog' | 'onEnd'>;
  /** Called with each definition that was evaluated and checked. */
  readonly loaded?: (definition: ComponentDefinition) => void;
}

export interface LoadedComponent {
  readonly deployment: Deployment;
  /** Started and evaluated, not configured. The caller of `load` ends it. */
  readonly host: Host;
  readonly definition: ComponentDefinition;
  readonly warnings: readonly string[];
}

/**
 * Bundles and evaluates; deploys nothing. The caller ends the host.
 * @param sourceId of the source this is for; null for an action, or a file that is only inspected
 * @throws WeirError `bad_input` for an origin that cannot be used, `bad_component`, `packages_needed`, `cancelled`
 */
export function load(
  options: LoadOptions,
  sourceId: string | null,
  origin: Origin,
  context: TaskContext,
): Promise<LoadedComponent> {
  const { signal, onLog, recordsRequests } = context;
  const build = (): Promise<Deployment> => {
    context.progress('Bundling');
    return resolveOrigin(options, origin, {
      signal,
      progress: (message) => context.progress(message),
      adHoc: context.adHoc,
    });
  };
  let { built } = origin;
  return retryWithExternal(options.components, async () => {
    const deployment = built ?? (await build());
    // The second try is there to build it otherwise.
    built = undefined;
    context.progress('Evaluating');
    const component = await loadDeployment(options.components, deployment, {
      sourceId,
      limits: options.limits,
      signal,
      ...(onLog !== undefined && { onLog }),
      ...(recordsRequests === true && { recordsRequests }),
      ...(sourceId !== null && options.hostEvents(sourceId)),
    });
    options.loaded?.(component.definition);
    return component;
  });
}

/**
 * Builds and loads code, and does both once more when what kept it from loading is a package that cannot
 * be bundled: in the second build it is external.
 */
export async function retryWithExternal<T>(
  components: Pick<Components, 'learnExternal'>,
  buildAndLoad: () => Promise<T>,
): Promise<T> {
  try {
    return await buildAndLoad();
  } catch (error) {
    if (!components.learnExternal(error)) throw error;
    return buildAndLoad();
  }
}

/**
 * Starts a process of a deployment and checks what it evaluated to. The caller ends the host.
 * @throws WeirError `bad_component` naming the file, `cancelled`
 */
export async function loadDeployment(
  components: Components,
  deployment: Deployment,
  options: Omit<HostOptions, 'bundle'>,
): Promise<LoadedComponent> {
  try {
    const host = await components.open(deployment, options);
    try {
      const evaluated = withName(host.definition, deployment);
      return { deployment, host, ...checkDefinition(withKeys(evaluated, deployment)) };
    } catch (error) {
      host.kill('its definition was refused');
      throw error;
    }
  } catch (error) {
    throw namingFile(deployment.path, error);
  }
}

/** Puts the component's file in front of what is wrong with it. */
function namingFile(path: string | null, error: unknown): unknown {
  if (path === null || !WeirError.is(error, 'bad_component') || error.message.includes(path))
    return error;
  const details = error.details?.map((detail) => ({ file: path, ...detail }));
  return new WeirError('bad_component', `${path}: ${error.message}`, details, error);
}

/** Its app props say what their accounts need. */
function withKeys(definition: ComponentDefinition, { appKeys }: Deployment): ComponentDefinition {
  if (appKeys === undefined) return definition;
  return { ...definition, props: withAuthKeys(definition.props, appKeys) };
}

/** A component without a name takes the file's (P1.7). */
function withName(definition: ComponentDefinition, deployment: Deployment): ComponentDefinition {
  if (definition.name !== '') return definition;
  const path = deployment.path ?? 'component';
  return { ...definition, name: basename(path, extname(path)) };
}
