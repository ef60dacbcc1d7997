import * as z from 'zod';
import { event } from './events.ts';
import { id, millis, seconds } from './fields.ts';
import { logLine } from './logs.ts';
import { operation } from './operation.ts';
import { pageOf, paging } from './page.ts';

export const invocationStatus = z.enum([
  'queued',
  'running',
  'succeeded',
  'failed',
  'crashed',
  'cancelled',
  'paused',
  'timed_out',
  'dropped',
]);

export const thrownError = z.object({
  name: z.string(),
  message: z.string(),
  stack: z.string().optional(),
  configuration: z.boolean().optional(),
});

export const invocation = z.object({
  id: z.string().describe('inv_…'),
  source_id: z.string(),
  cause: z.enum(['http', 'timer', 'event', 'workflow', 'manual', 'hook', 'replay']),
  hook: z.enum(['deploy', 'activate', 'deactivate']).nullable(),
  request: z
    .object({ method: z.string(), path: z.string().describe('below the endpoint') })
    .nullable()
    .describe('of a run by an HTTP request, and of its replays'),
  status: invocationStatus,
  attempt: z.number().int(),
  replay_of: z.string().nullable(),
  created_at: millis,
  started_at: millis.nullable(),
  ended_at: millis.nullable(),
  emitted_count: z.number().int(),
  dropped_count: z.number().int(),
  error: thrownError.nullable(),
});

/** The trigger of a run, as it was received. */
export const storedTrigger = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('http'),
    prop: z.string(),
    method: z.string(),
    url: z.string().describe('as the caller addressed it'),
    path: z.string().describe('below the endpoint, with a leading slash'),
    query: z.string().describe('without the question mark'),
    headers: z.record(z.string(), z.string()),
    client_ip: z.string(),
    body: z.string(),
    body_encoding: z.enum(['utf8', 'base64']),
    body_bytes: z.number().int(),
    raw_body_url: z.string().nullable().describe('where an uploaded body lies for half an hour'),
  }),
  z.object({
    kind: z.literal('timer'),
    prop: z.string(),
    timestamp: seconds,
    interval_seconds: z.number().nullable(),
    cron: z.string().nullable(),
    timezone: z.string().nullable(),
  }),
  z.object({ kind: z.literal('event'), event: z.unknown() }),
]);

export const wholeInvocation = invocation.extend({
  emitted: z.array(event),
  logs: z.array(logLine),
});

const invocationId = z.string().describe('inv_…');

export const operations = {
  'invocations.list': operation({
    scope: 'read',
    summary: 'Invocations of a source, newest first',
    input: z.object({ id, ...paging, status: invocationStatus.optional() }),
    output: pageOf(invocation),
    rest: [{ method: 'GET', path: '/v1/sources/{id}/invocations' }],
  }),
  'invocations.get': operation({
    scope: 'read',
    summary: 'One invocation with its trigger as received, what it emitted and logged',
    input: z.object({
      id,
      invocation_id: invocationId,
      shareable: z
        .boolean()
        .optional()
        .describe('takes secrets out of the trigger, for a file that others get'),
    }),
    output: invocation.extend({
      emitted: z.array(event),
      logs: z.array(logLine),
      trigger: storedTrigger.nullable().describe('null of a hook, and when it is not kept'),
    }),
    rest: [{ method: 'GET', path: '/v1/sources/{id}/invocations/{invocation_id}' }],
  }),
  'invocations.stop': operation({
    scope: 'deploy',
    summary: 'End a run or hook that waits or goes on, and wait until what it did is stored',
    input: z.object({ id, invocation_id: invocationId }),
    output: wholeInvocation,
    rest: [{ method: 'POST', path: '/v1/sources/{id}/invocations/{invocation_id}/stop' }],
  }),
  'sources.replay': operation({
    scope: 'deploy',
    summary: 'Run the trigger of an invocation again as it was received, and wait for its end',
    input: z.object({ id, invocation_id: invocationId }),
    output: wholeInvocation,
    rest: [{ method: 'POST', path: '/v1/sources/{id}/invocations/{invocation_id}/replay' }],
  }),
};
