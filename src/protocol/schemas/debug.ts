import * as z from 'zod';
import { done } from './fields.ts';
import { operation } from './operation.ts';

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

const debugged = z
  .string()
  .min(1)
  .describe("id or name slug of a source, or a file's absolute path");

export const operations = {
  'debug.start': operation({
    scope: 'deploy',
    summary:
      'Debug a source, or a file: its processes wait for a debugger before they run any code',
    input: z.object({ id: debugged }),
    output: debugState,
    rest: [{ method: 'POST', path: '/v1/sources/{id}/debug' }],
  }),
  'debug.stop': operation({
    scope: 'deploy',
    summary: 'Close the inspectors; what runs goes on',
    input: z.object({ id: debugged }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/sources/{id}/debug' }],
  }),
  'debug.paused': operation({
    scope: 'deploy',
    summary: 'Tell that its code stands at a breakpoint, or goes on',
    input: z.object({ id: debugged, paused: z.boolean() }),
    output: done,
  }),
};
