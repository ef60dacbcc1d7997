import * as z from 'zod';
import { done, flag, idOrName, integer, seconds } from './fields.ts';
import { operation } from './operation.ts';
import { pageOf, paging } from './page.ts';

export const webhook = z.object({
  id: z.string().describe('wh_…'),
  url: z.string(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  active: z.boolean(),
  created_at: seconds,
  updated_at: seconds,
});

/** Only the answer to a creation shows the secret, once. */
export const createdWebhook = webhook.extend({
  signing_secret: z.string().describe('whsec_…, shown this once'),
});

/** Both secrets sign until then, so that a receiver can change over in its own time. */
export const rotatedWebhook = createdWebhook.extend({ old_secret_until: seconds });

export const operations = {
  'webhooks.list': operation({
    scope: 'read',
    summary: 'List webhooks',
    input: z.object({ ...paging }),
    output: pageOf(webhook),
    rest: [
      { method: 'GET', path: '/v1/webhooks' },
      { method: 'GET', path: '/v1/users/me/webhooks' },
    ],
  }),
  'webhooks.get': operation({
    scope: 'read',
    summary: 'One webhook',
    input: z.object({ id: idOrName }),
    output: webhook,
    rest: [{ method: 'GET', path: '/v1/webhooks/{id}' }],
  }),
  'webhooks.create': operation({
    scope: 'deploy',
    summary: 'Create a webhook',
    input: z.object({
      url: z.string().describe('http or https'),
      name: z.string().optional(),
      description: z.string().optional(),
    }),
    output: createdWebhook,
    rest: [{ method: 'POST', path: '/v1/webhooks' }],
  }),
  'webhooks.update': operation({
    scope: 'deploy',
    summary: 'Change a webhook',
    input: z.object({
      id: idOrName,
      url: z.string().optional().describe('http or https'),
      name: z.string().nullable().optional(),
      description: z.string().nullable().optional(),
      active: flag
        .optional()
        .describe('false: what waits stays, and what is emitted meanwhile is not sent'),
    }),
    output: webhook,
    rest: [{ method: 'PUT', path: '/v1/webhooks/{id}' }],
  }),
  'webhooks.rotateSecret': operation({
    scope: 'deploy',
    summary: 'Make a new signing secret; the old one signs as well for a day, or as long as said',
    input: z.object({
      id: idOrName,
      grace_seconds: integer
        .min(0)
        .max(604_800)
        .optional()
        .describe('how long the old one signs as well; a day unless given, a week at most'),
    }),
    output: rotatedWebhook,
    rest: [{ method: 'POST', path: '/v1/webhooks/{id}/rotate_secret' }],
  }),
  'webhooks.delete': operation({
    scope: 'deploy',
    summary: 'Delete a webhook and its subscriptions',
    input: z.object({ id: idOrName }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/webhooks/{id}' }],
  }),
};
