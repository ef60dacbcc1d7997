import type { Execution, StepRun, WholeExecution, Workflow } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Trigger } from '../../protocol/host.ts';
import { valueOfJson } from '../../protocol/json-text.ts';
import type { StepDefinition } from '../../protocol/workflow.ts';
import type { WorkflowDeploymentRecord, WorkflowRecord } from '../store/configuration/workflows.ts';
import type { ExecutionState, NewJournal, StoredStepRun } from '../store/history/executions.ts';
import type { InvocationRecord } from '../store/history/invocations.ts';
import type { Store } from '../store/store.ts';
import type { Executions } from '../workflows/executions/executions.ts';
import { hitRunOf } from '../workflows/executions/journal.ts';
import type { RunningStep } from '../workflows/executions/execution.ts';
import type { ExecutionKeys } from '../workflows/executions/keys.ts';
import { replayFrom } from '../workflows/executions/replay.ts';
import type { Workflows } from '../workflows/lifecycle/workflows.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentLog, presentPage } from './present.ts';

type WorkflowHandlers = Pick<
  Handlers,
  | 'workflows.list'
  | 'workflows.get'
  | 'workflows.deploy'
  | 'workflows.update'
  | 'workflows.delete'
  | 'executions.list'
  | 'executions.start'
  | 'executions.get'
  | 'executions.cancel'
  | 'executions.resume'
  | 'executions.replay'
>;

export interface WorkflowHandlerParts {
  readonly store: Pick<Store, 'workflows' | 'invocations' | 'executions'>;
  readonly workflows: Pick<Workflows, 'deploy' | 'update' | 'delete'>;
  readonly executions: Executions;
  readonly executionKeys: ExecutionKeys;
  readonly endpointUrl: (id: string) => string;
  readonly resumeUrl: (token: string, action: 'resume' | 'cancel') => string;
}

const executionPrefix = 'exec_';

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
    'workflows.deploy': async (params, context) => show(await workflows.deploy(params, context)),
    'workflows.update': async ({ id, name, active }) =>
      show(await workflows.update(findWorkflow(store, id).id, { name, active })),
    'workflows.delete': async ({ id }) => {
      await workflows.delete(findWorkflow(store, id).id);
      return {};
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

/** By id or name slug. Throws `not_found`. */
export function findWorkflow(store: Pick<Store, 'workflows'>, idOrSlug: string): WorkflowRecord {
  const record = store.workflows.find(idOrSlug);
  if (record !== undefined) return record;
  throw new WeirError(
    'not_found',
    `There is no workflow "${idOrSlug}". List them with "weir list workflows".`,
  );
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
  const live = parts.executions.get(n);
  const running = [...(live?.running ?? [])].map(([path, step]) =>
    presentRunning(path, step, live?.leg ?? 1),
  );
  return { ...shown, steps: [...rows.map((row) => presentStep(parts, n, row)), ...running] };
}

function presentExecution(
  { executionKeys }: Pick<WorkflowHandlerParts, 'executionKeys'>,
  record: InvocationRecord,
  state: ExecutionState | undefined,
): Execution {
  return {
    id: `${executionPrefix}${record.n}`,
    workflow_id: record.emitterId,
    trace_id: executionKeys.traceId(record.n),
    status: record.status,
    reason: state?.reason ?? null,
    cause: record.cause,
    request: record.request,
    deployment_id: state === undefined || state.deploymentId === '' ? null : state.deploymentId,
    replay_of: record.replayOf === null ? null : `${executionPrefix}${record.replayOf}`,
    created_at: record.createdAt,
    started_at: record.startedAt,
    ended_at: record.endedAt,
    resumes_at: record.status === 'paused' ? (state?.wakeAt ?? null) : null,
    error: record.error,
  };
}

function presentStep(parts: WorkflowHandlerParts, n: number, row: StoredStepRun): StepRun {
  const exports = row.exports === null ? {} : (valueOfJson(row.exports) as Record<string, unknown>);
  const { $summary: summary } = exports;
  const { path, run, pause } = row;
  const token = parts.executionKeys.resumeToken({ execution: n, path, run });
  return {
    namespace: row.namespace,
    path,
    run,
    attempt: row.attempt,
    status: row.status,
    started_at: row.startedAt,
    ended_at: row.endedAt,
    leg: row.leg,
    exports,
    return_value: row.returnValue === null ? null : valueOfJson(row.returnValue),
    summary:
      summary === undefined || summary === null
        ? null
        : typeof summary === 'string'
          ? summary
          : JSON.stringify(summary),
    logs: row.logs.map(presentLog),
    error: row.error,
    pause:
      pause === null || (row.status !== 'paused' && row.status !== 'retrying')
        ? null
        : {
            kind: pause.kind,
            resumes_at: pause.dueAt,
            resume_url: parts.resumeUrl(token, 'resume'),
            cancel_url: parts.resumeUrl(token, 'cancel'),
          },
  };
}

function presentRunning(
  path: string,
  { run, attempt, startedAt }: RunningStep,
  leg: number,
): StepRun {
  return {
    namespace: path.split('.').at(-1) ?? path,
    path,
    run,
    attempt,
    status: 'running',
    started_at: startedAt,
    ended_at: null,
    leg,
    exports: {},
    return_value: null,
    summary: null,
    logs: [],
    error: null,
    pause: null,
  };
}

export function presentWorkflow(
  { store, endpointUrl }: Pick<WorkflowHandlerParts, 'store' | 'endpointUrl'>,
  record: WorkflowRecord,
): Workflow {
  const deployment = store.workflows.deployment(record.deploymentId);
  return {
    id: record.id,
    name: record.name,
    name_slug: record.slug,
    active: record.active,
    deployment_id: record.deploymentId,
    path: record.path,
    triggers: deployment === undefined ? [] : presentTriggers(record, deployment, endpointUrl),
    steps:
      deployment === undefined ? [] : presentSteps(deployment.definition.steps, '', deployment),
    created_at: Math.floor(record.createdAt / 1000),
    updated_at: Math.floor(record.updatedAt / 1000),
  };
}

function presentTriggers(
  record: WorkflowRecord,
  { definition }: WorkflowDeploymentRecord,
  endpointUrl: (id: string) => string,
): Workflow['triggers'] {
  return definition.triggers.map((trigger, place) => {
    const found = record.interfaces.find(({ prop }) => prop === String(place));
    const { type } = trigger;
    if (type === 'source' || type === 'workflow') return { id: trigger.emitterId, type };
    const id = found?.id ?? trigger.id ?? null;
    if (type === 'http' && found !== undefined) {
      const custom = trigger.response === 'workflow';
      return { id, type, endpoint_url: endpointUrl(found.id), custom_response: custom };
    }
    if (type === 'timer' && found !== undefined) {
      return {
        id,
        type,
        ...(found.cron !== undefined && { cron: found.cron }),
        ...(found.intervalSeconds !== undefined && { interval_seconds: found.intervalSeconds }),
        next_tick_at: found.nextAt ?? null,
      };
    }
    return { id, type };
  });
}

function presentSteps(
  steps: readonly StepDefinition[],
  above: string,
  deployment: WorkflowDeploymentRecord,
): Workflow['steps'] {
  return steps.flatMap((step) => {
    const path = above + step.namespace;
    const { namespace, disabled, line } = step;
    if (step.kind === 'action') {
      const componentId = deployment.components[step.uses] ?? null;
      const shown = { type: 'action', uses: step.uses, component_id: componentId } as const;
      return [{ namespace, path, disabled, line, ...shown }];
    }
    const shown = { type: 'block', uses: null, component_id: null } as const;
    return [
      { namespace, path, disabled, line, ...shown },
      ...step.branches.flatMap(({ name, steps: inner }) =>
        presentSteps(inner, `${path}.${name}.`, deployment),
      ),
      ...presentSteps(step.otherwise?.steps ?? [], `${path}.$else.`, deployment),
    ];
  });
}
