import type {
  EmittedEvent,
  Execution,
  WholeExecution,
  Workflow,
} from '../../protocol/catalogue.ts';
import { scheduledChannel } from '../../protocol/channels.ts';
import { WeirError } from '../../protocol/errors.ts';
import { executionPrefix } from '../../protocol/ids.ts';
import type { Trigger } from '../../protocol/host.ts';
import type { Environment } from '../environment/environment.ts';
import type { WorkflowRecord } from '../store/configuration/workflows.ts';
import type { NewJournal } from '../store/history/executions.ts';
import type { InvocationRecord } from '../store/history/invocations.ts';
import type { Store } from '../store/store.ts';
import type { Executions } from '../workflows/executions/executions.ts';
import { hitRunOf } from '../workflows/executions/journal.ts';
import type { ExecutionKeys } from '../workflows/executions/keys.ts';
import { readWorkflow } from '../workflows/file/read.ts';
import { replayFrom } from '../workflows/executions/replay.ts';
import type { Workflows } from '../workflows/lifecycle/workflows.ts';
import { debugWorkflow, type DebugWorkflowParts } from './debug-workflow.ts';
import { findWorkflow } from './find-workflow.ts';
import type { Handlers } from './operations.ts';
import { presentTrigger } from './present-trigger.ts';
import {
  presentExecution,
  presentRunning,
  presentSend,
  presentStep,
  presentWorkflow,
} from './present-workflows.ts';
import { pageRequest, presentEvent, presentPage } from './present.ts';
import { listScheduled, type ScheduledEmitParts } from './scheduled-emits.ts';

type WorkflowHandlers = Pick<
  Handlers,
  | 'workflows.list'
  | 'workflows.get'
  | 'workflows.deploy'
  | 'workflows.check'
  | 'workflows.update'
  | 'workflows.delete'
  | 'workflows.events'
  | 'workflows.errors'
  | 'executions.list'
  | 'executions.start'
  | 'executions.get'
  | 'executions.cancel'
  | 'executions.resume'
  | 'executions.replay'
>;

export interface WorkflowHandlerParts extends DebugWorkflowParts, ScheduledEmitParts {
  readonly store: Pick<
    Store,
    'workflows' | 'invocations' | 'executions' | 'events' | 'scheduledEmits' | 'sends' | 'flush'
  >;
  readonly workflows: Pick<Workflows, 'deploy' | 'update' | 'delete'>;
  readonly executions: Executions;
  readonly executionKeys: ExecutionKeys;
  readonly environment: Pick<Environment, 'mask'>;
  readonly endpointUrl: (id: string) => string;
  readonly resumeUrl: (token: string, action: 'resume' | 'cancel') => string;
}

export function workflowHandlers(parts: WorkflowHandlerParts): WorkflowHandlers {
  const { store, workflows, executions } = parts;
  const show = (record: WorkflowRecord): Workflow => presentWorkflow(parts, record);
  const start = async (
    workflowId: string,
    incoming: {
      readonly cause: 'manual' | 'replay';
      readonly trigger: Trigger;
      readonly replayOf?: number;
      readonly journal?: NewJournal | undefined;
      readonly wait: boolean | undefined;
    },
    signal: AbortSignal,
  ): Promise<WholeExecution> => {
    const { wait, ...rest } = incoming;
    let over: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      over = resolve;
    });
    const caller = {
      ended: over,
      failed: over,
      unanswered: (why: 'ended' | 'paused' | 'stopping') => {
        if (why !== 'ended') over();
      },
    };
    const { n, durable } = executions.accept(workflowId, { ...rest, caller });
    await durable;
    if (wait === true) {
      signal.addEventListener('abort', () => over(), { once: true });
      await ended;
    }
    return showWhole(parts, n);
  };
  return {
    'workflows.list': (params) => presentPage(store.workflows.list(pageRequest(params)), show),
    'workflows.get': ({ id }) => show(findWorkflow(store, id)),
    'workflows.deploy': async (params, context) => {
      const record = await workflows.deploy(params, context);
      if (params.debug === true) await debugWorkflow(parts, record, context);
      return show(record);
    },
    'workflows.check': ({ text }) => ({
      diagnostics: readWorkflow(text).diagnostics.map(({ endLine, endColumn, ...rest }) => ({
        ...rest,
        end_line: endLine,
        end_column: endColumn,
      })),
    }),
    'workflows.update': async ({ id, name, active }) =>
      show(await workflows.update(findWorkflow(store, id).id, { name, active })),
    'workflows.delete': async (params) => {
      const { id } = findWorkflow(store, params.id);
      parts.debugging.stop(id);
      await workflows.delete(id);
      return {};
    },
    'workflows.events': async (params) => {
      const { id } = findWorkflow(store, params.id);
      const { event_name: channel } = params;
      if (channel === scheduledChannel) {
        const page = await listScheduled(parts, id, params);
        return { ...page, data: page.data.map((shown) => asRawEvent(shown)) };
      }
      const page = await store.events.list(id, {
        ...pageRequest(params),
        ...(channel !== undefined && { channel }),
        dropped: params.include_dropped === true,
      });
      return presentPage(page, (record) =>
        asRawEvent(presentEvent(record, params.expand === 'event')),
      );
    },
    'workflows.errors': async (params) => {
      const { id } = findWorkflow(store, params.id);
      const page = await store.events.list(id, {
        ...pageRequest(params),
        channel: '$errors',
        dropped: false,
      });
      return presentPage(page, (record) => presentEvent(record, params.expand === 'event'));
    },
    'executions.list': async (params) => {
      const { id } = findWorkflow(store, params.id);
      const page = await store.invocations.list(id, pageRequest(params));
      const states = await store.executions.states(page.rows.map(({ n }) => n));
      return presentPage(page, (record) =>
        presentExecution(parts, executions.recordOf(record), states.get(record.n)),
      );
    },
    'executions.start': ({ id, event, wait }, { signal }) => {
      const json = event === undefined ? '{}' : JSON.stringify(event);
      const trigger: Trigger = { kind: 'event', json };
      return start(findWorkflow(store, id).id, { cause: 'manual', trigger, wait }, signal);
    },
    'executions.get': ({ id }) => showWhole(parts, executionNumber(id)),
    'executions.cancel': async ({ id }) => {
      const record = await findExecution(parts, id);
      if (!(await executions.cancel(record))) throw hasEnded(id);
      // The end of one that does not run is on its way to the store.
      await store.flush();
      return showExecution(parts, record.n);
    },
    'executions.resume': async ({ id, path, event }) => {
      const record = await findExecution(parts, id);
      const waiting = (await store.executions.steps(record.n)).filter(
        ({ status, ...step }) =>
          (status === 'paused' || status === 'retrying') &&
          (path === undefined || step.path === path),
      );
      const [only, ...others] = waiting;
      if (only === undefined || record.endedAt !== null) {
        throw new WeirError(
          'conflict',
          `${id} does not wait${path === undefined ? '' : ` at ${path}`}.`,
        );
      }
      if (others.length > 0) {
        const paths = waiting.map((step) => step.path).join(', ');
        throw new WeirError(
          'conflict',
          `Several steps of ${id} wait: give the path of one: ${paths}.`,
        );
      }
      const trigger: Trigger | undefined =
        event === undefined ? undefined : { kind: 'event', json: JSON.stringify(event) };
      const outcome = await executions.hit(
        { execution: record.n, path: only.path, run: hitRunOf(only) },
        'resume',
        trigger,
      );
      if (outcome !== 'taken') throw hasEnded(id);
      return showExecution(parts, record.n);
    },
    'executions.replay': async ({ id, wait, from_step: fromStep, props }, { signal }) => {
      const record = await findExecution(parts, id);
      const trigger = await store.invocations.trigger(record.n);
      if (trigger === undefined) {
        throw new WeirError('conflict', `What started ${id} is not kept: it cannot be replayed.`);
      }
      const replayOf = record.n;
      if (props !== undefined && fromStep === undefined) {
        throw new WeirError('bad_input', '"props" are those of the step in "from_step": name it.');
      }
      const { deploymentId } = findWorkflow(store, record.emitterId);
      const deployment = store.workflows.deployment(deploymentId);
      const journal =
        fromStep === undefined || deployment === undefined
          ? undefined
          : replayFrom(deployment, await store.executions.steps(record.n), {
              id,
              path: fromStep,
              ...(props !== undefined && { props, name: String(Date.now()) }),
            });
      return start(record.emitterId, { cause: 'replay', trigger, replayOf, journal, wait }, signal);
    },
  };
}

/** As the platform lists what a workflow emitted. */
function asRawEvent(shown: EmittedEvent): EmittedEvent {
  return { ...shown, event: { raw_event: shown.event } };
}

function executionNumber(id: string): number {
  const n = id.startsWith(executionPrefix) ? Number(id.slice(executionPrefix.length)) : Number.NaN;
  if (Number.isSafeInteger(n) && n > 0) return n;
  throw new WeirError('not_found', `There is no execution ${id}.`);
}

async function findExecution(parts: WorkflowHandlerParts, id: string): Promise<InvocationRecord> {
  const record = await parts.store.invocations.get(executionNumber(id));
  if (record === undefined || parts.store.workflows.get(record.emitterId) === undefined) {
    throw new WeirError('not_found', `There is no execution ${id}.`);
  }
  return record;
}

function hasEnded(id: string): WeirError {
  return new WeirError('conflict', `${id} has ended, or goes on already.`);
}

async function showExecution(parts: WorkflowHandlerParts, n: number): Promise<Execution> {
  const record = await findExecution(parts, `${executionPrefix}${n}`);
  const state = await parts.store.executions.state(n);
  return presentExecution(parts, parts.executions.recordOf(record), state);
}

async function showWhole(parts: WorkflowHandlerParts, n: number): Promise<WholeExecution> {
  const shown = await showExecution(parts, n);
  const rows = await parts.store.executions.stepsWithLogs(n);
  const trigger = await parts.store.invocations.trigger(n);
  const live = parts.executions.get(n);
  const running = [...(live?.running ?? [])].map(([path, step]) =>
    presentRunning(path, step, live?.leg ?? 1),
  );
  const sends = await parts.store.sends.ofExecution(n);
  return {
    ...shown,
    trigger: trigger === undefined ? null : presentTrigger(trigger),
    sends: sends.map((record) => presentSend(record, parts.environment)),
    steps: [...rows.map((row) => presentStep(parts, n, row)), ...running],
  };
}
