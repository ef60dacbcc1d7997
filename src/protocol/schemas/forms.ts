import * as z from 'zod';
import { configurableProp } from './components.ts';
import { configuredProps, onlyAccounts, id, integer, level, millis } from './fields.ts';
import { operation } from './operation.ts';
import { origin } from './origin.ts';

/** Output of user code during a call outside of a run (P17.8). */
export const observation = z.object({
  k: z.enum(['console', 'error']),
  ts: millis,
  level,
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

/** The subject of a form: a deployed source, or code by its origin, with the values so far. */
const formOf = {
  id: id.optional().describe('deployed source; its stored values lie under the given ones'),
  ...origin,
  configured_props: configuredProps.optional(),
  accounts: onlyAccounts,
  dynamic_props_id: z.string().optional().describe('dyp_… of the set the form shows'),
};

export const operations = {
  'components.configure': operation({
    scope: 'deploy',
    summary: 'One page of the options() of a prop, for a deployed source or a file',
    input: z.object({
      ...formOf,
      prop_name: z.string().min(1).describe('whose options are asked for'),
      page: integer.min(0).optional().describe('from 0'),
      prev_context: z.unknown().optional().describe('the context of the page before'),
      query: z.string().optional().describe('what a person typed to search'),
    }),
    output: propOptions,
    rest: [{ method: 'POST', path: '/v1/components/configure' }],
  }),
  'components.props': operation({
    scope: 'deploy',
    summary: 'All props as additionalProps() makes them of the given values',
    input: z.object(formOf),
    output: propSet,
    rest: [{ method: 'POST', path: '/v1/components/props' }],
  }),
  'endpoints.reserve': operation({
    scope: 'deploy',
    summary: 'An endpoint for a source that is yet to be deployed; it answers from then on',
    input: z.object({ id: z.string().optional().describe('one that was reserved before') }),
    output: z.object({ id: z.string().describe('hi_…'), endpoint_url: z.string() }),
  }),
  'timers.preview': operation({
    scope: 'read',
    summary: 'When a timer would tick, and in words; or what keeps it from ticking',
    input: z.object({
      intervalSeconds: z.number().optional(),
      cron: z.string().optional(),
      timezone: z.string().optional().describe('IANA name, of a cron; UTC when left out'),
    }),
    output: schedulePreview,
  }),
};
