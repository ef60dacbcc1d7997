/** A dry run: in a process of its own, and nothing of what it does is kept. Its requests are sent, but in a saved test. */
import type { ComponentDefinition } from '../../../protocol/definition.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type {
  ConsoleLine,
  DataStoreRequest,
  HostConfiguration,
  HostResponse,
  Trigger,
} from '../../../protocol/host.ts';
import { finalDefinition } from '../../components/additional-props.ts';
import type { Deployment } from '../../components/deployments/deployment.ts';
import {
  loadDeployment,
  type LoadedComponent,
  retryWithExternal,
  type TaskContext,
} from '../../components/load.ts';
import { resolveOrigin } from '../../components/origin.ts';
import { type PrepareOptions, requireValid } from '../../components/prepare.ts';
import { DataStores } from '../../components/data-stores/data-stores.ts';
import { draftOf } from '../../components/data-stores/draft.ts';
import { type Called, callHost } from '../../processes/call-host.ts';
import { append } from '../../processes/outcome.ts';
import { type ConfigurationOptions, hostConfiguration } from '../host-configuration.ts';
import type { Instances } from '../instances.ts';
import { type Configured, mergeConfigured } from '../../components/props/configured.ts';
import { withOnlyAccounts } from '../../components/props/accounts.ts';
import { withDefaults } from '../../components/props/validation.ts';
import type { Probation } from '../../events/runs/probation.ts';
import type { SourceRecord } from '../../store/configuration/sources.ts';
import type { UsesStore } from '../../store/store.ts';
import type { BaseServices } from '../../base/services.ts';

export interface DryRunOptions
  extends ConfigurationOptions, UsesStore<'dataStores'>, Pick<BaseServices, 'now'> {
  readonly prepare: PrepareOptions;
  readonly instances: Instances;
  /** Nothing that a crash cut off counts as alone while it runs. */
  readonly probation: Pick<Probation, 'beside'>;
}

/** Secrets in it are in clear. */
export interface GivenToRun extends Pick<HostConfiguration, 'props' | 'accounts'> {
  readonly definition: ComponentDefinition;
}

export interface DryRunRequest {
  /** The source whose props, accounts and db are used; without one there are only the given props. */
  readonly record: SourceRecord | undefined;
  /** Code to run instead of what is deployed. */
  readonly component_path: string | undefined;
  readonly install?: boolean | undefined;
  readonly configured_props: Configured | undefined;
  /** The trigger of `run`; an action gets none. */
  readonly trigger: Trigger | ((definition: ComponentDefinition) => Trigger);
  /** The content of the run's db, instead of the source's. */
  readonly db?: HostConfiguration['db'] | undefined;
  /** Address that all HTTP requests are sent to, while all else is blocked; without it, requests are sent as usual. */
  readonly requestsTo?: string | undefined;
  /** Is called before it runs. */
  readonly configured?: ((given: GivenToRun) => void) | undefined;
  /** Whether its HTTP requests are reported. */
  readonly recordsRequests?: boolean;
}

export interface DryRunResult extends Called {
  /** The answer that the caller would have got. */
  readonly response: HostResponse | undefined;
  /** The changes that it would have made to data stores, in order. */
  readonly dataStores: readonly DataStoreRequest[];
  /** Sentences about what it was refused. */
  readonly held: readonly string[];
  /** Initial content of its db: JSON texts. */
  readonly dbBefore: HostConfiguration['db'];
}

/**
 * Resolves with what it did, also when it threw.
 * @throws WeirError `bad_component`, `bad_input` with one detail per prop, `component_failed` when
 *   `additionalProps` fails, `not_found` when the source's code is gone, `cancelled`
 */
export async function dryRun(
  options: DryRunOptions,
  request: DryRunRequest,
  context: TaskContext,
): Promise<DryRunResult> {
  const logs: ConsoleLine[] = [];
  const onLog = (lines: readonly ConsoleLine[]) => append(logs, lines);
  const written: DataStoreRequest[] = [];
  const held = new Set<string>();
  const draft = new DataStores({
    table: draftOf(options.store.dataStores),
    now: options.now,
    newId: () => `ds_draft${written.length}`,
  });
  const { components, limits } = options.prepare;
  const { requestsTo: url } = request;
  const component = await retryWithExternal(components, async () =>
    loadDeployment(components, await codeOf(options, request, context), {
      sourceId: null,
      limits,
      ...(url !== undefined && { dry: { url, reads: false } }),
      ...(request.recordsRequests === true && { recordsRequests: true }),
      signal: context.signal,
      onLog,
      onRequest: (ask) => {
        if (ask.of === 'held_back') return Promise.resolve(void held.add(ask.message));
        if (ask.of !== 'data_store') return undefined;
        if (writes.has(ask.call.op)) written.push(ask);
        return draft.answer(ask);
      },
    }),
  );
  try {
    const { host, definition } = component;
    if (definition.type === 'app') {
      throw new WeirError('bad_component', 'An app file has nothing to run; components import it.');
    }
    const configuration = await configurationOf(options, request, component, context.signal, onLog);
    const { props, accounts, propSet } = configuration;
    const full = propSet === undefined ? definition : { ...definition, props: propSet };
    request.configured?.({ definition: full, props, accounts });
    host.configure(configuration);
    let response: HostResponse | undefined;
    const called = await options.probation.beside(() =>
      callHost(
        host,
        definition.type === 'action'
          ? { call: 'action', steps: {} }
          : { call: 'run', trigger: triggerOf(request, definition) },
        context.signal,
        (given) => {
          response ??= given;
        },
      ),
    );
    if (context.signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
    return {
      ...called,
      logs: [...logs, ...called.logs],
      response,
      dataStores: written,
      held: [...held],
      dbBefore: configuration.db,
    };
  } finally {
    await component.host.end(0);
  }
}

function triggerOf({ trigger }: DryRunRequest, definition: ComponentDefinition): Trigger {
  return typeof trigger === 'function' ? trigger(definition) : trigger;
}

const writes: ReadonlySet<DataStoreRequest['call']['op']> = new Set([
  'set',
  'setTtl',
  'delete',
  'clear',
]);

async function codeOf(
  { prepare, instances }: DryRunOptions,
  { record, component_path, install }: DryRunRequest,
  context: TaskContext,
): Promise<Deployment> {
  if (component_path !== undefined) {
    return resolveOrigin(
      prepare,
      { component_path, install },
      {
        signal: context.signal,
        adHoc: context.adHoc,
        progress: (message) => context.progress(message),
      },
    );
  }
  if (record === undefined) {
    throw new WeirError('bad_input', 'Give the id of a source, or component_path.');
  }
  const deployment = instances.get(record.id)?.deployment;
  if (deployment === undefined || deployment.bundle === '') {
    throw new WeirError(
      'not_found',
      `The code of ${record.name} is gone from the data folder; update the source to deploy it again.`,
    );
  }
  return deployment;
}

async function configurationOf(
  options: DryRunOptions,
  { record, configured_props: given = {}, db }: DryRunRequest,
  { host, definition }: LoadedComponent,
  signal: AbortSignal,
  onLog: (lines: readonly ConsoleLine[]) => void,
): Promise<HostConfiguration> {
  const stored = record === undefined ? undefined : hostConfiguration(options, record);
  const { accountsOf, accountsOfApp } = options.prepare;
  const merged =
    record === undefined || stored === undefined
      ? given
      : mergeConfigured(record.definition, stored.props, given);
  const configured = withOnlyAccounts(definition, merged, accountsOfApp);
  await options.prepare.refreshExpiring(configured);
  const configurationOf = (props: Configured): HostConfiguration => ({
    ...(stored ?? { endpoints: {}, db: {} }),
    ...(db !== undefined && { db }),
    props,
    accounts: accountsOf(props),
  });
  const final = { configurationOf, signal, now: options.now, onLog };
  const full = await finalDefinition(host, definition, configured, final);
  const props = withDefaults(full, withOnlyAccounts(full, configured, accountsOfApp));
  requireValid(full, props);
  return { ...configurationOf(props), ...(full.hasAdditionalProps && { propSet: full.props }) };
}
