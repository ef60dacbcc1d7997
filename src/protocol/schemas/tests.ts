import * as z from 'zod';
import { flag, id } from './fields.ts';
import { operation } from './operation.ts';

const difference = z.object({
  path: z.string().describe('such as steps.total.$return_value.price'),
  expected: z.unknown(),
  got: z.unknown().describe('left out where nothing came'),
});

export const testResult = z.object({
  file: z.string(),
  name: z.string(),
  subject: z.string().describe('name of the folder of its workflow, or of the file of its source'),
  passed: z.boolean(),
  differences: z.array(difference),
  updated: z.boolean().describe('what it expects was brought up to what came'),
  execution_id: z.string().nullable().describe('null of the test of a source'),
  duration_ms: z.number().int(),
});

export const operations = {
  'tests.run': operation({
    scope: 'deploy',
    summary:
      'Run a test of a workflow or source, as a dry run: its event through the files as they are, compared with what it expects. Requests are answered from the recording beside the test, and data stores are copies',
    input: z.object({
      file: z.string().min(1).describe('absolute path of tests/<name>.test.yaml'),
      update: flag.optional().describe('whether it expects from now on what came'),
      mode: z
        .enum(['dry', 'real'])
        .optional()
        .describe(
          'dry unless given; real: its requests are sent, and a workflow writes to its data stores',
        ),
      install: flag.optional().describe('whether missing packages may be installed'),
      debug: flag
        .optional()
        .describe('of a workflow: its process waits for a debugger, until the test has ended'),
    }),
    output: testResult,
    rest: [{ method: 'POST', path: '/v1/tests/run' }],
  }),
  'tests.save': operation({
    scope: 'deploy',
    summary:
      'Write a test that expects what an execution came to, or what a source does now: its requests are sent, and nothing else of it is kept',
    input: z.object({
      execution: z.string().optional().describe('exec_…'),
      source: id.optional().describe('instead of an execution: the source that is run now'),
      invocation_id: z.string().optional().describe('whose trigger the source gets'),
      event: z.unknown().optional().describe('what the source gets, instead of that'),
      name: z
        .string()
        .optional()
        .describe(
          'of the test; the id of the execution or run, or the name of the source, unless given',
        ),
      pins: z
        .array(z.string())
        .optional()
        .describe('names of steps that do not run in the test: their results stand in for them'),
      replace: flag.optional().describe('whether it may take the place of one of that name'),
    }),
    output: z.object({
      file: z.string(),
      hidden: z
        .array(z.string())
        .describe(
          'where a secret was taken out of what the test gives: event.headers.authorization',
        ),
      requests: z
        .number()
        .int()
        .describe(
          'HTTP requests that were recorded: the test is answered from <name>.har beside it',
        ),
    }),
    rest: [{ method: 'POST', path: '/v1/tests' }],
  }),
};
