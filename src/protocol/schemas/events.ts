import * as z from 'zod';
import { deliveryWithAttempts } from './deliveries.ts';
import { done, flag, id, millis } from './fields.ts';
import { operation } from './operation.ts';
import { pageOf, paging } from './page.ts';

export const event = z.object({
  id: z
    .string()
    .describe('epoch milliseconds and a sequence, such as 1768478400000-0; also the cursor'),
  indexed_at_ms: millis,
  event: z.unknown(),
  metadata: z.object({
    emit_id: z.string(),
    name: z.string().describe('channel, empty for the default one'),
    emitter_id: z.string(),
    id: z.union([z.string(), z.number()]).optional(),
    summary: z.string().optional(),
    ts: z.number().optional(),
    delivery_ts: millis.optional().describe('of one that waits: when it is due'),
  }),
  invocation_id: z.string().describe('inv_…, or exec_… of a workflow'),
  /** Why the event was not emitted; null for one that was. */
  dropped: z.string().nullable(),
});

const eventId = z.string().describe('such as 1768478400000-0');

/** An emitter: the owner of an event or log line, whose `id` names it. */
export const emitter = z.object({
  id: z.string().describe('dc_… or p_…'),
  name: z.string(),
  type: z.enum(['source', 'workflow']),
});

export const operations = {
  'emitters.find': operation({
    scope: 'read',
    summary: 'The source or workflow of this id or name slug',
    input: z.object({ id }),
    output: emitter,
  }),
  'events.list': operation({
    scope: 'read',
    summary:
      'Emitted events of a source, newest first; payloads above 1 KB are cut unless expand=event',
    input: z.object({
      id,
      ...paging,
      expand: z.enum(['event', '']).optional().describe('whole payloads'),
      event_name: z
        .string()
        .optional()
        .describe('channel; `$in` lists what waits for its delivery_ts, the last to be due first'),
      include_dropped: flag.optional().describe('also what was dropped, with the reason'),
      q: z
        .string()
        .optional()
        .describe('words that are all in summary or payload; of the last the end may be missing'),
    }),
    output: pageOf(event),
    rest: [{ method: 'GET', path: '/v1/sources/{id}/event_summaries' }],
  }),
  'events.get': operation({
    scope: 'read',
    summary: 'One event, whole',
    input: z.object({ id, event_id: eventId }),
    output: event,
    rest: [
      { method: 'GET', path: '/v1/sources/{id}/events/{event_id}' },
      { method: 'GET', path: '/v1/workflows/{id}/events/{event_id}' },
    ],
  }),
  'events.deliveries': operation({
    scope: 'read',
    summary: 'The deliveries of one event with their attempts, oldest first',
    input: z.object({ id, event_id: eventId }),
    output: z.object({ deliveries: z.array(deliveryWithAttempts) }),
    rest: [
      { method: 'GET', path: '/v1/sources/{id}/events/{event_id}/deliveries' },
      { method: 'GET', path: '/v1/workflows/{id}/events/{event_id}/deliveries' },
    ],
  }),
  'events.delete': operation({
    scope: 'deploy',
    summary:
      'Delete a range of events, both ends included; dedupe is not reset. What waits for its delivery_ts is cancelled with event_name=$in only',
    input: z.object({
      id,
      start_id: z.string().optional().describe('the oldest; from the first on unless given'),
      end_id: z.string().optional().describe('the newest; to the last unless given'),
      event_name: z.string().optional().describe('channel; all unless given'),
    }),
    output: done,
    rest: [
      { method: 'DELETE', path: '/v1/sources/{id}/events', status: 202 },
      { method: 'DELETE', path: '/v1/workflows/{id}/events', status: 202 },
    ],
  }),
};
