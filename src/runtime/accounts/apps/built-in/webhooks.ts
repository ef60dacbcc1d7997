/**
 * How apps send events, by slug: laid beside what the other files say of how they connect. Each names the vendor's
 * documentation that it was written from.
 */
import type { WrittenDefinition } from '../schema.ts';
import type { WrittenWebhook } from '../webhook-schema.ts';

interface Documented {
  readonly webhook: WrittenWebhook;
  readonly sources: readonly string[];
}

const slack: Documented = {
  sources: [
    'https://docs.slack.dev/authentication/verifying-requests-from-slack',
    'https://docs.slack.dev/reference/events/url_verification',
    'https://docs.slack.dev/apis/events-api/',
  ],
  webhook: {
    register:
      'At https://api.slack.com/apps, enter it in your app as the Request URL of "Event Subscriptions", and as that of "Interactivity & Shortcuts" for interactions.',
    one_address: true,
    secret: 'Signing Secret',
    signature: {
      header: 'x-slack-signature',
      prefix: 'v0=',
      payload: 'v0:{timestamp}:{body}',
      timestamp: { header: 'x-slack-request-timestamp' },
    },
    form_field: 'payload',
    challenges: [{ when: { '/type': 'url_verification' }, answer: '{/challenge}' }],
    events: [
      {
        when: { '/type': 'event_callback' },
        event: '/event',
        names: [
          '{/event/type}',
          '{/event/type}.{/event/channel_type}',
          // A channel by itself is one whose messages are asked for.
          '{/event/channel}',
          '{/event/type}:{/event/channel}',
          '{/event/type}:{/event/item/channel}',
        ],
        delivery: '{/event_id}',
      },
      {
        when: { '/user': true },
        names: [
          'interaction_events',
          'interaction_events:{/channel/id}',
          'interaction_events:{/actions/*/action_id}',
          'interaction_events:{/channel/id}:{/actions/*/action_id}',
        ],
        delivery: '{body}',
      },
      // A slash command.
      {
        when: { '/command': true },
        names: ['interaction_events', 'interaction_events:{/channel_id}'],
        delivery: '{body}',
      },
    ],
  },
};

const zoom: Documented = {
  sources: ['https://developers.zoom.us/docs/api/webhooks/'],
  webhook: {
    register:
      'At https://marketplace.zoom.us, enter it in your app under Features, Access, "Event Subscriptions" as the Event notification endpoint URL, and validate it.',
    one_address: true,
    secret: 'Secret Token',
    signature: {
      header: 'x-zm-signature',
      prefix: 'v0=',
      payload: 'v0:{timestamp}:{body}',
      // Zoom repeats failed deliveries for 85 minutes, and does not document whether it signs them again.
      timestamp: { header: 'x-zm-request-timestamp', tolerance: 7200 },
    },
    challenges: [
      {
        when: { '/event': 'endpoint.url_validation' },
        answer: {
          plainToken: '{/payload/plainToken}',
          encryptedToken: '{hmac:/payload/plainToken}',
        },
      },
    ],
    events: [
      {
        names: [
          '{/event}',
          // Endings that published sources use, of which the event itself says nothing.
          '{/event}.by_me',
          '{/event}.for_me',
          '{/event}.host',
          '{/event}.participant',
        ],
        // Zoom gives its events no id; they have the millisecond in which they happened.
        delivery: '{body}',
      },
    ],
  },
};

const github: Documented = {
  sources: [
    'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
    'https://docs.github.com/en/webhooks/webhook-events-and-payloads',
  ],
  webhook: {
    register:
      'Enter it on GitHub in the settings of a repository or organization, under "Webhooks", as the Payload URL, with the same secret as here.',
    secret: 'Secret',
    signature: { header: 'x-hub-signature-256', prefix: 'sha256=' },
    form_field: 'payload',
    challenges: [{ when: { 'header:x-github-event': 'ping' }, answer: 'pong' }],
    events: [
      {
        names: ['{header:x-github-event}', '{header:x-github-event}.{/action}'],
        delivery: '{header:x-github-delivery}',
      },
    ],
  },
};

const webhooks: Readonly<Record<string, Documented>> = {
  slack,
  slack_v2: slack,
  zoom,
  zoom_admin: zoom,
  github,
};

/** The same definition, with how its app sends events if that is known. */
export function withWebhook(definition: WrittenDefinition): WrittenDefinition {
  const found = Object.hasOwn(webhooks, definition.app) ? webhooks[definition.app] : undefined;
  if (found === undefined) return definition;
  const sources = [...(definition.sources ?? []), ...found.sources];
  return { ...definition, sources, webhook: found.webhook };
}
