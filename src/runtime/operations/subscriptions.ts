import { WeirError } from '../../protocol/errors.ts';
import type { Parsed } from '../../protocol/catalogue.ts';
import type { AutoSubscriptionRecord } from '../store/configuration/auto-subscriptions.ts';
import type { SubscriptionRecord } from '../store/configuration/subscriptions.ts';
import type { Handlers } from './operations.ts';
import {
  pageRequest,
  presentAutoSubscription,
  presentPage,
  presentSubscription,
} from './present.ts';
import type { Room } from './room.ts';

type SubscriptionHandlers = Pick<
  Handlers,
  | 'subscriptions.list'
  | 'subscriptions.create'
  | 'subscriptions.delete'
  | 'autoSubscriptions.list'
  | 'autoSubscriptions.create'
  | 'autoSubscriptions.delete'
>;

export function subscriptionHandlers(room: Room): SubscriptionHandlers {
  const { store, signals } = room;
  return {
    'subscriptions.list': (params) =>
      presentPage(store.subscriptions.list(pageRequest(params)), presentSubscription),
    'subscriptions.create': async (params) => {
      const emitterId = emitterOf(room, params.emitter_id);
      const listenerId = listenerOf(room, params.listener_id);
      return presentSubscription(
        await subscribe(room, { emitterId, listenerId, channel: params.event_name ?? '' }),
      );
    },
    'subscriptions.delete': async (params) => {
      const found = findSubscription(room, params);
      await store.subscriptions.delete(found.id);
      signals.emit('subscriptionDeleted', found.id);
      return {};
    },

    'autoSubscriptions.list': (params) =>
      presentPage(store.autoSubscriptions.list(pageRequest(params)), presentAutoSubscription),
    'autoSubscriptions.create': async ({ event_name: channel, listener_id }) => {
      const listenerId = listenerOf(room, listener_id);
      const found = store.autoSubscriptions
        .all()
        .find((one) => one.listenerId === listenerId && one.channel === channel);
      const record: AutoSubscriptionRecord = found ?? {
        id: room.newId('asub_'),
        listenerId,
        channel,
      };
      if (found === undefined) await store.autoSubscriptions.insert(record);
      return presentAutoSubscription(record);
    },
    'autoSubscriptions.delete': async ({ id }) => {
      if (!store.autoSubscriptions.all().some((one) => one.id === id)) {
        throw new WeirError('not_found', `There is no auto-subscription ${id}.`);
      }
      await store.autoSubscriptions.delete(id);
      return {};
    },
  };
}

/** What a source that was just deployed gets by itself (P18.8). */
export async function autoSubscribe(room: Room, emitterId: string): Promise<void> {
  for (const { listenerId, channel } of room.store.autoSubscriptions.all()) {
    await subscribe(room, { emitterId, listenerId, channel });
  }
}

/** The same one twice is one. */
async function subscribe(
  { store, signals, newId }: Room,
  parts: Omit<SubscriptionRecord, 'id'>,
): Promise<SubscriptionRecord> {
  const { emitterId, listenerId, channel } = parts;
  const found = store.subscriptions.find(emitterId, listenerId, channel);
  if (found !== undefined) return found;
  const record = { id: newId('sub_'), ...parts };
  await store.subscriptions.insert(record);
  signals.emit('subscription', record.id);
  return record;
}

function findSubscription(
  { store }: Room,
  params: Parsed<'subscriptions.delete'>,
): SubscriptionRecord {
  const idOf = (source: string): string => store.sources.find(source)?.id ?? source;
  const found =
    params.subscription_id === undefined
      ? store.subscriptions.find(
          idOf(params.emitter_id ?? ''),
          idOf(params.listener_id ?? ''),
          params.event_name ?? '',
        )
      : store.subscriptions.all().find(({ id }) => id === params.subscription_id);
  if (found !== undefined) return found;
  throw new WeirError(
    'not_found',
    'There is no such subscription. Name it by its id, or by emitter_id, listener_id and the event_name it was made with.',
  );
}

/** A source by id or slug, or all of them (P18.3). */
function emitterOf({ store }: Room, emitter: string): string {
  if (emitter === 'dc_*') return emitter;
  const source = store.sources.find(emitter);
  if (source !== undefined) return source.id;
  throw new WeirError(
    'not_found',
    `There is no emitter "${emitter}". Name a source, or dc_* for all.`,
  );
}

function listenerOf({ store }: Room, listener: string): string {
  const found = store.webhooks.get(listener) ?? store.sources.find(listener);
  if (found !== undefined) return found.id;
  throw new WeirError(
    'not_found',
    `There is no listener "${listener}". Name a webhook or a source.`,
  );
}
