/** Emits that wait for their `delivery_ts`: listed and cancelled as the events of the channel `$in` (P18.15). */
import type { EmittedEvent, Parsed, Result } from '../../../protocol/catalogue.ts';
import { scheduledChannel } from '../../../protocol/channels.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { type EventId, parseEventId } from '../../store/event-id.ts';
import { type ScheduledEmit, scheduledEmitId } from '../../store/history/scheduled-emits.ts';
import type { UsesStore } from '../../store/store.ts';
import { pageRequest, presentEvent, presentPage } from './present.ts';
import type { Services } from '../../events/services.ts';

export interface ScheduledEmitParts
  extends UsesStore<'scheduledEmits'>, Pick<Services, 'emitters' | 'signals'> {}

export async function listScheduled(
  { store }: ScheduledEmitParts,
  emitterId: string,
  params: Omit<Parsed<'events.list'>, 'include_dropped'>,
): Promise<Result<'events.list'>> {
  if (params.q !== undefined) {
    throw new WeirError('bad_input', `${scheduledChannel} cannot be searched: leave q out.`);
  }
  const page = await store.scheduledEmits.list(emitterId, pageRequest(params));
  return presentPage(page, (emit) => presentScheduled(emit, params.expand === 'event'));
}

/** @throws WeirError('not_found') when one of the ends does not wait */
export async function cancelScheduled(
  { store, emitters, signals }: ScheduledEmitParts,
  emitterId: string,
  { start_id, end_id }: Parsed<'events.delete'>,
): Promise<void> {
  const start = await placeOf(store, emitterId, start_id);
  const end = await placeOf(store, emitterId, end_id);
  const emitter = emitters.require(emitterId);
  const range = { ...(start && { start }), ...(end && { end }) };
  emitter.waitingEmits.remove(await store.scheduledEmits.cancel(emitter, range));
  // Clients that watch it read the waiting emits again.
  signals.emit('source', emitterId);
}

async function placeOf(
  store: ScheduledEmitParts['store'],
  emitterId: string,
  id: string | undefined,
): Promise<EventId | undefined> {
  if (id === undefined) return undefined;
  const place = parseEventId(id);
  if (place !== undefined && (await store.scheduledEmits.get(emitterId, place)) !== undefined) {
    return place;
  }
  throw new WeirError('not_found', `No event ${id} of ${emitterId} waits; nothing was cancelled.`);
}

/** @param whole false cuts a payload above 1 KB */
function presentScheduled(emit: ScheduledEmit, whole: boolean): EmittedEvent {
  const { scheduledAt: indexedAt, dueAt } = emit;
  const record = { ...emit, id: scheduledEmitId(emit), indexedAt, emitId: '', dropped: null };
  const shown = presentEvent(record, whole);
  return { ...shown, metadata: { ...shown.metadata, delivery_ts: dueAt } };
}
