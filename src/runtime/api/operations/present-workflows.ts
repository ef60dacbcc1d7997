/** Workflows and their executions as every face shows them (pure). */
import type { ApiServices } from './api-services.ts';
import type {
  Execution,
  GivenResponse,
  StepRun,
  WholeExecution,
  Workflow,
} from '../../../protocol/catalogue.ts';
import type { ThrownError } from '../../../protocol/host.ts';
import { executionPrefix } from '../../../protocol/ids.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import { own } from '../../../protocol/own.ts';
import type { StepDefinition } from '../../../protocol/workflow.ts';
import type { Environment } from '../../accounts/environment/environment.ts';
import { presentProps } from '../../components/props/present.ts';
import type {
  WorkflowDeploymentRecord,
  WorkflowRecord,
} from '../../store/configuration/workflows.ts';
import type {
  ExecutionState,
  StepRequestsRecord,
  StoredStepRun,
  LiveStep,
} from '../../store/history/executions.ts';
import type { InvocationRecord } from '../../store/history/invocations.ts';
import type { SendRecord } from '../../store/history/sends.ts';
import type { UsesStore } from '../../store/store.ts';
import { parsePath } from '../../../protocol/step-path.ts';
import { isContinued, itemsOf } from '../../workflows/executions/step-outcome.ts';
import { stepAt } from '../../workflows/executions/step-path.ts';
import type { OutgoingReport } from '../../workflows/tests/outgoing.ts';
import { stepDefinition } from '../../workflows/lifecycle/step-props.ts';
import type { Outcome } from '../../workflows/walk/outcome.ts';
import { presentDebugState } from './present-debug.ts';
import { presentLog } from './present.ts';

export interface PresentExecutionParts extends Pick<ApiServices, 'executionKeys'> {
  readonly environment: Pick<Environment, 'mask'>;
}

export function presentExecution(
  { executionKeys, environment }: PresentExecutionParts,
  record: InvocationRecord,
  state: ExecutionState | undefined,
): Execution {
  return {
    id: `${executionPrefix}${record.n}`,
    workflow_id: record.emitterId,
    trace_id: executionKeys.traceId(record.n),
    status: record.status,
    reason:
      state?.reason === undefined ? null : (environment.mask.value(state.reason) as string | null),
    cause: record.cause,
    request: record.request,
    deployment_id: state === undefined || state.deploymentId === '' ? null : state.deploymentId,
    replay_of: record.replayOf === null ? null : `${executionPrefix}${record.replayOf}`,
    test: state !== undefined && state.test !== null,
    created_at: record.createdAt,
    started_at: record.startedAt,
    ended_at: record.endedAt,
    resumes_at: record.status === 'paused' ? (state?.wakeAt ?? null) : null,
    error: masked(record.error, environment),
  };
}

/** Values of environment variables are never shown (W50). */
function masked(
  error: ThrownError | null,
  { mask }: Pick<Environment, 'mask'>,
): ThrownError | null {
  return mask.value(error) as ThrownError | null;
}

export interface PresentStepParts
  extends UsesStore<'workflows' | 'components'>, Pick<ApiServices, 'executionKeys' | 'resumeUrl'> {
  readonly environment: Pick<Environment, 'mask'>;
}

/** @param block the result of a block that has ended */
export function presentStep(
  parts: PresentStepParts,
  n: number,
  row: StoredStepRun,
  state: ExecutionState | undefined,
  block?: Outcome,
): StepRun {
  const { mask } = parts.environment;
  const exportsJson = block?.exports ?? row.exports;
  const returnJson = block?.returnValue ?? row.returnValue;
  const exports =
    exportsJson === null ? {} : (mask.value(valueOfJson(exportsJson)) as Record<string, unknown>);
  const { $summary: summary } = exports;
  const { path, run, pause } = row;
  const token = parts.executionKeys.resumeToken({ execution: n, path, run });
  return {
    namespace: row.namespace,
    path,
    run,
    attempt: row.attempt,
    status: row.status,
    continued: row.status === 'failed' && isContinued(row),
    started_at: row.startedAt,
    ended_at: row.endedAt,
    leg: row.leg,
    pinned: own(state?.test?.pins, row.namespace)?.name ?? null,
    props: presentStepProps(parts, row, state),
    exports,
    return_value: returnJson === null ? null : mask.value(valueOfJson(returnJson)),
    summary:
      summary === undefined || summary === null
        ? null
        : typeof summary === 'string'
          ? summary
          : JSON.stringify(summary),
    logs: row.logs.map(presentLog),
    error: masked(row.error, parts.environment),
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

/** A step run that has not ended. */
export function presentRunning({ path, run, attempt, startedAt }: LiveStep, leg: number): StepRun {
  return {
    namespace: parsePath(path)?.namespace ?? path,
    path,
    run,
    attempt,
    status: 'running',
    continued: false,
    started_at: startedAt,
    ended_at: null,
    leg,
    pinned: null,
    props: null,
    exports: {},
    return_value: null,
    summary: null,
    logs: [],
    error: null,
    pause: null,
  };
}

/** Without what was sent and answered. @param rows of the execution */
export function presentRequests(
  rows: readonly Pick<StoredStepRun, 'seq' | 'path' | 'run' | 'attempt'>[],
  records: readonly StepRequestsRecord[],
): WholeExecution['requests'] {
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return records.flatMap(({ seq, requests }) => {
    const row = bySeq.get(seq);
    if (row === undefined) return [];
    const { path, run, attempt } = row;
    return requests.map(({ at, duration_ms, method, url, response, error }) => ({
      path,
      run,
      attempt,
      at,
      duration_ms,
      method,
      url,
      status: response?.status ?? null,
      error,
    }));
  });
}

/** @param report undefined of what is not a test, and of one of before this runtime started */
export function presentOutgoing(
  report: OutgoingReport | undefined,
  { mask }: Pick<Environment, 'mask'>,
): Pick<WholeExecution, 'outgoing'> {
  if (report === undefined) return {};
  return { outgoing: { ...report, held: report.held.map((sentence) => mask.text(sentence)) } };
}

export function presentSend(
  { n, path, send, status, answer, error, createdAt, endedAt }: SendRecord,
  { mask }: Pick<Environment, 'mask'>,
): WholeExecution['sends'][number] {
  const { kind, ...sent } = mask.value(send) as SendRecord['send'];
  return {
    id: `send_${n}`,
    path,
    kind,
    status,
    sent,
    answer: answer === null ? null : mask.value(valueOfJson(answer)),
    error: masked(error, { mask }),
    created_at: createdAt,
    ended_at: endedAt,
  };
}

/**
 * The props of a step: as its run kept them if the file has expressions, otherwise as in the file. For a loop its list,
 * as `on`.
 * @returns null for another block, a pin, and if neither is known any more
 */
function presentStepProps(
  { store, environment }: PresentStepParts,
  row: StoredStepRun,
  state: ExecutionState | undefined,
): Record<string, unknown> | null {
  if (row.props !== null) {
    return environment.mask.value(valueOfJson(row.props)) as Record<string, unknown>;
  }
  const items = itemsOf(row);
  if (items !== undefined) return { on: environment.mask.value(items.map(valueOfJson)) };
  const deployment = store.workflows.deployment(state?.deploymentId ?? '');
  const step = deployment && stepAt(deployment.definition.steps, row.path);
  if (step?.kind !== 'action' || own(state?.test?.pins, row.namespace) !== undefined) return null;
  const saved = store.components.get(own(deployment?.components, step.uses) ?? '');
  const override = state?.override?.path === row.path ? state.override.props : {};
  const given = { ...step.props, ...override };
  // Without a run there is nothing to evaluate them with.
  if (saved === undefined || JSON.stringify(given).includes('{{')) return null;
  return environment.mask.value(
    presentProps(stepDefinition(saved.definition, step), given, {}),
  ) as Record<string, unknown>;
}

/** @param kept JSON text, as the store has it */
export function presentResponse(
  kept: string | null,
  { mask }: Pick<Environment, 'mask'>,
): GivenResponse | null {
  return kept === null ? null : (mask.value(valueOfJson(kept)) as GivenResponse);
}

export interface PresentWorkflowParts
  extends
    UsesStore<'workflows'>,
    Pick<ApiServices, 'endpointUrl' | 'debugging' | 'executionKeys'> {}

export function presentWorkflow(
  { store, endpointUrl, debugging, executionKeys }: PresentWorkflowParts,
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
    stream_url: endpointUrl(executionKeys.streamAddress(record.id)),
    debug: presentDebugState(debugging.find(record.id)),
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
