import type { ApiServices } from './api-services.ts';
import { scheduledChannel } from '../../../protocol/channels.ts';
import type { StoredTrigger } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { Mask } from '../../../protocol/mask.ts';
import { secretsMask } from '../../components/recordings/run-secrets.ts';
import { shareableTrigger } from '../../components/recordings/shareable-trigger.ts';
import { type ConfigurationOptions, hostConfiguration } from '../../sources/host-configuration.ts';
import type { InvocationRecord } from '../../store/history/invocations.ts';
import type { Store } from '../../store/store.ts';
import { findEmitter } from './find-emitter.ts';
import type { Handlers } from './operations.ts';
import { invocationNumber, pageRequest, presentEvent, presentLog, presentPage } from './present.ts';
import { presentTrigger } from './present-trigger.ts';
import { cancelScheduled, listScheduled, type ScheduledEmitParts } from './scheduled-emits.ts';
import {
  findSource,
  showInvocation,
  type ShowInvocationParts,
  showInvocationRecord,
} from './show-source.ts';

type EventHandlers = Pick<
  Handlers,
  | 'invocations.list'
  | 'invocations.get'
  | 'invocations.stop'
  | 'emitters.find'
  | 'events.list'
  | 'events.get'
  | 'events.delete'
  | 'logs.list'
>;

export interface EventHandlerParts
  extends
    ShowInvocationParts,
    ScheduledEmitParts,
    ConfigurationOptions,
    Pick<ApiServices, 'invocations' | 'signals'> {
  readonly store: Pick<
    Store,
    'sources' | 'workflows' | 'invocations' | 'events' | 'scheduledEmits' | 'logs' | 'flush'
  >;
  readonly environment: { readonly mask: Mask };
  /** See `Invocations.stopOne`. */
  readonly stopRun: (emitterId: string, n: number) => Promise<boolean>;
}

/** Hides every secret that a run of the source could read. */
function secretsOfSource(parts: EventHandlerParts, id: string): Mask {
  const record = findSource(parts.store, id);
  const { props, accounts } = hostConfiguration(parts, record);
  const { definition } = record;
  return secretsMask({ definition, props, accounts, environment: parts.environment.mask });
}

export function eventHandlers(parts: EventHandlerParts): EventHandlers {
  const { store, signals } = parts;
  return {
    'invocations.list': async (params) => {
      const { id } = findSource(store, params.id);
      const { status } = params;
      const filter = status && { status, running: parts.invocations.running() };
      const page = await store.invocations.list(id, pageRequest(params), filter);
      return presentPage(page, (record) => showInvocationRecord(parts, record));
    },
    'invocations.stop': async (params) => {
      const { n, emitterId } = await findInvocation(store, params);
      const stopped = await parts.stopRun(emitterId, n);
      // The end is with the store, but may wait for others to be written with it.
      await store.flush();
      const shown = await showInvocation(parts, n);
      if (stopped) return shown;
      throw new WeirError('conflict', `${shown.id} has ended already: it ${shown.status}.`);
    },
    'invocations.get': async (params) => {
      const { n } = await findInvocation(store, params);
      const trigger = await store.invocations.trigger(n);
      const shown = (whole: StoredTrigger): StoredTrigger =>
        params.shareable === true
          ? shareableTrigger(whole, secretsOfSource(parts, params.id))
          : whole;
      return {
        ...(await showInvocation(parts, n)),
        trigger: trigger === undefined ? null : shown(presentTrigger(trigger)),
      };
    },
    'emitters.find': ({ id }) => findEmitter(store, id),
    'events.list': async (params) => {
      const { id } = findEmitter(store, params.id);
      if (params.event_name === scheduledChannel) return await listScheduled(parts, id, params);
      const page = await store.events.list(id, {
        ...pageRequest(params),
        ...(params.event_name === undefined ? {} : { channel: params.event_name }),
        dropped: params.include_dropped === true,
        ...(params.q === undefined ? {} : { search: params.q }),
      });
      return presentPage(page, (event) => presentEvent(event, params.expand === 'event'));
    },
    'events.get': async (params) => {
      const event = await store.events.get(findEmitter(store, params.id).id, params.event_id);
      if (event === undefined)
        throw new WeirError('not_found', `${params.id} has no event ${params.event_id}.`);
      return presentEvent(event, true);
    },
    'events.delete': async (params) => {
      const { id } = findEmitter(store, params.id);
      if (params.event_name === scheduledChannel) {
        await cancelScheduled(parts, id, params);
        return {};
      }
      for (const end of [params.start_id, params.end_id]) {
        if (end !== undefined && (await store.events.get(id, end)) === undefined) {
          throw new WeirError(
            'not_found',
            `${params.id} has no event ${end}; nothing was deleted.`,
          );
        }
      }
      await store.events.delete(parts.emitters.require(id), {
        ...(params.start_id === undefined ? {} : { start: params.start_id }),
        ...(params.end_id === undefined ? {} : { end: params.end_id }),
        ...(params.event_name === undefined ? {} : { channel: params.event_name }),
      });
      signals.emit('eventsDeleted', id);
      return {};
    },
    'logs.list': async (params) => {
      const { id } = findEmitter(store, params.id);
      return presentPage(await store.logs.list(id, pageRequest(params)), presentLog);
    },
  };
}

/** Throws `not_found`. */
async function findInvocation(
  store: Pick<Store, 'sources' | 'invocations'>,
  params: { readonly id: string; readonly invocation_id: string },
): Promise<InvocationRecord> {
  const { id } = findSource(store, params.id);
  const n = invocationNumber(params.invocation_id);
  const record = n === undefined ? undefined : await store.invocations.get(n);
  if (record?.emitterId === id) return record;
  throw new WeirError('not_found', `${params.id} has no invocation ${params.invocation_id}.`);
}
