import type { Delivery, DeliveryStatus, Subscription, Webhook } from '../../protocol/catalogue.ts';
import { relativeTime, tokens, type Line } from './line.ts';

/** How a webhook is doing, judged by its deliveries that are known here. */
export interface WebhookHealth {
  readonly state: 'silent' | 'healthy' | 'retrying' | 'failing';
  /** Deliveries that were given up and not delivered by hand since. */
  readonly exhausted: number;
  readonly retrying: number;
}

export function healthOf(deliveries: readonly Delivery[]): WebhookHealth {
  const count = (status: Delivery['status']): number =>
    deliveries.filter((delivery) => delivery.status === status).length;
  const exhausted = count('exhausted');
  const retrying = count('retrying');
  const state =
    exhausted > 0
      ? 'failing'
      : retrying > 0
        ? 'retrying'
        : count('delivered') > 0
          ? 'healthy'
          : 'silent';
  return { state, exhausted, retrying };
}

const healthColour: Record<WebhookHealth['state'], string | undefined> = {
  silent: undefined,
  healthy: 'weir.succeeded',
  retrying: 'weir.waiting',
  failing: 'weir.failed',
};

export function webhookLine(webhook: Webhook, health: WebhookHealth): Line {
  const label = webhook.name ?? webhook.url;
  const colour = webhook.active ? healthColour[health.state] : 'weir.inactive';
  const description = [
    webhook.active ? undefined : 'inactive',
    health.exhausted > 0 ? `${health.exhausted} exhausted` : undefined,
    health.retrying > 0 ? `${health.retrying} retrying` : undefined,
    webhook.name === null ? undefined : webhook.url,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
  return {
    label,
    description,
    icon: 'radio-tower',
    ...(colour === undefined ? {} : { colour }),
    contextValue: tokens(
      'webhook',
      webhook.active ? 'active' : 'inactive',
      health.exhausted > 0 ? 'exhausted' : undefined,
    ),
    accessible: `${label}, webhook, ${health.state}, ${description}`,
  };
}

/** @param emitterName name of the emitter, or its id once it was deleted */
export function subscriptionLine(subscription: Subscription, emitterName: string): Line {
  const channel = subscription.event_name === '' ? 'default channel' : subscription.event_name;
  return {
    label: emitterName,
    description: channel,
    icon: 'plug',
    contextValue: tokens('subscription'),
    accessible: `listens to ${emitterName}, ${channel}`,
  };
}

const look: Record<DeliveryStatus, { icon: string; colour: string }> = {
  delivered: { icon: 'pass', colour: 'weir.succeeded' },
  pending: { icon: 'clock', colour: 'weir.inactive' },
  retrying: { icon: 'warning', colour: 'weir.waiting' },
  exhausted: { icon: 'error', colour: 'weir.failed' },
  cancelled: { icon: 'circle-slash', colour: 'weir.inactive' },
};

export function deliveryLine(delivery: Delivery, now: number, title: string): Line {
  const answer =
    delivery.last_status === null ? delivery.last_error : `HTTP ${delivery.last_status}`;
  const next =
    delivery.status === 'retrying' && delivery.next_attempt_at !== null
      ? `again ${relativeTime(delivery.next_attempt_at, now)}`
      : undefined;
  // The icon is enough for a delivered one; every other state is written out.
  const state = delivery.status === 'delivered' ? undefined : delivery.status;
  const description = [state, answer, next, relativeTime(delivery.created_at, now)]
    .filter((part) => part !== null && part !== undefined)
    .join(' · ');
  return {
    label: title,
    description,
    ...look[delivery.status],
    contextValue: tokens('delivery', delivery.status),
    accessible: `${title}, delivery, ${delivery.status}, ${description}`,
  };
}
