/** A run that is only looked at: in a process of its own, and nothing of what it does is kept. */
import { WeirError } from '../../protocol/errors.ts';
import type {
  ConsoleLine,
  DataStoreAsk,
  HostConfiguration,
  HostResponse,
  Trigger,
} from '../../protocol/host.ts';
import type { Configured } from '../props/configured.ts';
import { mergeConfigured } from '../props/configured.ts';
import type { Deployment } from '../components/deployment.ts';
import { validateProps, withDefaults } from '../props/validation.ts';
import { DataStores } from '../data-stores/data-stores.ts';
import { draftOf } from '../data-stores/draft.ts';
import { type Called, callHost } from '../invocations/ask-host.ts';
import type { SourceRecord } from '../store/domain/sources.ts';
import { type ConfigurationOptions, hostConfiguration } from './configuration.ts';
import { finalDefinition } from './final-definition.ts';
import type { Instances } from './instances.ts';
import { type Opened, openComponent } from './open-component.ts';
import { resolveOrigin } from './origin.ts';
import { orOutsideBundle } from './outside-bundle.ts';
import type { PrepareOptions, Steps } from './prepare.ts';

export interface DryRunOptions extends ConfigurationOptions {
  readonly prepare: PrepareOptions;
  readonly instances: Instances;
  readonly now: () => number;
}

export interface DryRunRequest {
  /** Whose props, accounts and db are used; without one there are only the given props. */
  readonly record: SourceRecord | undefined;
  /** Code to run instead of what is deployed. */
  readonly component_path: string | undefined;
  readonly install?: boolean | undefined;
  readonly configured_props: Configured | undefined;
  /** What `run` gets; an action gets no trigger. */
  readonly trigger: Trigger;
}

export interface DryRunResult extends Called {
  /** What the caller would have got. */
  readonly response: HostResponse | undefined;
  /** What it would have done to data stores, in order. */
  readonly dataStores: readonly DataStoreAsk[];
}

/**
 * Resolves with what it did, also when it threw. Throws `bad_component`, `bad_input` with one detail
 * per prop, `cancelled`.
 */
export async function dryRun(
  options: DryRunOptions,
  request: DryRunRequest,
  steps: Steps,
): Promise<DryRunResult> {
  const said: ConsoleLine[] = [];
  const onLog = (lines: readonly ConsoleLine[]) => void said.push(...lines);
  const written: DataStoreAsk[] = [];
  const draft = new DataStores({
    table: draftOf(options.store.dataStores),
    now: options.now,
    newId: () => `ds_draft${written.length}`,
  });
  const { components, limits } = options.prepare;
  const opened = await orOutsideBundle(components, async () =>
    openComponent(components, await codeOf(options, request, steps), {
      sourceId: null,
      limits,
      signal: steps.signal,
      onLog,
      onAsk: (ask) => {
        if (ask.of !== 'data_store') return undefined;
        if (writes.has(ask.call.op)) written.push(ask);
        return draft.answer(ask);
      },
    }),
  );
  try {
    const { host, definition } = opened;
    if (definition.type === 'app') {
      throw new WeirError('bad_component', 'An app file has nothing to run; components import it.');
    }
    host.configure(await configurationOf(options, request, opened, steps.signal, onLog));
    let response: HostResponse | undefined;
    const called = await callHost(
      host,
      definition.type === 'action'
        ? { call: 'action', steps: {} }
        : { call: 'run', trigger: request.trigger },
      steps.signal,
      (given) => {
        response ??= given;
      },
    );
    if (steps.signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
    return { ...called, logs: [...said, ...called.logs], response, dataStores: written };
  } finally {
    await opened.host.end(0);
  }
}

const writes: ReadonlySet<DataStoreAsk['call']['op']> = new Set([
  'set',
  'setTtl',
  'delete',
  'clear',
]);

async function codeOf(
  { prepare, instances }: DryRunOptions,
  { record, component_path, install }: DryRunRequest,
  steps: Steps,
): Promise<Deployment> {
  if (component_path !== undefined) {
    return resolveOrigin(
      prepare,
      { component_path, install },
      { signal: steps.signal, progress: (step) => steps.progress(step) },
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
  { record, configured_props: given = {} }: DryRunRequest,
  { host, definition }: Opened,
  signal: AbortSignal,
  onLog: (lines: readonly ConsoleLine[]) => void,
): Promise<HostConfiguration> {
  const stored = record === undefined ? undefined : hostConfiguration(options, record);
  const configured =
    record === undefined || stored === undefined
      ? given
      : mergeConfigured(record.definition, stored.props, given);
  const self = stored ?? { endpoints: {}, db: {} };
  const surroundings = (props: Configured) => ({
    ...self,
    accounts: options.prepare.accountsOf(props),
  });
  const { now } = options;
  const final = { surroundings, signal, now, onLog };
  const full = await finalDefinition(host, definition, configured, final);
  const props = withDefaults(full, configured);
  const wrong = validateProps(full, props);
  if (wrong.length > 0) {
    throw new WeirError('bad_input', wrong.map(({ message }) => message).join(' '), wrong);
  }
  const propSet = full.hasAdditionalProps ? { propSet: full.props } : {};
  return { ...surroundings(props), props, ...propSet };
}
