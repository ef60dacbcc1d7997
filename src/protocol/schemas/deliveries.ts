import * as z from 'zod';
import { flag, idOrName, millis } from './fields.ts';
import { operation } from './operation.ts';
import { pageOf, paging } from './page.ts';

export const deliveryStatus = z.enum([
  'pending',
  'delivered',
  'retrying',
  'exhausted',
  'cancelled',
]);

const phase = z
  .number()
  .nullable()
  .describe('null when not needed (open connection) or not reached');

export const attempt = z.object({
  at: millis,
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
  response: z
    .object({
      status: z.number().int(),
      headers: z.record(z.string(), z.string()),
      body: z.string().describe('first 20 KB'),
    })
    .nullable(),
  timing: z.object({
    dns_ms: phase,
    connect_ms: phase,
    tls_ms: phase,
    first_byte_ms: phase.describe('from the request to the first byte of the answer'),
    total_ms: z.number(),
  }),
  error: z
    .object({ class: z.string().describe('dns, refused, tls, timeout, …'), message: z.string() })
    .nullable(),
  manual: z.boolean().describe('by a person, beside the schedule'),
});

export const delivery = z.object({
  id: z.string().describe('del_…'),
  webhook_id: z.string(),
  emitter_id: z.string(),
  event_id: z.string(),
  status: deliveryStatus,
  attempt_count: z.number().int(),
  next_attempt_at: millis.nullable(),
  created_at: millis,
  last_status: z.number().int().nullable().describe('HTTP status of the last answer'),
  last_error: z.string().nullable(),
});

/** Not as it was signed first: receivers refuse signatures that are some minutes old. */
export const redelivery = delivery.extend({ signed: z.literal('now') });

export const deliveryWithAttempts = delivery.extend({ attempts: z.array(attempt) });

const deliveryId = z.string().min(1).describe('del_…');

export const operations = {
  'deliveries.list': operation({
    scope: 'read',
    summary: 'Deliveries, newest first',
    input: z.object({
      ...paging,
      webhook_id: idOrName.optional(),
      status: deliveryStatus.optional(),
    }),
    output: pageOf(delivery),
    rest: [{ method: 'GET', path: '/v1/deliveries' }],
  }),
  'deliveries.get': operation({
    scope: 'read',
    summary: 'One delivery with its attempts',
    input: z.object({ id: deliveryId }),
    output: deliveryWithAttempts,
    rest: [{ method: 'GET', path: '/v1/deliveries/{id}' }],
  }),
  'deliveries.redeliver': operation({
    scope: 'deploy',
    summary:
      'Send a delivery again, signed now: with its message id, the present time and secret. A repetition by hand never schedules retries',
    input: z.object({ id: deliveryId }),
    output: redelivery,
    rest: [{ method: 'POST', path: '/v1/deliveries/{id}/redeliver' }],
  }),
  'deliveries.redeliverAll': operation({
    scope: 'deploy',
    summary:
      'Send deliveries again, signed now: the named ones, or all that failed. A webhook that fails three times in a row is given up',
    input: z.object({
      ids: z.array(z.string()).max(1000).optional().describe('del_…, 1000 at most'),
      failed: flag.optional().describe('all that wait for a retry or were given up'),
      webhook_id: idOrName.optional().describe('with failed: only to this webhook'),
      since: z
        .string()
        .optional()
        .describe('with failed: made since then, ISO 8601 or epoch milliseconds'),
    }),
    output: z.object({
      sent: z.array(redelivery).describe('as they stand after it, in the order they were sent'),
      skipped: z.number().int(),
    }),
    rest: [{ method: 'POST', path: '/v1/deliveries/redeliver' }],
  }),
};
