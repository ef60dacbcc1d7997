import * as z from 'zod';
import { configuredProps, id, writtenLine } from './fields.ts';
import { thrownError } from './invocations.ts';
import { operation } from './operation.ts';
import { origin } from './origin.ts';

/** The actions of a run that was not for real: nothing of it was kept. */
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
  data_stores: z
    .array(
      z.object({
        store: z.string().describe('`ds_…` or a name'),
        op: z.string().describe('set, setTtl, delete or clear'),
        key: z.string().nullable(),
        value: z.unknown(),
      }),
    )
    .describe('what it would have written, in order'),
  response: z
    .object({
      status: z.number().int(),
      headers: z
        .record(z.string(), z.union([z.string(), z.array(z.string())]))
        .describe('text; a list of texts for several `set-cookie`'),
      body: z.string(),
    })
    .nullable()
    .describe('what the caller would have got'),
  exports: z.record(z.string(), z.unknown()).describe('of an action'),
  return_value: z.unknown().describe('of an action'),
  logs: z.array(writtenLine),
});

export const operations = {
  'sources.dryRun': operation({
    scope: 'deploy',
    summary:
      'Run a source, or a file, in a process of its own and keep nothing of what it does; its requests are sent',
    input: z.object({
      id: id.optional().describe('source whose props and db are used'),
      component_path: z
        .string()
        .optional()
        .describe('code to run; with an id instead of what is deployed'),
      install: origin.install,
      configured_props: configuredProps.optional(),
      event: z.unknown().optional().describe('what run() gets'),
      invocation_id: z.string().optional().describe('run its trigger as it was received'),
    }),
    output: dryRun,
    rest: [{ method: 'POST', path: '/v1/sources/{id}/dry_run' }],
  }),
};
