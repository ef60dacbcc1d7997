/** Executions beside what the files say now, and beside each other. */
import * as z from 'zod';
import { operation } from './operation.ts';
import { execution, stepRun } from './workflows.ts';

export const staleStep = z.object({
  path: z.string().describe('of the step run, such as each_1[3].post'),
  because: z
    .enum(['code', 'props', 'upstream', 'unknown'])
    .describe(
      'what has changed since: its code, its props, something before it; unknown when what it ran with is not kept any more',
    ),
  of: z.string().nullable().describe('upstream: path of the first step before it that has changed'),
});

/** A value that exists on one side only has `null` on the other. */
const difference = z.object({
  path: z.string().describe('such as $return_value.items[2].price, status, error'),
  before: z.unknown(),
  after: z.unknown(),
});

const stepStatus = stepRun.shape.status;

export const comparedStep = z.object({
  path: z.string(),
  before: stepStatus.nullable().describe('null when it did not run'),
  after: stepStatus.nullable(),
  pinned: z.string().nullable().describe('name of the pin that stood in for it in the later one'),
  differences: z.array(difference).describe('the first hundred'),
});

const id = z.string().describe('exec_…');

export const operations = {
  'executions.stale': operation({
    scope: 'deploy',
    summary:
      'The steps of an execution whose results were made with something older than what the files say now',
    input: z.object({ id }),
    output: z.object({ data: z.array(staleStep) }),
    rest: [{ method: 'GET', path: '/v1/executions/{id}/stale' }],
  }),
  'executions.compare': operation({
    scope: 'read',
    summary: 'What differs between two executions: status, response, and what each step came to',
    input: z.object({ id, with: z.string().describe('exec_… of the later one') }),
    output: z.object({
      before: execution,
      after: execution,
      same: z.boolean(),
      differences: z.array(difference).describe('of status, error and response'),
      steps: z.array(comparedStep).describe('the executions that differ'),
    }),
    rest: [{ method: 'GET', path: '/v1/executions/{id}/compare' }],
  }),
};
