/** A runtime as scenarios use it: everything goes through its REST API. */
import type {
  Account,
  ActionRun,
  EmittedEvent,
  Invocation,
  LogLine,
  PropOptions,
  PropSet,
  Source,
} from '../../../src/protocol/catalogue.ts';
import type { TestRuntime } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';
import { componentPath } from './packages.ts';

export type Props = Readonly<Record<string, unknown>>;

export interface Invoked extends Invocation {
  readonly emitted: readonly EmittedEvent[];
  readonly logs: readonly LogLine[];
}

/** Components are named by their path in the registry; a call that the runtime refuses throws. */
export interface World {
  readonly runtime: TestRuntime;
  /** @returns what an app prop is configured with */
  account(app: string, credentials: Props): Promise<unknown>;
  deploy(component: string, props: Props): Promise<Source>;
  remove(source: Source): Promise<void>;
  /** Runs a source now. */
  invoke(source: Source, event?: unknown): Promise<Invoked>;
  /** Waits for `count` events. Oldest first, payloads whole, those that dedupe dropped left out. */
  events(source: Source, count: number): Promise<EmittedEvent[]>;
  /** Runs an action; throws when it failed. */
  act(component: string, props: Props): Promise<ActionRun>;
  options(component: string, prop: string, props: Props, page?: unknown): Promise<PropOptions>;
  /** The props as `additionalProps` makes them. */
  props(component: string, props: Props): Promise<PropSet>;
}

export function createWorld(runtime: TestRuntime): World {
  const post = <T>(path: string, body: unknown) => runtime.restData<T>('POST', path, body);
  return {
    runtime,
    async account(app, credentials) {
      const { id } = await post<Account>('/v1/accounts', { app, credentials });
      return { authProvisionId: id };
    },
    deploy: (component, configured_props) =>
      post('/v1/sources', { component_path: componentPath(component), configured_props }),
    async remove({ id }) {
      await runtime.restData('DELETE', `/v1/sources/${id}`);
    },
    invoke: ({ id }, event) => post(`/v1/sources/${id}/invocations`, { event }),
    async events({ id, name }, count) {
      const path = `/v1/sources/${id}/event_summaries?expand=event&limit=100`;
      const found = await until(`${count} events of ${name}`, async () => {
        const events = await runtime.restData<EmittedEvent[]>('GET', path);
        return events.length >= count && events;
      });
      return found.toReversed();
    },
    async act(component, configured_props) {
      const body = { component_path: componentPath(component), configured_props };
      const run = await post<ActionRun>('/v1/actions/run', body);
      if (run.error !== undefined) throw new Error(JSON.stringify(run, null, 2));
      return run;
    },
    options: (component, prop_name, configured_props, prev_context) =>
      post('/v1/components/configure', {
        component_path: componentPath(component),
        prop_name,
        configured_props,
        prev_context,
      }),
    props: (component, configured_props) =>
      post('/v1/components/props', { component_path: componentPath(component), configured_props }),
  };
}
