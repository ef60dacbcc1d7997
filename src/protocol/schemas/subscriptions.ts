import * as z from 'zod';
import { done, listener } from './fields.ts';
import { operation } from './operation.ts';
import { pageOf, paging } from './page.ts';

export const subscription = z.object({
  id: z.string().describe('sub_…'),
  emitter_id: z.string(),
  listener_id: z.string(),
  event_name: z.string(),
});

export const createdSubscription = subscription.extend({
  warnings: z.array(z.string()).optional().describe('when it does what is seldom meant'),
});

const emitter = z
  .string()
  .describe('source or workflow: id or name slug; dc_* for all sources, p_* for all workflows');
const channel = z.string().describe('channel; empty, or left out, for the default one');

export const operations = {
  'subscriptions.list': operation({
    scope: 'read',
    summary: 'List subscriptions',
    input: z.object({ ...paging }),
    output: pageOf(subscription),
    rest: [
      { method: 'GET', path: '/v1/subscriptions' },
      { method: 'GET', path: '/v1/users/me/subscriptions' },
    ],
  }),
  'subscriptions.create': operation({
    scope: 'deploy',
    summary: 'Subscribe a listener to an emitter; the same one twice is one',
    input: z.object({
      emitter_id: emitter,
      listener_id: listener,
      event_name: channel.optional(),
    }),
    output: createdSubscription,
    rest: [{ method: 'POST', path: '/v1/subscriptions' }],
  }),
  'subscriptions.delete': operation({
    scope: 'deploy',
    summary: 'Delete a subscription, by its three parts or by its id',
    input: z.object({
      subscription_id: z.string().optional().describe('sub_…'),
      emitter_id: emitter.optional(),
      listener_id: listener.optional(),
      event_name: channel.optional(),
    }),
    output: done,
    rest: [
      { method: 'DELETE', path: '/v1/subscriptions' },
      { method: 'DELETE', path: '/v1/subscriptions/{subscription_id}' },
    ],
  }),
};
