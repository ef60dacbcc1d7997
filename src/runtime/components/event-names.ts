/** Which events of their app the apphook props of a component ask for, found out once its values are known (P8.23). */
import { messageWithCauses } from '../../protocol/error-causes.ts';
import {
  appOf,
  type ComponentDefinition,
  type ConfigurableProp,
} from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import { readEventNames } from '../../protocol/schemas/definition.ts';
import { callHost } from '../processes/call-host.ts';
import type { Host } from '../processes/host.ts';

/**
 * The definition with `eventNames` of each apphook prop as a list, or null when it asks for all. A prop of an app that
 * sends no events here stays as it is, and nobody calls its function.
 * @param host configured with the values
 * @param sendsEvents whether an app does, by its slug
 * @throws WeirError `component_failed` in the words of the function that says which
 */
export async function withEventNames(
  host: Host,
  definition: ComponentDefinition,
  sendsEvents: (app: string) => boolean,
  signal: AbortSignal,
): Promise<ComponentDefinition> {
  const props: ConfigurableProp[] = [];
  for (const prop of definition.props) {
    const app = appPropOf(definition, prop);
    props.push(
      app === undefined || !sendsEvents(appOf(app))
        ? prop
        : { ...prop, eventNames: await namesOf(host, prop, signal) },
    );
  }
  return { ...definition, props };
}

/** The app prop that an apphook prop names; undefined for any other prop. */
export function appPropOf(
  { props }: ComponentDefinition,
  prop: ConfigurableProp,
): ConfigurableProp | undefined {
  if (prop.type !== '$.interface.apphook') return undefined;
  return props.find(({ type, name }) => type === 'app' && name === prop['appProp']);
}

async function namesOf(
  host: Host,
  prop: ConfigurableProp,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  // Fixed by the component, under the name that timers have for it (P3.8).
  if (Array.isArray(prop.static)) return (prop.static as unknown[]).map(String);
  const { error, result, logs } = await callHost(
    host,
    { call: 'eventNames', prop: prop.name },
    signal,
  );
  if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
  const names = result === undefined ? undefined : readEventNames(result);
  if (error === undefined && names !== undefined) return names;
  throw new WeirError(
    'component_failed',
    `eventNames of ${prop.name} failed: ${error === undefined ? 'it gave no list of names' : messageWithCauses(error)}`,
    logs.map(({ at, level, text }) => ({ k: 'console', ts: at, level, message: text })),
  );
}
