import { WeirError } from '../../protocol/errors.ts';
import type { Handlers } from './operations.ts';
import { invocationNumber, pageRequest, presentEvent, presentLog, presentPage } from './present.ts';
import { presentTrigger } from './present-trigger.ts';
import { findSource, showInvocationRecord, type Room } from './room.ts';
import { showInvocation } from './sources.ts';

type EventHandlers = Pick<
  Handlers,
  | 'invocations.list'
  | 'invocations.get'
  | 'events.list'
  | 'events.get'
  | 'events.delete'
  | 'logs.list'
>;

export function eventHandlers(room: Room): EventHandlers {
  const { store } = room;
  return {
    'invocations.list': (params) =>
      presentPage(
        store.invocations.list(findSource(room, params.id).id, pageRequest(params)),
        (record) => showInvocationRecord(room, record),
      ),
    'invocations.get': (params) => {
      const { id } = findSource(room, params.id);
      const n = invocationNumber(params.invocation_id);
      if (n === undefined || store.invocations.get(n)?.sourceId !== id) {
        throw new WeirError('not_found', `${params.id} has no invocation ${params.invocation_id}.`);
      }
      const trigger = store.invocations.trigger(n);
      return {
        ...showInvocation(room, n),
        trigger: trigger === undefined ? null : presentTrigger(trigger),
      };
    },
    'events.list': (params) => {
      const { id } = findSource(room, params.id);
      const page = store.events.list(id, {
        ...pageRequest(params),
        ...(params.event_name === undefined ? {} : { channel: params.event_name }),
        dropped: params.include_dropped === true,
        ...(params.q === undefined ? {} : { search: params.q }),
      });
      return presentPage(page, (event) => presentEvent(event, params.expand === 'event'));
    },
    'events.get': (params) => {
      const event = store.events.get(findSource(room, params.id).id, params.event_id);
      if (event === undefined)
        throw new WeirError('not_found', `${params.id} has no event ${params.event_id}.`);
      return presentEvent(event, true);
    },
    'events.delete': async (params) => {
      const { id } = findSource(room, params.id);
      await store.events.delete(id, {
        ...(params.start_id === undefined ? {} : { start: params.start_id }),
        ...(params.end_id === undefined ? {} : { end: params.end_id }),
        ...(params.event_name === undefined ? {} : { channel: params.event_name }),
      });
      room.signals.emit('eventsDeleted', id);
      return {};
    },
    'logs.list': (params) =>
      presentPage(store.logs.list(findSource(room, params.id).id, pageRequest(params)), presentLog),
  };
}
