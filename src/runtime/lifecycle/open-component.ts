/** Starts a component's process and checks what it evaluated to. */
import { basename, extname } from 'node:path';
import type { ComponentDefinition } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import { checkDefinition } from '../components/check-definition.ts';
import type { Components, Deployment } from '../components/deployment.ts';
import type { Host, HostOptions } from '../hosts/host.ts';

export interface Opened {
  /** Started and evaluated, not configured. */
  readonly host: Host;
  readonly definition: ComponentDefinition;
  readonly warnings: readonly string[];
}

/** The caller ends the host. Throws `bad_component` naming the file. */
export async function openComponent(
  components: Components,
  deployment: Deployment,
  options: Omit<HostOptions, 'bundle'>,
): Promise<Opened> {
  try {
    const host = await components.open(deployment, options);
    try {
      return { host, ...checkDefinition(named(host.definition, deployment)) };
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

/** A component without a name takes the file's (P1.7). */
function named(definition: ComponentDefinition, deployment: Deployment): ComponentDefinition {
  if (definition.name !== '') return definition;
  const path = deployment.path ?? 'component';
  return { ...definition, name: basename(path, extname(path)) };
}
