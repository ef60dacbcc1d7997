/** Tools that run something, or send it again. */
import * as z from 'zod';
import type { Invocation } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { kindOf } from '../../protocol/ids.ts';
import { catalogue } from '../../protocol/schemas/catalogue.ts';
import { id } from '../../protocol/schemas/fields.ts';
import { withAllowedAccounts } from '../allowed-accounts.ts';
import { actionAnswer, uriOf } from '../documents.ts';
import { type Answer, type Tool, tool } from '../tool.ts';

const emitter = id.describe('source or workflow: id or name slug');
const { component_path, component_code, component_id, key, configured_props, steps } =
  catalogue['actions.run'].input.shape;
const test = catalogue['executions.test'].input.shape;

function runAnswer(operation: string, run: Invocation): Answer {
  return { operation, uri: uriOf('runs', run.source_id, run.id), data: run };
}

function executionAnswer(operation: string, execution: { readonly id: string }): Answer {
  return { operation, uri: uriOf('executions', execution.id), data: execution };
}

export const runTools: readonly Tool[] = [
  tool({
    name: 'run',
    title: 'Run a source or workflow',
    description:
      'Run a deployed source or workflow now, with an event, and wait for its end. It is a real run. test_workflow emits, delivers and schedules nothing.',
    input: z.object({
      id: emitter,
      event: z.unknown().optional().describe('what it gets, any JSON'),
    }),
    does: 'runs',
    run: async ({ event, id: of }, { call }) => {
      const found = await call('emitters.find', { id: of });
      const args = { id: found.id, ...(event !== undefined && { event }) };
      if (found.type === 'source') {
        return runAnswer('sources.invoke', await call('sources.invoke', args));
      }
      const execution = await call('executions.start', { ...args, wait: true });
      return executionAnswer('executions.start', execution);
    },
  }),
  tool({
    name: 'test_workflow',
    title: 'Test a workflow',
    description:
      'Run the files of a workflow as they are, deployed or not, and wait for its end: nothing is emitted, delivered or scheduled. It is a dry run, in which requests are answered from "execution" and data stores are copies, unless mode is real: ask the user before that.',
    input: z.object({
      workflow_path: test.workflow_path,
      id: test.id,
      event: test.event,
      step: test.step,
      execution: test.execution,
      pins: test.pins,
      mode: z
        .enum(['dry', 'real'])
        .optional()
        .describe('dry unless given; real: steps send their requests and write to data stores'),
    }),
    does: 'runs',
    run: async (args, { call }) =>
      executionAnswer('executions.test', await call('executions.test', { ...args, wait: true })),
  }),
  tool({
    name: 'run_action',
    title: 'Run an action',
    description: 'Run an action once, by itself, and wait for its exports, return value and log.',
    input: z.object({
      component_path,
      component_code,
      component_id,
      key,
      configured_props: configured_props.describe(
        'values by prop; an app prop as {"authProvisionId": "apn_…"}, never with credentials',
      ),
      steps,
    }),
    does: 'runs',
    run: async (args, caller) => {
      const allowed = await withAllowedAccounts(args, args.configured_props, caller);
      const { call, agent } = caller;
      return actionAnswer(await call('actions.run', { ...args, ...allowed, agent }));
    },
  }),
  tool({
    name: 'cancel_run',
    title: 'Cancel a run',
    description: 'End a run of a source, or an execution of a workflow, that waits or goes on.',
    input: z.object({
      run_id: z.string().min(1).describe('inv_… or exec_…'),
      id: emitter.optional().describe('the source; not needed for exec_…'),
    }),
    does: 'replaces',
    run: async ({ run_id, id: of }, { call }) => {
      if (kindOf(run_id) === 'execution') {
        const cancelled = await call('executions.cancel', { id: run_id });
        return executionAnswer('executions.cancel', cancelled);
      }
      const stopped = { id: sourceOf(of, run_id), invocation_id: run_id };
      return runAnswer('invocations.stop', await call('invocations.stop', stopped));
    },
  }),
  tool({
    name: 'replay',
    title: 'Replay a run or event',
    description:
      'Run the trigger of a run, an execution or an event again as it was received, and wait for its end. It is a real run.',
    input: z.object({
      id: emitter.optional().describe('source or workflow; not needed for exec_…'),
      run_id: z.string().min(1).optional().describe('inv_… or exec_…'),
      event_id: z
        .string()
        .min(1)
        .optional()
        .describe('instead of run_id: of the run that emitted it'),
      from_step: catalogue['executions.replay'].input.shape.from_step,
    }),
    does: 'runs',
    run: async ({ id: of, run_id, event_id, from_step }, { call }) => {
      if ((run_id === undefined) === (event_id === undefined)) {
        throw new WeirError('bad_input', 'Give one of run_id and event_id.');
      }
      const run =
        run_id ??
        (await call('events.get', { id: sourceOf(of, 'the event'), event_id: event_id ?? '' }))
          .invocation_id;
      if (kindOf(run) === 'execution') {
        const how = { id: run, ...(from_step !== undefined && { from_step }), wait: true };
        return executionAnswer('executions.replay', await call('executions.replay', how));
      }
      if (from_step !== undefined) {
        throw new WeirError('bad_input', 'from_step is for executions of workflows; leave it out.');
      }
      const args = { id: sourceOf(of, run), invocation_id: run };
      return runAnswer('sources.replay', await call('sources.replay', args));
    },
  }),
  tool({
    name: 'redeliver',
    title: 'Redeliver to a webhook',
    description: catalogue['deliveries.redeliver'].summary,
    input: catalogue['deliveries.redeliver'].input,
    does: 'runs',
    run: async (args, { call }) => ({
      operation: 'deliveries.redeliver',
      uri: uriOf('deliveries', args.id),
      data: await call('deliveries.redeliver', args),
    }),
  }),
];

function sourceOf(given: string | undefined, what: string): string {
  if (given !== undefined) return given;
  throw new WeirError('bad_input', `id is missing: name the source that ${what} is of.`);
}
