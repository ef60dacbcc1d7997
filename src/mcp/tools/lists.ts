/** Tools that find things and read them. */
import * as z from 'zod';
import type { Page } from '../../protocol/catalogue.ts';
import { kindOf } from '../../protocol/ids.ts';
import { WeirError } from '../../protocol/errors.ts';
import { catalogue } from '../../protocol/schemas/catalogue.ts';
import { id } from '../../protocol/schemas/fields.ts';
import { paging } from '../../protocol/schemas/page.ts';
import {
  briefAccount,
  briefComponent,
  briefExecution,
  briefLog,
  briefRun,
  briefSource,
  briefWorkflow,
} from '../brief.ts';
import { readDocument, runUri, uriOf } from '../documents.ts';
import { type Answer, type Tool, tool } from '../tool.ts';

const page = {
  limit: z.int().min(1).max(100).optional().describe('how many; 10 unless given'),
  after: paging.after.describe('"next" of the page before'),
};
const listed = catalogue['events.list'].input.shape;
const emitter = id.describe('source or workflow: id or name slug');

function pageAnswer<T>(
  operation: string,
  { data, page_info }: Page<T>,
  brief: (item: T) => unknown,
) {
  const more = page_info.total_count > data.length && data.length > 0;
  const next = more ? page_info.end_cursor : null;
  return { operation, data: data.map(brief), next } satisfies Answer;
}

export const listTools: readonly Tool[] = [
  tool({
    name: 'list',
    title: 'List sources, workflows, components or accounts',
    description: 'What is deployed, published or connected here, with the ids other tools take.',
    input: z.object({ what: z.enum(['sources', 'workflows', 'components', 'accounts']), ...page }),
    does: 'reads',
    run: async ({ what, ...window }, { call }) => {
      switch (what) {
        case 'sources':
          return pageAnswer('sources.list', await call('sources.list', window), briefSource);
        case 'workflows':
          return pageAnswer('workflows.list', await call('workflows.list', window), briefWorkflow);
        case 'components':
          return pageAnswer(
            'components.list',
            await call('components.list', window),
            briefComponent,
          );
        case 'accounts':
          return pageAnswer('accounts.list', await call('accounts.list', window), briefAccount);
      }
    },
  }),
  tool({
    name: 'describe',
    title: 'Describe a source or workflow',
    description:
      'All that is known of a deployed source or workflow: props, endpoint, timer, steps.',
    input: z.object({ id: emitter }),
    does: 'reads',
    run: async (args, caller) => {
      const found = await caller.call('emitters.find', args);
      const kind = found.type === 'workflow' ? 'workflows' : 'sources';
      return readDocument(uriOf(kind, found.id), caller);
    },
  }),
  tool({
    name: 'list_events',
    title: 'List events',
    description:
      'Events of a source or workflow, newest first; large payloads are cut, get_event has them whole.',
    input: z.object({
      id: emitter,
      ...page,
      event_name: listed.event_name,
      q: listed.q,
      include_dropped: z.boolean().optional().describe('also what was dropped, with the reason'),
    }),
    does: 'reads',
    run: async (args, { call }) =>
      pageAnswer('events.list', await call('events.list', args), (event) => event),
  }),
  tool({
    name: 'get_event',
    title: 'Get an event',
    description: 'One event with its payload and the id of the run that emitted it.',
    input: z.object({ id: emitter, event_id: catalogue['events.get'].input.shape.event_id }),
    does: 'reads',
    run: async ({ id: of, event_id }, caller) =>
      readDocument(uriOf('events', of, event_id), caller),
  }),
  tool({
    name: 'list_runs',
    title: 'List runs',
    description:
      'Runs of a source (inv_…) or executions of a workflow (exec_…), newest first, with status and error.',
    input: z.object({
      id: emitter,
      status: catalogue['invocations.list'].input.shape.status.describe('of a source only'),
      ...page,
    }),
    does: 'reads',
    run: async (args, { call }) => {
      const { id: of, type } = await call('emitters.find', { id: args.id });
      if (type === 'source') {
        const found = await call('invocations.list', { ...args, id: of });
        return pageAnswer('invocations.list', found, briefRun);
      }
      const { status, ...window } = args;
      if (status !== undefined) {
        throw new WeirError('bad_input', 'status is for sources; leave it out for a workflow.');
      }
      const found = await call('executions.list', { ...window, id: of });
      return pageAnswer('executions.list', found, briefExecution);
    },
  }),
  tool({
    name: 'get_run',
    title: 'Get a run',
    description:
      'One run or execution: its trigger as received, steps, what it emitted, logged and threw.',
    input: z.object({
      run_id: z.string().min(1).describe('inv_… or exec_…'),
      id: emitter.optional().describe('the source; not needed for exec_…'),
    }),
    does: 'reads',
    run: async ({ run_id, id: of }, caller) => {
      if (kindOf(run_id) !== 'execution' && of === undefined) {
        throw new WeirError('bad_input', `id is missing: name the source that ${run_id} is of.`);
      }
      return readDocument(runUri(of ?? '', run_id), caller);
    },
  }),
  tool({
    name: 'list_logs',
    title: 'List log lines',
    description: 'Log lines of a source or workflow, newest first, each with its run.',
    input: z.object({ id: emitter, ...page }),
    does: 'reads',
    run: async (args, { call }) => ({
      ...pageAnswer('logs.list', await call('logs.list', args), briefLog),
      uri: uriOf('logs', args.id),
    }),
  }),
  tool({
    name: 'list_deliveries',
    title: 'List deliveries',
    description: 'Deliveries to webhooks, newest first, with status and the last error.',
    input: z.object({
      status: catalogue['deliveries.list'].input.shape.status,
      ...page,
    }),
    does: 'reads',
    run: async (args, { call }) =>
      pageAnswer('deliveries.list', await call('deliveries.list', args), (one) => one),
  }),
];
