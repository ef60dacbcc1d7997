/** Results of steps that were kept by name. */
import * as z from 'zod';
import { id, millis } from './fields.ts';
import { operation } from './operation.ts';

export const pin = z.object({
  step: z.string().describe('name of the step'),
  name: z.string(),
  file: z.string().describe('absolute path'),
  active: z
    .boolean()
    .describe('whether it stands in for its step in every test that asks for no other'),
  known: z.boolean().describe('whether the file has such a step'),
  updated_at: millis,
});

export const operations = {
  'workflows.pins': operation({
    scope: 'read',
    summary: 'List the pins beside a workflow',
    input: z.object({ id }),
    output: z.object({ data: z.array(pin) }),
    rest: [{ method: 'GET', path: '/v1/workflows/{id}/pins' }],
  }),
  'workflows.unpin': operation({
    scope: 'deploy',
    summary: 'Remove pins of a workflow: one, those of a step, or all',
    input: z.object({
      id,
      step: z.string().optional().describe('name of the step; all unless given'),
      name: z.string().optional().describe('of the pin; all of the step unless given'),
    }),
    output: z.object({ removed: z.array(pin) }),
    rest: [{ method: 'DELETE', path: '/v1/workflows/{id}/pins' }],
  }),
};
