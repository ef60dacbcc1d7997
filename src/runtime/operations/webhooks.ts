import { randomBytes } from 'node:crypto';
import { WeirError } from '../../protocol/errors.ts';
import type { WebhookRecord } from '../store/store.ts';
import type { Handlers } from './operations.ts';
import {
  deliveryNumber,
  pageRequest,
  presentAttempt,
  presentDelivery,
  presentPage,
  presentSubscription,
  presentWebhook,
} from './present.ts';
import type { Room } from './room.ts';

type WebhookHandlers = Pick<
  Handlers,
  | 'webhooks.list'
  | 'webhooks.get'
  | 'webhooks.create'
  | 'webhooks.update'
  | 'webhooks.delete'
  | 'subscriptions.list'
  | 'subscriptions.create'
  | 'subscriptions.delete'
  | 'deliveries.list'
  | 'deliveries.get'
  | 'deliveries.redeliver'
>;

export function webhookHandlers(room: Room): WebhookHandlers {
  const { store, signals } = room;
  return {
    'webhooks.list': (params) =>
      presentPage(store.webhooks.list(pageRequest(params)), presentWebhook),
    'webhooks.get': (params) => presentWebhook(findWebhook(room, params.id)),
    'webhooks.create': async (params) => {
      const secret = `whsec_${randomBytes(24).toString('base64')}`;
      const record: WebhookRecord = {
        id: room.newId('wh_'),
        url: httpUrl(params.url),
        name: params.name ?? null,
        description: params.description ?? null,
        active: true,
        signingSecret: room.sealer.seal(secret),
        createdAt: room.now(),
        updatedAt: room.now(),
      };
      await store.webhooks.insert(record);
      signals.emit('webhook', record.id);
      return { ...presentWebhook(record), signing_secret: secret };
    },
    'webhooks.update': async (params) => {
      const before = findWebhook(room, params.id);
      const record: WebhookRecord = {
        ...before,
        url: params.url === undefined ? before.url : httpUrl(params.url),
        name: params.name === undefined ? before.name : params.name,
        description: params.description === undefined ? before.description : params.description,
        active: params.active ?? before.active,
        updatedAt: room.now(),
      };
      await store.webhooks.replace(record);
      signals.emit('webhook', record.id);
      return presentWebhook(record);
    },
    'webhooks.delete': async (params) => {
      const { id } = findWebhook(room, params.id);
      const gone = store.subscriptions.all().filter((one) => one.listenerId === id);
      room.deliveries.forget(id);
      await store.webhooks.delete(id);
      for (const subscription of gone) signals.emit('subscriptionDeleted', subscription.id);
      signals.emit('webhookDeleted', id);
      return {};
    },

    'subscriptions.list': (params) =>
      presentPage(store.subscriptions.list(pageRequest(params)), presentSubscription),
    'subscriptions.create': async (params) => {
      const emitterId = emitterOf(room, params.emitter_id);
      const listenerId = listenerOf(room, params.listener_id);
      const channel = params.event_name ?? '';
      const found = store.subscriptions.find(emitterId, listenerId, channel);
      if (found !== undefined) return presentSubscription(found);
      const record = { id: room.newId('sub_'), emitterId, listenerId, channel };
      await store.subscriptions.insert(record);
      signals.emit('subscription', record.id);
      return presentSubscription(record);
    },
    'subscriptions.delete': async (params) => {
      const found = store.subscriptions
        .all()
        .find((one) =>
          params.subscription_id === undefined
            ? one.emitterId === params.emitter_id &&
              one.listenerId === params.listener_id &&
              one.channel === (params.event_name ?? '')
            : one.id === params.subscription_id,
        );
      if (found === undefined) {
        throw new WeirError(
          'not_found',
          'There is no such subscription. Name it by its id, or by emitter_id, listener_id and the event_name it was made with.',
        );
      }
      await store.subscriptions.delete(found.id);
      signals.emit('subscriptionDeleted', found.id);
      return {};
    },

    'deliveries.list': (params) => {
      const page = store.deliveries.list({
        ...pageRequest(params),
        ...(params.webhook_id === undefined ? {} : { webhookId: params.webhook_id }),
        ...(params.status === undefined ? {} : { status: params.status }),
      });
      return presentPage(page, presentDelivery);
    },
    'deliveries.get': (params) => {
      const record = findDelivery(room, params.id);
      return {
        ...presentDelivery(record),
        attempts: store.deliveries.attempts(record.n).map(presentAttempt),
      };
    },
    'deliveries.redeliver': async (params) =>
      presentDelivery(await room.deliveries.redeliver(findDelivery(room, params.id).n)),
  };
}

function findWebhook(room: Room, id: string): WebhookRecord {
  const record = room.store.webhooks.get(id);
  if (record === undefined) throw new WeirError('not_found', `There is no webhook ${id}.`);
  return record;
}

function findDelivery(room: Room, id: string) {
  const n = deliveryNumber(id);
  const record = n === undefined ? undefined : room.store.deliveries.get(n);
  if (record === undefined) throw new WeirError('not_found', `There is no delivery ${id}.`);
  return record;
}

/** A source by id or slug, or a glob over all of them (reference §6.3). */
function emitterOf(room: Room, emitter: string): string {
  if (emitter === 'dc_*') return emitter;
  const source = room.store.sources.find(emitter);
  if (source === undefined)
    throw new WeirError(
      'not_found',
      `There is no emitter "${emitter}". Name a source, or dc_* for all.`,
    );
  return source.id;
}

function listenerOf(room: Room, listener: string): string {
  const webhook = room.store.webhooks.get(listener);
  if (webhook !== undefined) return webhook.id;
  const source = room.store.sources.find(listener);
  if (source === undefined)
    throw new WeirError(
      'not_found',
      `There is no listener "${listener}". Name a webhook or a source.`,
    );
  return source.id;
}

/** http or https with a host (reference §6.2). */
function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new WeirError(
      'bad_input',
      `"${text}" is no URL a webhook can have. Give one that starts with http:// or https://.`,
    );
  }
  return text;
}
