import * as z from 'zod';
import { id, level, millis } from './fields.ts';
import { operation } from './operation.ts';
import { pageOf, paging } from './page.ts';

export const logLine = z.object({
  id: z.number().int(),
  ts: millis,
  source_id: z.string().describe('dc_…, or p_… of a workflow'),
  invocation_id: z.string().nullable().describe('inv_…, or exec_… of a workflow'),
  kind: z.enum(['start', 'end', 'console', 'error', 'drop', 'system']),
  level,
  text: z.string(),
});

export const operations = {
  'logs.list': operation({
    scope: 'read',
    summary: 'Log lines of a source, newest first',
    input: z.object({ id, ...paging }),
    output: pageOf(logLine),
    rest: [
      { method: 'GET', path: '/v1/sources/{id}/logs' },
      { method: 'GET', path: '/v1/workflows/{id}/logs' },
    ],
  }),
};
