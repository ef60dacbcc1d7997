/**
 * Every operation of the runtime: its name, what it takes, what it returns, where it stands in REST.
 * The faces (RPC, REST, CLI) are made from this table and add no rule of their own; the handlers in
 * `src/runtime/operations` are typed by it, so one that is missing does not compile.
 *
 * Loaded by the runtime only. Clients see its types through `../catalogue.ts`.
 */
import { z } from 'zod';
import * as r from './resources.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL, parameters as `{name}`. */
  readonly path: string;
  /** 200 unless said. */
  readonly status?: number;
}

interface Operation<I extends z.ZodType, O extends z.ZodType> {
  readonly summary: string;
  readonly input: I;
  readonly output: O;
  /** The first is the one that is documented; the others are the platform's twins. */
  readonly rest?: readonly Route[];
}

const operation = <I extends z.ZodType, O extends z.ZodType>(o: Operation<I, O>): Operation<I, O> =>
  o;

const id = z.string().min(1).describe('id or name slug');
const debugged = z
  .string()
  .min(1)
  .describe("id or name slug of a source, or a file's absolute path");
const done = z.object({});
const configuredProps = z.record(z.string(), z.unknown());
const integer = z.coerce.number().int();
const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0', '']).transform((v) => v === 'true' || v === '1'),
]);

const underDebugger = flag
  .optional()
  .describe('debug it from now on: its processes wait for a debugger, told as a "debug" change');

/** limit 1–100, default 10 (reference §9). */
const paging = {
  limit: integer.min(1).max(100).optional(),
  after: z.string().optional(),
  before: z.string().optional(),
};

/** Where the code of a component comes from: exactly one of these. */
const origin = {
  component_path: z.string().optional().describe('absolute path of a local file'),
  component_code: z.string().optional(),
  component_url: z.string().optional(),
  component_id: z.string().optional(),
  key: z.string().optional(),
  install: flag
    .optional()
    .describe('whether npm packages it lacks may be installed; the setting decides unless given'),
};

/** What a form is about: a deployed source, or code by its origin, with the values so far. */
const formOf = {
  id: id.optional().describe('deployed source; its stored values lie under the given ones'),
  ...origin,
  configured_props: configuredProps.optional(),
  dynamic_props_id: z.string().optional().describe('dyp_… of the set the form shows'),
};

export const catalogue = {
  'runtime.info': operation({
    summary: 'What runs here',
    input: z.object({}),
    output: r.runtimeInfo,
  }),
  'runtime.stop': operation({
    summary: 'Stop the runtime cleanly',
    input: z.object({}),
    output: done,
  }),
  'db.copy': operation({
    summary: 'Write an ordinary SQLite copy of the store',
    input: z.object({ file: z.string().describe('absolute path; must not exist') }),
    output: z.object({ file: z.string(), bytes: z.number().int() }),
  }),

  'components.inspect': operation({
    summary: 'Bundle and evaluate a file and return its definition; deploys nothing',
    input: z.object({ component_path: z.string(), install: origin.install }),
    output: z.object({
      name: z.string(),
      key: z.string().nullable(),
      type: z.enum(['source', 'action', 'app']),
      version: z.string().nullable(),
      description: z.string().nullable(),
      dedupe: z.string().nullable(),
      code_hash: z.string(),
      configurable_props: z.array(r.configurableProp),
      sample_emit: z.unknown().optional().describe('an event as the component would emit it'),
      has_additional_props: z.boolean().describe('components.props may make others of the values'),
      warnings: z.array(z.string()),
    }),
  }),
  'components.list': operation({
    summary: 'List saved components',
    input: z.object({ ...paging }),
    output: r.pageOf(r.component),
    rest: [{ method: 'GET', path: '/v1/users/me/components' }],
  }),
  'components.publish': operation({
    summary:
      'Save a source or action under its key, for deploy and run by key; the same version again is a conflict',
    input: z.object(origin),
    output: r.component,
    rest: [{ method: 'POST', path: '/v1/components' }],
  }),
  'components.get': operation({
    summary: 'One saved component, by its id or the key it is published under',
    input: z.object({ id: z.string().describe('sc_… or key') }),
    output: r.component,
    rest: [{ method: 'GET', path: '/v1/components/{id}' }],
  }),
  'components.unpublish': operation({
    summary: 'Take a key away; what was deployed from it stays',
    input: z.object({ id: z.string().describe('key, or sc_… of what is published') }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/components/{id}' }],
  }),
  'components.configure': operation({
    summary: 'One page of the options() of a prop, for a deployed source or a file',
    input: z.object({
      ...formOf,
      prop_name: z.string().min(1),
      page: integer.min(0).optional(),
      prev_context: z.unknown().optional().describe('the context of the page before'),
      query: z.string().optional(),
    }),
    output: r.propOptions,
    rest: [{ method: 'POST', path: '/v1/components/configure' }],
  }),
  'components.props': operation({
    summary: 'All props as additionalProps() makes them of the given values',
    input: z.object(formOf),
    output: r.propSet,
    rest: [{ method: 'POST', path: '/v1/components/props' }],
  }),
  'endpoints.reserve': operation({
    summary: 'An endpoint for a source that is yet to be deployed; it answers from then on',
    input: z.object({ id: z.string().optional().describe('one that was reserved before') }),
    output: z.object({ id: z.string().describe('hi_…'), endpoint_url: z.string() }),
  }),
  'timers.preview': operation({
    summary: 'When a timer would tick, and in words; or what keeps it from ticking',
    input: z.object({
      intervalSeconds: z.number().optional(),
      cron: z.string().optional(),
      timezone: z.string().optional().describe('IANA name, of a cron; UTC when left out'),
    }),
    output: r.schedulePreview,
  }),
  'actions.run': operation({
    summary: 'Run an action once, by itself, and wait for its end',
    input: z.object({
      ...origin,
      configured_props: configuredProps.optional(),
      steps: z.record(z.string(), z.unknown()).optional().describe('exports of earlier steps'),
    }),
    output: r.actionRun,
    rest: [{ method: 'POST', path: '/v1/actions/run' }],
  }),

  'sources.list': operation({
    summary: 'List deployed sources',
    input: z.object({ ...paging }),
    output: r.pageOf(r.source),
    rest: [
      { method: 'GET', path: '/v1/sources' },
      { method: 'GET', path: '/v1/users/me/sources' },
    ],
  }),
  'sources.get': operation({
    summary: 'One source',
    input: z.object({ id, include_code: flag.optional() }),
    output: r.sourceWithCode,
    rest: [{ method: 'GET', path: '/v1/sources/{id}' }],
  }),
  'sources.deploy': operation({
    summary: 'Deploy a source: bundle, create, deploy hook, activate hook',
    input: z.object({
      ...origin,
      name: z.string().optional(),
      configured_props: configuredProps.optional(),
      endpoints: z
        .record(z.string(), z.string())
        .optional()
        .describe('hi_… of HTTP interfaces by prop, as endpoints.reserve gave them'),
      hooks: flag.optional().describe('false leaves the deploy hook out'),
      debug: underDebugger,
    }),
    output: r.source,
    rest: [{ method: 'POST', path: '/v1/sources' }],
  }),
  'sources.update': operation({
    summary: 'Update code, props, name or state: deactivate hook (old), swap, activate hook (new)',
    input: z.object({
      id,
      ...origin,
      name: z.string().optional(),
      configured_props: configuredProps.optional().describe('merged over what is configured'),
      active: flag.optional(),
      debug: underDebugger,
    }),
    output: r.source,
    rest: [{ method: 'PUT', path: '/v1/sources/{id}' }],
  }),
  'sources.delete': operation({
    summary: 'Run the deactivate hook and remove the source with its events',
    input: z.object({ id, ignore_hook_errors: flag.optional() }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/sources/{id}' }],
  }),
  'sources.invoke': operation({
    summary: 'Run a source now and wait for its end',
    input: z.object({ id, event: z.unknown().optional() }),
    output: r.wholeInvocation,
    rest: [{ method: 'POST', path: '/v1/sources/{id}/invocations' }],
  }),

  'invocations.list': operation({
    summary: 'Invocations of a source, newest first',
    input: z.object({ id, ...paging }),
    output: r.pageOf(r.invocation),
    rest: [{ method: 'GET', path: '/v1/sources/{id}/invocations' }],
  }),
  'invocations.get': operation({
    summary: 'One invocation with its trigger as received, what it emitted and logged',
    input: z.object({ id, invocation_id: z.string() }),
    output: r.invocation.extend({
      emitted: z.array(r.event),
      logs: z.array(r.logLine),
      trigger: r.storedTrigger.nullable().describe('null of a hook, and when it is not kept'),
    }),
    rest: [{ method: 'GET', path: '/v1/sources/{id}/invocations/{invocation_id}' }],
  }),

  'sources.dryRun': operation({
    summary: 'Run a source, or a file, in a process of its own and keep nothing of what it does',
    input: z.object({
      id: id.optional().describe('source whose props and db are used'),
      component_path: z
        .string()
        .optional()
        .describe('code to run; with an id instead of what is deployed'),
      install: origin.install,
      configured_props: configuredProps.optional(),
      event: z.unknown().optional(),
      invocation_id: z.string().optional().describe('run its trigger as it was received'),
    }),
    output: r.dryRun,
    rest: [{ method: 'POST', path: '/v1/sources/{id}/dry_run' }],
  }),
  'sources.replay': operation({
    summary: 'Run the trigger of an invocation again as it was received, and wait for its end',
    input: z.object({ id, invocation_id: z.string() }),
    output: r.wholeInvocation,
    rest: [{ method: 'POST', path: '/v1/sources/{id}/invocations/{invocation_id}/replay' }],
  }),

  'debug.start': operation({
    summary:
      'Debug a source, or a file: its processes wait for a debugger before they run any code',
    input: z.object({ id: debugged }),
    output: r.debugState,
    rest: [{ method: 'POST', path: '/v1/sources/{id}/debug' }],
  }),
  'debug.stop': operation({
    summary: 'Close the inspectors; what runs goes on',
    input: z.object({ id: debugged }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/sources/{id}/debug' }],
  }),
  'debug.paused': operation({
    summary: 'Tell that its code stands at a breakpoint, or goes on',
    input: z.object({ id: debugged, paused: z.boolean() }),
    output: done,
  }),

  'events.list': operation({
    summary:
      'Emitted events of a source, newest first; payloads above 1 KB are cut unless expand=event',
    input: z.object({
      id,
      ...paging,
      expand: z.enum(['event', '']).optional(),
      event_name: z.string().optional().describe('channel'),
      include_dropped: flag.optional(),
      q: z
        .string()
        .optional()
        .describe('words that are all in summary or payload; of the last the end may be missing'),
    }),
    output: r.pageOf(r.event),
    rest: [{ method: 'GET', path: '/v1/sources/{id}/event_summaries' }],
  }),
  'events.get': operation({
    summary: 'One event, whole',
    input: z.object({ id, event_id: z.string() }),
    output: r.event,
    rest: [{ method: 'GET', path: '/v1/sources/{id}/events/{event_id}' }],
  }),
  'events.deliveries': operation({
    summary: 'The deliveries of one event with their attempts, oldest first',
    input: z.object({ id, event_id: z.string() }),
    output: z.object({ deliveries: z.array(r.deliveryWithAttempts) }),
    rest: [{ method: 'GET', path: '/v1/sources/{id}/events/{event_id}/deliveries' }],
  }),
  'sources.activity': operation({
    summary: 'How many events a source emitted and how many runs failed, over time',
    input: z.object({
      id,
      hours: integer.min(1).max(720).optional().describe('back from now; 24 unless given'),
      buckets: integer.min(1).max(500).optional(),
    }),
    output: r.activity,
    rest: [{ method: 'GET', path: '/v1/sources/{id}/activity' }],
  }),
  'events.delete': operation({
    summary: 'Delete a range of events, both ends included; dedupe is not reset',
    input: z.object({
      id,
      start_id: z.string().optional(),
      end_id: z.string().optional(),
      event_name: z.string().optional(),
    }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/sources/{id}/events', status: 202 }],
  }),
  'logs.list': operation({
    summary: 'Log lines of a source, newest first',
    input: z.object({ id, ...paging }),
    output: r.pageOf(r.logLine),
    rest: [{ method: 'GET', path: '/v1/sources/{id}/logs' }],
  }),

  'webhooks.list': operation({
    summary: 'List webhooks',
    input: z.object({ ...paging }),
    output: r.pageOf(r.webhook),
    rest: [
      { method: 'GET', path: '/v1/webhooks' },
      { method: 'GET', path: '/v1/users/me/webhooks' },
    ],
  }),
  'webhooks.get': operation({
    summary: 'One webhook',
    input: z.object({ id }),
    output: r.webhook,
    rest: [{ method: 'GET', path: '/v1/webhooks/{id}' }],
  }),
  'webhooks.create': operation({
    summary: 'Create a webhook',
    input: z.object({
      url: z.string().describe('http or https'),
      name: z.string().optional(),
      description: z.string().optional(),
    }),
    output: r.createdWebhook,
    rest: [{ method: 'POST', path: '/v1/webhooks' }],
  }),
  'webhooks.update': operation({
    summary: 'Change a webhook',
    input: z.object({
      id,
      url: z.string().optional(),
      name: z.string().nullable().optional(),
      description: z.string().nullable().optional(),
      active: flag.optional(),
    }),
    output: r.webhook,
    rest: [{ method: 'PUT', path: '/v1/webhooks/{id}' }],
  }),
  'webhooks.rotateSecret': operation({
    summary: 'Make a new signing secret; the old one signs as well for a day, or as long as said',
    input: z.object({
      id,
      grace_seconds: integer.min(0).max(604_800).optional(),
    }),
    output: r.rotatedWebhook,
    rest: [{ method: 'POST', path: '/v1/webhooks/{id}/rotate_secret' }],
  }),
  'webhooks.delete': operation({
    summary: 'Delete a webhook and its subscriptions',
    input: z.object({ id }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/webhooks/{id}' }],
  }),

  'subscriptions.list': operation({
    summary: 'List subscriptions',
    input: z.object({ ...paging }),
    output: r.pageOf(r.subscription),
    rest: [
      { method: 'GET', path: '/v1/subscriptions' },
      { method: 'GET', path: '/v1/users/me/subscriptions' },
    ],
  }),
  'subscriptions.create': operation({
    summary: 'Subscribe a listener to an emitter; the same one twice is one',
    input: z.object({
      emitter_id: z.string(),
      listener_id: z.string(),
      event_name: z.string().optional(),
    }),
    output: r.subscription,
    rest: [{ method: 'POST', path: '/v1/subscriptions' }],
  }),
  'subscriptions.delete': operation({
    summary: 'Delete a subscription, by its three parts or by its id',
    input: z.object({
      subscription_id: z.string().optional(),
      emitter_id: z.string().optional(),
      listener_id: z.string().optional(),
      event_name: z.string().optional(),
    }),
    output: done,
    rest: [
      { method: 'DELETE', path: '/v1/subscriptions' },
      { method: 'DELETE', path: '/v1/subscriptions/{subscription_id}' },
    ],
  }),
  'autoSubscriptions.list': operation({
    summary: 'List the listeners that sources get at their deploy',
    input: z.object({ ...paging }),
    output: r.pageOf(r.autoSubscription),
    rest: [{ method: 'GET', path: '/v1/auto_subscriptions' }],
  }),
  'autoSubscriptions.create': operation({
    summary: 'Subscribe a listener to errors or logs of every source deployed from now on',
    input: z.object({ event_name: z.enum(['$errors', '$logs']), listener_id: z.string() }),
    output: r.autoSubscription,
    rest: [{ method: 'POST', path: '/v1/auto_subscriptions' }],
  }),
  'autoSubscriptions.delete': operation({
    summary: 'Sources deployed from now on do without; subscriptions that were made stay',
    input: z.object({ id: z.string() }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/auto_subscriptions/{id}' }],
  }),

  'deliveries.list': operation({
    summary: 'Deliveries, newest first',
    input: z.object({
      ...paging,
      webhook_id: z.string().optional(),
      status: r.deliveryStatus.optional(),
    }),
    output: r.pageOf(r.delivery),
    rest: [{ method: 'GET', path: '/v1/deliveries' }],
  }),
  'deliveries.get': operation({
    summary: 'One delivery with its attempts',
    input: z.object({ id }),
    output: r.deliveryWithAttempts,
    rest: [{ method: 'GET', path: '/v1/deliveries/{id}' }],
  }),
  'deliveries.redeliver': operation({
    summary:
      'Send a delivery again, signed now: with its message id, the present time and secret. A repetition by hand never schedules retries',
    input: z.object({ id }),
    output: r.redelivery,
    rest: [{ method: 'POST', path: '/v1/deliveries/{id}/redeliver' }],
  }),
  'deliveries.redeliverAll': operation({
    summary:
      'Send deliveries again, signed now: the named ones, or all that failed. A webhook that fails three times in a row is given up',
    input: z.object({
      ids: z.array(z.string()).max(1000).optional(),
      failed: flag.optional().describe('all that wait for a retry or were given up'),
      webhook_id: z.string().optional().describe('with failed: only to this webhook'),
      since: z
        .string()
        .optional()
        .describe('with failed: made since then, ISO 8601 or epoch milliseconds'),
    }),
    output: z.object({
      sent: z.array(r.redelivery).describe('as they stand after it, in the order they were sent'),
      skipped: z.number().int(),
    }),
    rest: [{ method: 'POST', path: '/v1/deliveries/redeliver' }],
  }),

  'accounts.list': operation({
    summary: 'List connected accounts',
    input: z.object({ ...paging, app: z.string().optional() }),
    output: r.pageOf(r.account),
    rest: [{ method: 'GET', path: '/v1/accounts' }],
  }),
  'accounts.get': operation({
    summary: 'One account',
    input: z.object({ id, include_credentials: flag.optional() }),
    output: r.account,
    rest: [{ method: 'GET', path: '/v1/accounts/{id}' }],
  }),
  'accounts.create': operation({
    summary: 'Connect an account with keys; they are stored encrypted and do not come back',
    input: z.object({
      app: z.string().min(1),
      name: z.string().optional(),
      credentials: z.record(z.string(), z.unknown()),
    }),
    output: r.account,
    rest: [{ method: 'POST', path: '/v1/accounts' }],
  }),
  'accounts.delete': operation({
    summary: 'Delete an account',
    input: z.object({ id }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/accounts/{id}' }],
  }),

  'data_stores.list': operation({
    summary: 'List data stores',
    input: z.object({ ...paging }),
    output: r.pageOf(r.dataStore),
    rest: [{ method: 'GET', path: '/v1/data_stores' }],
  }),
  'data_stores.create': operation({
    summary: 'Create a data store; the same name twice is one',
    input: z.object({ name: z.string().min(1) }),
    output: r.dataStore,
    rest: [{ method: 'POST', path: '/v1/data_stores' }],
  }),
  'data_stores.delete': operation({
    summary: 'Delete a data store with its records',
    input: z.object({ id: z.string().min(1).describe('id or name') }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/data_stores/{id}' }],
  }),
} as const;

export type Catalogue = typeof catalogue;
