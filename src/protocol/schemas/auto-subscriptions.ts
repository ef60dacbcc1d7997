import * as z from 'zod';
import { done, listener } from './fields.ts';
import { operation } from './operation.ts';
import { pageOf, paging } from './page.ts';

export const autoSubscription = z.object({
  id: z.string().describe('asub_…'),
  event_name: z.string(),
  listener_id: z.string(),
});

export const operations = {
  'autoSubscriptions.list': operation({
    scope: 'read',
    summary: 'List the listeners that sources get at their deploy',
    input: z.object({ ...paging }),
    output: pageOf(autoSubscription),
    rest: [{ method: 'GET', path: '/v1/auto_subscriptions' }],
  }),
  'autoSubscriptions.create': operation({
    scope: 'deploy',
    summary: 'Subscribe a listener to errors or logs of every source deployed from now on',
    input: z.object({ event_name: z.enum(['$errors', '$logs']), listener_id: listener }),
    output: autoSubscription,
    rest: [{ method: 'POST', path: '/v1/auto_subscriptions' }],
  }),
  'autoSubscriptions.delete': operation({
    scope: 'deploy',
    summary: 'Sources deployed from now on do without; subscriptions that were made stay',
    input: z.object({ id: z.string().describe('asub_…') }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/auto_subscriptions/{id}' }],
  }),
};
