/**
 * The shapes of what every face returns (RPC, REST, CLI `--json`): the platform's field names and
 * units (reference §6): seconds on components, sources and webhooks, ISO strings on accounts,
 * milliseconds on events, invocations, logs and deliveries.
 */
import { z } from 'zod';

const seconds = z.number().int().describe('epoch seconds');
const millis = z.number().int().describe('epoch milliseconds');

export const configurableProp = z.looseObject({ name: z.string(), type: z.string() });

export const component = z.object({
  id: z.string().describe('sc_…'),
  key: z.string().nullable(),
  name: z.string(),
  version: z.string().nullable(),
  type: z.enum(['source', 'action', 'app']),
  description: z.string().nullable(),
  code_hash: z.string(),
  path: z.string().nullable().describe('file it was made from'),
  configurable_props: z.array(configurableProp),
  created_at: seconds,
  updated_at: seconds,
});

export const invocationStatus = z.enum([
  'queued',
  'running',
  'succeeded',
  'failed',
  'crashed',
  'cancelled',
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
  cause: z.enum(['http', 'timer', 'event', 'manual', 'hook', 'replay']),
  hook: z.enum(['deploy', 'activate', 'deactivate']).nullable(),
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

/** What a run was triggered by, as it was received. */
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

/** What a source did over time: one number per stretch, oldest first. */
export const activity = z.object({
  from: millis,
  bucket_ms: z.number().int(),
  emitted: z.array(z.number().int()),
  failed: z.array(z.number().int()).describe('runs that failed or crashed'),
});

/** A process with an open inspector, for a debugger to attach to. */
export const debuggedProcess = z.object({
  source_id: z.string().nullable().describe('dc_…; null for a file that is only tried'),
  path: z.string().nullable().describe("the component's file"),
  url: z.string().describe('ws://127.0.0.1:PORT/…'),
  port: z.number().int(),
  folder: z.string().describe('where the bundle and its source map stand'),
});

/** A debugging session: its processes (none between two), the newest last. */
export const debugState = z.object({
  paused: z.boolean(),
  processes: z.array(debuggedProcess),
});

export const source = z.object({
  id: z.string().describe('dc_…'),
  component_id: z.string().describe('sc_…'),
  component_key: z.string().nullable(),
  name: z.string(),
  name_slug: z.string(),
  active: z.boolean(),
  /** Timers as {cron, interval_seconds}, HTTP as {endpoint_url}, a secret as {secret: true}. */
  configured_props: z.record(z.string(), z.unknown()),
  configurable_props: z.array(configurableProp),
  created_at: seconds,
  updated_at: seconds,
  path: z.string().nullable().describe('file it was deployed from'),
  code_hash: z.string(),
  endpoint_url: z.string().nullable(),
  next_tick_at: millis.nullable(),
  dedupe: z.string().nullable(),
  last_invocation: invocation.nullable(),
  debug: debugState.nullable().describe('null while it is not debugged'),
});

export const event = z.object({
  id: z.string().describe('<epoch ms>-<sequence>, also the cursor'),
  indexed_at_ms: millis,
  event: z.unknown(),
  metadata: z.object({
    emit_id: z.string(),
    name: z.string().describe('channel, empty for the default one'),
    emitter_id: z.string(),
    id: z.union([z.string(), z.number()]).optional(),
    summary: z.string().optional(),
    ts: z.number().optional(),
  }),
  invocation_id: z.string(),
  /** Why the event was not emitted; null for one that was. */
  dropped: z.string().nullable(),
});

/** What a run did that was not for real: nothing of it was kept. */
export const dryRun = z.object({
  status: z.enum(['succeeded', 'failed']),
  error: thrownError.nullable(),
  emits: z.array(
    z.object({
      event: z.unknown(),
      id: z.union([z.string(), z.number()]).optional(),
      name: z.string().optional().describe('channel'),
      summary: z.string().optional(),
      ts: z.number().optional(),
    }),
  ),
  db: z.array(
    z.object({
      prop: z.string(),
      key: z.string(),
      value: z.unknown().describe('null when the key was taken away'),
    }),
  ),
  response: z
    .object({
      status: z.number().int(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    })
    .nullable()
    .describe('what the caller would have got'),
  exports: z.record(z.string(), z.unknown()).describe('of an action'),
  return_value: z.unknown().describe('of an action'),
  logs: z.array(
    z.object({
      ts: millis,
      level: z.enum(['debug', 'info', 'warn', 'error']),
      text: z.string(),
    }),
  ),
});

export const logLine = z.object({
  id: z.number().int(),
  ts: millis,
  source_id: z.string(),
  invocation_id: z.string().nullable(),
  kind: z.enum(['start', 'end', 'console', 'error', 'drop', 'system']),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  text: z.string(),
});

export const sourceWithCode = source.extend({
  code: z.string().optional().describe('with include_code'),
  inputs: z.array(z.string()).optional().describe('with include_code: the local files of the code'),
});

export const wholeInvocation = invocation.extend({
  emitted: z.array(event),
  logs: z.array(logLine),
});

/** What user code said while Weir asked it something (reference §4.2, §6.10). */
export const observation = z.object({
  k: z.enum(['console', 'error']),
  ts: millis,
  level: z.enum(['debug', 'info', 'warn', 'error']),
  message: z.string(),
});

export const propOptions = z.object({
  options: z.array(z.object({ label: z.string(), value: z.unknown() })),
  context: z.unknown().describe('prev_context of the next page; null when there is none'),
  errors: z.array(z.string()).describe('one sentence each'),
  observations: z.array(observation),
});

export const propSet = z.object({
  dynamic_props_id: z.string().nullable().describe('dyp_…; null when the set could not be made'),
  configurable_props: z.array(configurableProp).describe('the whole final set, in order'),
  errors: z.array(z.string()),
  observations: z.array(observation),
});

export const schedulePreview = z.object({
  problem: z.string().nullable().describe('why it never ticks'),
  warning: z.string().nullable().describe('what the platform would not take'),
  words: z.string().nullable().describe('a cron expression in English'),
  next: z.array(millis).describe('the next five ticks'),
});

export const actionRun = z.object({
  exports: z.record(z.string(), z.unknown()),
  return_value: z.unknown(),
  summary: z.string().nullable(),
  logs: z.array(
    z.object({
      ts: millis,
      level: z.enum(['debug', 'info', 'warn', 'error']),
      text: z.string(),
    }),
  ),
  error: thrownError.optional(),
});

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

export const autoSubscription = z.object({
  id: z.string().describe('asub_…'),
  event_name: z.string(),
  listener_id: z.string(),
});

export const subscription = z.object({
  id: z.string().describe('sub_…'),
  emitter_id: z.string(),
  listener_id: z.string(),
  event_name: z.string(),
});

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

export const account = z.object({
  id: z.string().describe('apn_…'),
  name: z.string(),
  app: z.object({ id: z.string(), name: z.string() }),
  healthy: z.boolean(),
  created_at: z.string().describe('ISO 8601'),
  updated_at: z.string(),
  credentials: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('only with include_credentials'),
});

export const dataStore = z.object({
  id: z.string().describe('ds_…'),
  name: z.string(),
  created_at: seconds,
});

export const runtimeInfo = z.object({
  version: z.string(),
  url: z.string(),
  public_url: z.string().nullable(),
  pid: z.number().int(),
  data_folder: z.string(),
  started_at: z.string(),
  clients: z.number().int(),
  hosts: z.array(
    z.object({
      pid: z.number().int(),
      source_id: z.string().nullable(),
      in_flight: z.number().int(),
    }),
  ),
});

export const pageInfo = z.object({
  total_count: z.number().int(),
  count: z.number().int(),
  start_cursor: z.string().nullable(),
  end_cursor: z.string().nullable(),
});

/** A list with its cursors (reference §6.1). */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ page_info: pageInfo, data: z.array(item) });
}
