import type { ApiServices } from './api-services.ts';
import { randomBytes } from 'node:crypto';
import { WeirError } from '../../../protocol/errors.ts';
import { webhookUrlProblem } from '../../../protocol/webhook-url.ts';
import type { Deliveries } from '../../events/delivery/deliveries.ts';
import type { WebhookRecord } from '../../store/configuration/webhooks.ts';
import type { Store, UsesStore } from '../../store/store.ts';
import { findNamed } from './find-named.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentPage, presentWebhook } from './present.ts';
import type { Services } from '../../events/services.ts';

type WebhookHandlers = Pick<
  Handlers,
  | 'webhooks.list'
  | 'webhooks.get'
  | 'webhooks.create'
  | 'webhooks.update'
  | 'webhooks.rotateSecret'
  | 'webhooks.delete'
>;

export interface WebhookHandlerParts
  extends
    UsesStore<'webhooks'>,
    Pick<Services, 'signals' | 'newId' | 'now'>,
    Pick<ApiServices, 'sealer'> {
  readonly deliveries: Pick<Deliveries, 'forget'>;
}

export function webhookHandlers(parts: WebhookHandlerParts): WebhookHandlers {
  const { store, signals, deliveries, sealer, newId, now } = parts;
  return {
    'webhooks.list': (params) =>
      presentPage(store.webhooks.list(pageRequest(params)), presentWebhook),
    'webhooks.get': (params) => presentWebhook(findWebhook(store, params.id)),
    'webhooks.create': async (params) => {
      const secret = newSecret();
      const record: WebhookRecord = {
        id: newId('wh_'),
        url: httpUrl(params.url),
        name: params.name ?? null,
        description: params.description ?? null,
        active: true,
        signingSecret: sealer.seal(secret),
        createdAt: now(),
        updatedAt: now(),
      };
      await store.webhooks.insert(record);
      signals.emit('webhook', record.id);
      return { ...presentWebhook(record), signing_secret: secret };
    },
    'webhooks.update': async (params) => {
      const { id } = findWebhook(store, params.id);
      const record = await store.webhooks.update(id, {
        ...(params.url === undefined ? {} : { url: httpUrl(params.url) }),
        ...(params.name === undefined ? {} : { name: params.name }),
        ...(params.description === undefined ? {} : { description: params.description }),
        ...(params.active === undefined ? {} : { active: params.active }),
        updatedAt: now(),
      });
      signals.emit('webhook', record.id);
      return presentWebhook(record);
    },
    'webhooks.rotateSecret': async ({ id: named, grace_seconds: grace = defaultGraceSeconds }) => {
      const { id } = findWebhook(store, named);
      const secret = newSecret();
      const until = now() + grace * 1000;
      const record = await store.webhooks.rotateSecret(id, sealer.seal(secret), until, now());
      signals.emit('webhook', record.id);
      return {
        ...presentWebhook(record),
        signing_secret: secret,
        old_secret_until: Math.floor(until / 1000),
      };
    },
    'webhooks.delete': async (params) => {
      const { id } = findWebhook(store, params.id);
      deliveries.forget(id);
      const subscriptions = await store.webhooks.delete(id);
      for (const subscription of subscriptions) signals.emit('subscriptionDeleted', subscription);
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

/** By id or name. Throws what `findNamed` throws. */
function findWebhook(store: Pick<Store, 'webhooks'>, idOrName: string): WebhookRecord {
  return findNamed('webhook', store.webhooks.all(), idOrName);
}

/** @throws WeirError('bad_input') for what cannot be a webhook's URL */
function httpUrl(text: string): string {
  const problem = webhookUrlProblem(text);
  if (problem !== undefined) throw new WeirError('bad_input', problem);
  return text;
}
