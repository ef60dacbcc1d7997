import { randomBytes } from 'node:crypto';
import { WeirError } from '../../protocol/errors.ts';
import type { WebhookRecord } from '../store/configuration/webhooks.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentPage, presentWebhook } from './present.ts';
import type { Room } from './room.ts';

type WebhookHandlers = Pick<
  Handlers,
  | 'webhooks.list'
  | 'webhooks.get'
  | 'webhooks.create'
  | 'webhooks.update'
  | 'webhooks.rotateSecret'
  | 'webhooks.delete'
>;

export function webhookHandlers(room: Room): WebhookHandlers {
  const { store, signals } = room;
  return {
    'webhooks.list': (params) =>
      presentPage(store.webhooks.list(pageRequest(params)), presentWebhook),
    'webhooks.get': (params) => presentWebhook(findWebhook(room, params.id)),
    'webhooks.create': async (params) => {
      const secret = newSecret();
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
    'webhooks.rotateSecret': async ({ id, grace_seconds: grace = defaultGraceSeconds }) => {
      const before = findWebhook(room, id);
      const secret = newSecret();
      const until = room.now() + grace * 1000;
      const record: WebhookRecord = {
        ...before,
        signingSecret: room.sealer.seal(secret),
        oldSecret: { sealed: before.signingSecret, until },
        updatedAt: room.now(),
      };
      await store.webhooks.replace(record);
      signals.emit('webhook', record.id);
      return {
        ...presentWebhook(record),
        signing_secret: secret,
        old_secret_until: Math.floor(until / 1000),
      };
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
  };
}

/** A day (our decision). */
const defaultGraceSeconds = 86_400;

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

function findWebhook(room: Room, id: string): WebhookRecord {
  const record = room.store.webhooks.get(id);
  if (record === undefined) throw new WeirError('not_found', `There is no webhook ${id}.`);
  return record;
}

/**
 * http or https with a host (P19.2). Line breaks, which a URL parser leaves out silently,
 * and a password, which nobody would send, are refused (our decision).
 */
function httpUrl(text: string): string {
  const isUrl = !/[\s\p{Cc}]/u.test(text) && URL.canParse(text);
  const url = isUrl ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new WeirError(
      'bad_input',
      `${JSON.stringify(text)} is no URL a webhook can have. Give one that starts with http:// or https://.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new WeirError(
      'bad_input',
      `The URL of a webhook cannot hold a user name or password: it is shown in lists. Check the signature instead, or put a token into its query.`,
    );
  }
  return text;
}
