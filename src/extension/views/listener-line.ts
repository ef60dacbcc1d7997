import type { Delivery, DeliveryStatus, Subscription, Webhook } from '../../protocol/catalogue.ts';
import { relativeTime } from './relative-time.ts';
import { tokens, type Line } from './source-line.ts';
import type { Health } from './webhook-health.ts';

const healthColour: Record<Health['state'], string | undefined> = {
  silent: undefined,
  healthy: 'testing.iconPassed',
  retrying: 'list.warningForeground',
  failing: 'testing.iconFailed',
};

export function webhookLine(webhook: Webhook, health: Health): Line {
  const label = webhook.name ?? webhook.url;
  const colour = webhook.active ? healthColour[health.state] : 'disabledForeground';
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

/** @param emitterName name of the source listened to, or its id when it is gone */
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
  delivered: { icon: 'pass', colour: 'testing.iconPassed' },
  pending: { icon: 'clock', colour: 'disabledForeground' },
  retrying: { icon: 'warning', colour: 'list.warningForeground' },
  exhausted: { icon: 'error', colour: 'testing.iconFailed' },
  cancelled: { icon: 'circle-slash', colour: 'disabledForeground' },
};

export function deliveryLine(delivery: Delivery, now: number, title: string): Line {
  const answer =
    delivery.last_status === null ? delivery.last_error : `HTTP ${delivery.last_status}`;
  const next =
    delivery.status === 'retrying' && delivery.next_attempt_at !== null
      ? `again ${relativeTime(delivery.next_attempt_at, now)}`
      : undefined;
  // The icon says that one was delivered; everything else is said in words.
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
