import * as z from 'zod';
import { configuredProps, writtenLine } from './fields.ts';
import { thrownError } from './invocations.ts';
import { operation } from './operation.ts';
import { origin } from './origin.ts';

export const actionRun = z.object({
  exports: z.record(z.string(), z.unknown()),
  return_value: z.unknown(),
  summary: z.string().nullable(),
  logs: z.array(writtenLine),
  error: thrownError.optional(),
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
    input: z.object({ ...origin, configured_props: configuredProps.optional() }),
    output: actionCheck,
  }),
  'actions.run': operation({
    scope: 'deploy',
    summary: 'Run an action once, by itself, and wait for its end',
    input: z.object({
      ...origin,
      configured_props: configuredProps.optional(),
      steps: z.record(z.string(), z.unknown()).optional().describe('exports of earlier steps'),
    }),
    output: actionRun,
    rest: [{ method: 'POST', path: '/v1/actions/run' }],
  }),
};
