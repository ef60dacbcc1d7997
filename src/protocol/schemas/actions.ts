import * as z from 'zod';
import { configuredProps, onlyAccounts, millis, writtenLine } from './fields.ts';
import { thrownError } from './invocations.ts';
import { operation } from './operation.ts';
import { origin } from './origin.ts';
import { outgoingRequest } from './outgoing-requests.ts';
import { pageOf, paging } from './page.ts';

export const actionRun = z.object({
  id: z.string().describe('arun_…'),
  exports: z.record(z.string(), z.unknown()),
  return_value: z.unknown(),
  summary: z.string().nullable(),
  logs: z.array(writtenLine),
  error: thrownError.optional(),
});

export const keptActionRun = z.object({
  id: z.string().describe('arun_…'),
  name: z.string().describe('of the action'),
  key: z.string().nullable(),
  version: z.string().nullable(),
  path: z.string().nullable().describe('file of the action'),
  agent: z.string().nullable().describe('what the agent calls itself that asked for it'),
  status: z.enum(['running', 'succeeded', 'failed', 'cancelled', 'crashed']),
  started_at: millis,
  ended_at: millis.nullable(),
  error: thrownError.nullable(),
});

export const wholeActionRun = keptActionRun.extend({
  configured_props: z
    .record(z.string(), z.unknown())
    .describe('values it ran with; a secret as {"secret": true}'),
  exports: z.record(z.string(), z.unknown()),
  return_value: z.unknown(),
  summary: z.string().nullable(),
  logs: z.array(writtenLine),
  requests: z.array(outgoingRequest).describe('HTTP requests that it sent, without credentials'),
});

/** Values as an action would run with them. */
export const actionCheck = z.object({
  configured_props: z
    .record(z.string(), z.unknown())
    .describe('completed with defaults and accounts; a secret as {"secret": true}'),
});

export const operations = {
  'actions.check': operation({
    scope: 'deploy',
    summary:
      'Do what comes before the run of an action, its additionalProps() among it, and do not run it',
    input: z.object({
      ...origin,
      configured_props: configuredProps.optional(),
      accounts: onlyAccounts,
    }),
    output: actionCheck,
  }),
  'actions.run': operation({
    scope: 'deploy',
    summary: 'Run an action once, by itself, and wait for its end',
    input: z.object({
      ...origin,
      configured_props: configuredProps.optional(),
      accounts: onlyAccounts,
      steps: z.record(z.string(), z.unknown()).optional().describe('exports of earlier steps'),
      agent: z
        .string()
        .max(200)
        .optional()
        .describe('what an agent calls itself that asks for it; kept with the run'),
    }),
    output: actionRun,
    rest: [{ method: 'POST', path: '/v1/actions/run' }],
  }),
  'action_runs.list': operation({
    scope: 'read',
    summary: 'Runs of actions by themselves, newest first',
    input: z.object({ ...paging }),
    output: pageOf(keptActionRun),
    rest: [{ method: 'GET', path: '/v1/action_runs' }],
  }),
  'action_runs.get': operation({
    scope: 'read',
    summary: 'One run of an action with its values, log, exports and outgoing requests',
    input: z.object({ id: z.string().describe('arun_…') }),
    output: wholeActionRun,
    rest: [{ method: 'GET', path: '/v1/action_runs/{id}' }],
  }),
};
