import type { ApiServices } from './api-services.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { Trigger } from '../../../protocol/host.ts';
import { dryRun, type DryRunOptions } from '../../sources/one-off-runs/dry-run.ts';
import type { SourceRecord } from '../../store/configuration/sources.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from './operations.ts';
import { invocationNumber } from './present.ts';
import { presentDryRun } from './present-dry-run.ts';
import { runToEnd } from './run-to-end.ts';
import { findSource, showInvocation } from './show-source.ts';
import { manualEvent, requireActive } from './sources.ts';

type ReplayHandlers = Pick<Handlers, 'sources.replay' | 'sources.dryRun'>;

export type ReceivedStore = Pick<Store, 'sources' | 'invocations'>;

export interface ReplayHandlerParts
  extends DryRunOptions, Pick<ApiServices, 'invocations' | 'inbox'> {
  readonly store: Pick<Store, 'sources' | 'invocations' | 'events' | 'logs' | 'dataStores'>;
}

export function replayHandlers(parts: ReplayHandlerParts): ReplayHandlers {
  const { store, inbox, now } = parts;
  return {
    'sources.replay': async ({ id, invocation_id }, { signal }) => {
      const record = findSource(store, id);
      requireActive(record);
      const { n, trigger } = await received(store, record, invocation_id);
      const again = { cause: 'replay', trigger: startedAnew(trigger), replayOf: n } as const;
      const committed = await runToEnd(inbox, record.id, again, signal);
      return showInvocation(parts, committed.commit.n);
    },
    'sources.dryRun': async (params, context) => {
      const { id, component_path, install, configured_props, event, invocation_id } = params;
      const record = id === undefined ? undefined : findSource(store, id);
      if (invocation_id !== undefined && record === undefined) {
        throw new WeirError('bad_input', 'invocation_id needs the id of its source.');
      }
      const trigger: Trigger =
        record !== undefined && invocation_id !== undefined
          ? (await received(store, record, invocation_id)).trigger
          : { kind: 'event', json: JSON.stringify(event ?? manualEvent(record, now())) };
      const request = { record, component_path, install, configured_props, trigger };
      return presentDryRun(await dryRun(parts, request, context));
    },
  };
}

/** Nothing but a person leads to it (P18.14). */
function startedAnew(trigger: Trigger): Trigger {
  if (trigger.kind === 'timer') return trigger;
  const { hops: _hops, ...anew } = trigger;
  return anew;
}

/** The trigger of an invocation as it was received. Throws `not_found`, and `bad_input` for a hook. */
export async function received(
  store: Pick<Store, 'invocations'>,
  source: SourceRecord,
  id: string,
): Promise<{ readonly n: number; readonly trigger: Trigger }> {
  const n = invocationNumber(id);
  const found = n === undefined ? undefined : await store.invocations.get(n);
  if (n === undefined || found?.emitterId !== source.id) {
    throw new WeirError('not_found', `${source.name} has no invocation "${id}".`);
  }
  const trigger = await store.invocations.trigger(n);
  if (trigger === undefined) {
    const why = found.hook === null ? 'is no longer kept' : `was the ${found.hook} hook`;
    throw new WeirError('bad_input', `${id} cannot be replayed: its trigger ${why}.`);
  }
  return { n, trigger };
}
