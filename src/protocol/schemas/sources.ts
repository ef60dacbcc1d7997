import * as z from 'zod';
import { accountWebhook } from './accounts.ts';
import { configurableProp } from './components.ts';
import { debugState } from './debug.ts';
import {
  configuredProps,
  onlyAccounts,
  done,
  flag,
  id,
  integer,
  millis,
  seconds,
} from './fields.ts';
import { invocation, wholeInvocation } from './invocations.ts';
import { operation } from './operation.ts';
import { origin } from './origin.ts';
import { pageOf, paging } from './page.ts';

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
  code_hash: z.string().describe('SHA-256 of what runs, hex'),
  endpoint_url: z.string().nullable(),
  webhook: accountWebhook
    .extend({
      app: z.string(),
      account: z.string().nullable().describe('apn_… of its app prop'),
      url: z.string().nullable().describe('to be entered at the app; null without an account'),
      event_names: z.array(z.string()).nullable().describe('which it asks for; null: all'),
    })
    .optional()
    .describe('of a source with $.interface.apphook: where its app sends events'),
  next_tick_at: millis.nullable(),
  dedupe: z.string().nullable(),
  last_invocation: invocation.nullable(),
  debug: debugState.nullable().describe('null while it is not debugged'),
});

export const sourceWithCode = source.extend({
  code: z.string().optional().describe('with include_code: its own file, as it was deployed'),
  inputs: z.array(z.string()).optional().describe('with include_code: the local files of the code'),
});

/** The activity of a source over time: one number per interval, oldest first. */
export const activity = z.object({
  from: millis,
  bucket_ms: z.number().int(),
  emitted: z.array(z.number().int()),
  failed: z.array(z.number().int()).describe('runs that failed or crashed'),
});

const underDebugger = flag
  .optional()
  .describe('debug it from now on: its processes wait for a debugger, told as a "debug" change');

export const operations = {
  'sources.list': operation({
    scope: 'read',
    summary: 'List deployed sources',
    input: z.object({ ...paging }),
    output: pageOf(source),
    rest: [
      { method: 'GET', path: '/v1/sources' },
      { method: 'GET', path: '/v1/users/me/sources' },
    ],
  }),
  'sources.get': operation({
    scope: 'read',
    summary: 'One source',
    input: z.object({ id, include_code: flag.optional().describe('with code and inputs') }),
    output: sourceWithCode,
    rest: [{ method: 'GET', path: '/v1/sources/{id}' }],
  }),
  'sources.deploy': operation({
    scope: 'deploy',
    summary: 'Deploy a source: bundle, create, deploy hook, activate hook',
    input: z.object({
      ...origin,
      name: z.string().optional().describe("the component's own unless given"),
      configured_props: configuredProps.optional(),
      accounts: onlyAccounts,
      endpoints: z
        .record(z.string(), z.string())
        .optional()
        .describe('hi_… of HTTP interfaces by prop, as endpoints.reserve gave them'),
      hooks: flag.optional().describe('false leaves the deploy hook out'),
      debug: underDebugger,
    }),
    output: source,
    rest: [{ method: 'POST', path: '/v1/sources' }],
  }),
  'sources.update': operation({
    scope: 'deploy',
    summary: 'Update code, props, name or state: deactivate hook (old), swap, activate hook (new)',
    input: z.object({
      id,
      ...origin,
      name: z.string().optional().describe('the name slug follows it'),
      configured_props: configuredProps.optional().describe('merged over what is configured'),
      accounts: onlyAccounts,
      active: flag.optional().describe('false switches it off: it keeps its data and does not run'),
      debug: underDebugger,
    }),
    output: source,
    rest: [{ method: 'PUT', path: '/v1/sources/{id}' }],
  }),
  'sources.delete': operation({
    scope: 'deploy',
    summary: 'Run the deactivate hook and remove the source with its events',
    input: z.object({
      id,
      ignore_hook_errors: flag.optional().describe('delete it also when the hook fails'),
    }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/sources/{id}' }],
  }),
  'sources.invoke': operation({
    scope: 'deploy',
    summary: 'Run a source now and wait for its end',
    input: z.object({ id, event: z.unknown().optional().describe('what run() gets') }),
    output: wholeInvocation,
    rest: [{ method: 'POST', path: '/v1/sources/{id}/invocations' }],
  }),
  'sources.activity': operation({
    scope: 'read',
    summary: 'How many events a source emitted and how many runs failed, over time',
    input: z.object({
      id,
      hours: integer.min(1).max(720).optional().describe('back from now; 24 unless given'),
      buckets: integer.min(1).max(500).optional().describe('how many; 48 unless given'),
    }),
    output: activity,
    rest: [{ method: 'GET', path: '/v1/sources/{id}/activity' }],
  }),
};
