/** A source as every face shows it, put together from its record and what is known beside it. */
import type { ApiServices } from './api-services.ts';
import type { Invocation, Source } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { ShownRun } from '../../events/owner/owned-emitters.ts';
import { endpointsOf } from '../../sources/host-configuration.ts';
import type { SourceRecord } from '../../store/configuration/sources.ts';
import type { InvocationRecord } from '../../store/history/invocations.ts';
import type { Store, UsesStore } from '../../store/store.ts';
import { type AppWebhookParts, sourceWebhook } from './app-webhooks.ts';
import { presentDebugState } from './present-debug.ts';
import { presentEvent, presentInvocation, presentLog, presentSource } from './present.ts';

export interface ShowSourceParts
  extends
    ShowInvocationParts,
    AppWebhookParts,
    UsesStore<'components'>,
    Pick<ApiServices, 'debugging'> {
  /** Its newest run, ended or not. */
  readonly lastRunOf: (id: string) => ShownRun | undefined;
}

export interface ShowInvocationParts extends Pick<ApiServices, 'invocations'> {}

/** By id or name slug. One that is still being deployed may yet fail: nobody finds it. */
export function deployedSource(
  store: Pick<Store, 'sources'>,
  idOrSlug: string,
): SourceRecord | undefined {
  const record = store.sources.find(idOrSlug);
  return record?.deploying === true ? undefined : record;
}

/** The same, but throws `not_found`. */
export function findSource(store: Pick<Store, 'sources'>, idOrSlug: string): SourceRecord {
  const record = deployedSource(store, idOrSlug);
  if (record === undefined) {
    throw new WeirError(
      'not_found',
      `There is no source "${idOrSlug}". List them with "weir list sources".`,
    );
  }
  return record;
}

export function showSource(parts: ShowSourceParts, record: SourceRecord): Source {
  const { store, lastRunOf, debugging, endpointUrl } = parts;
  const last = lastRunOf(record.id)?.record();
  return presentSource(record, {
    component: store.components.get(record.componentId),
    last: last === undefined ? null : showInvocationRecord(parts, last),
    endpoints: endpointsOf(record, endpointUrl),
    webhook: sourceWebhook(parts, record),
    debug: presentDebugState(debugging.find(record.id)),
  });
}

/** The store knows one that is running as queued until it ends. */
export function showInvocationRecord(
  { invocations }: ShowInvocationParts,
  record: InvocationRecord,
): Invocation {
  return presentInvocation(record, invocations.isRunning(record.n));
}

/** An invocation with its events and log lines. Throws `not_found`. */
export async function showInvocation(
  parts: ShowInvocationParts & { readonly store: Pick<Store, 'invocations' | 'events' | 'logs'> },
  n: number,
) {
  const { store } = parts;
  const [record, emitted, logs] = await Promise.all([
    store.invocations.get(n),
    store.events.ofInvocation(n),
    store.logs.ofInvocation(n),
  ]);
  if (record === undefined) throw new WeirError('not_found', `There is no invocation inv_${n}.`);
  return {
    ...showInvocationRecord(parts, record),
    emitted: emitted.map((event) => presentEvent(event, true)),
    logs: logs.map(presentLog),
  };
}
