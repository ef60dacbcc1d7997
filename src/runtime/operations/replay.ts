import { WeirError } from '../../protocol/errors.ts';
import type { Trigger } from '../../protocol/host.ts';
import { dryRun } from '../one-off-runs/dry-run.ts';
import type { Committed } from '../signals.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import type { Handlers } from './operations.ts';
import { invocationNumber } from './present.ts';
import { presentDryRun } from './present-dry-run.ts';
import { findSource, type Room } from './room.ts';
import { manualEvent, requireActive, showInvocation } from './sources.ts';

type ReplayHandlers = Pick<Handlers, 'sources.replay' | 'sources.dryRun'>;

export function replayHandlers(room: Room): ReplayHandlers {
  return {
    'sources.replay': async ({ id, invocation_id }) => {
      const record = findSource(room, id);
      requireActive(record);
      const { n, trigger } = received(room, record, invocation_id);
      const committed = await new Promise<Committed>((ended, failed) => {
        room.invocations.accept(record.id, trigger, 'replay', { ended, failed }, n);
      });
      return showInvocation(room, committed.commit.n);
    },
    'sources.dryRun': async (params, context) => {
      const { id, component_path, install, configured_props, event, invocation_id } = params;
      const record = id === undefined ? undefined : findSource(room, id);
      if (invocation_id !== undefined && record === undefined) {
        throw new WeirError('bad_input', 'invocation_id needs the id of its source.');
      }
      const trigger: Trigger =
        record !== undefined && invocation_id !== undefined
          ? received(room, record, invocation_id).trigger
          : { kind: 'event', json: JSON.stringify(event ?? manualEvent(room, record?.id)) };
      const request = { record, component_path, install, configured_props, trigger };
      return presentDryRun(await dryRun(room, request, context));
    },
  };
}

/** The trigger of an invocation as it was received. Throws `not_found`, and `bad_input` for a hook. */
function received(
  { store }: Room,
  source: SourceRecord,
  id: string,
): { readonly n: number; readonly trigger: Trigger } {
  const n = invocationNumber(id);
  const found = n === undefined ? undefined : store.invocations.get(n);
  if (n === undefined || found?.sourceId !== source.id) {
    throw new WeirError('not_found', `${source.name} has no invocation "${id}".`);
  }
  const trigger = store.invocations.trigger(n);
  if (trigger === undefined) {
    const why = found.hook === null ? 'is no longer kept' : `was the ${found.hook} hook`;
    throw new WeirError('bad_input', `${id} cannot be replayed: its trigger ${why}.`);
  }
  return { n, trigger };
}
