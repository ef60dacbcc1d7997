/** Tools that make tests of what ran, and run them. */
import * as z from 'zod';
import { kindOf } from '../../protocol/ids.ts';
import { catalogue } from '../../protocol/schemas/catalogue.ts';
import { id } from '../../protocol/schemas/fields.ts';
import { uriOf } from '../documents.ts';
import { type Tool, tool } from '../tool.ts';

const save = catalogue['tests.save'].input.shape;
const run = catalogue['tests.run'].input.shape;

export const testTools: readonly Tool[] = [
  tool({
    name: 'save_test',
    title: 'Save a run as a test',
    description:
      'Write tests/<name>.test.yaml that expects what a run came to: of an execution of a workflow as it was, of a source by running its file once more with what the run got: its requests are sent, and nothing it emits is kept.',
    input: z.object({
      run_id: z.string().min(1).optional().describe('inv_… or exec_…'),
      id: id.optional().describe('the source: id or name slug; not needed for exec_…'),
      event: save.event.describe('what the source gets, instead of a run'),
      name: save.name,
      pins: save.pins,
      replace: z.boolean().optional().describe('whether it may take the place of one of that name'),
    }),
    does: 'runs',
    run: async ({ run_id, id: source, ...args }, { call }) => {
      const isExecution = run_id !== undefined && kindOf(run_id) === 'execution';
      const of = isExecution ? { execution: run_id } : { source, invocation_id: run_id };
      return { operation: 'tests.save', data: await call('tests.save', { ...args, ...of }) };
    },
  }),
  tool({
    name: 'run_test',
    title: 'Run a test',
    description:
      'Run a test of a source or workflow against the files as they are, and say where what came differs from what it expects. Nothing is deployed, emitted or delivered. It is a dry run: requests are answered from the recording beside the test, and data stores are copies.',
    input: z.object({
      file: run.file,
      update: z.boolean().optional().describe('whether it expects from now on what came'),
      install: z
        .boolean()
        .optional()
        .describe('true installs npm packages that it lacks; only when the user wants that'),
    }),
    does: 'runs',
    run: async (args, { call }) => {
      const ran = await call('tests.run', args);
      const uri = ran.execution_id === null ? {} : { uri: uriOf('executions', ran.execution_id) };
      return { operation: 'tests.run', ...uri, data: ran };
    },
  }),
];
