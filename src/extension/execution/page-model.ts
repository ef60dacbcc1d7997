/** The data for the page of an execution (pure). */
import { hasFailed, isUnfinished } from '../../client/past-executions.ts';
import { isDeepStrictEqual } from 'node:util';
import { staleReason } from '../../client/stale-reason.ts';
import type { StepRun, WholeExecution } from '../../protocol/catalogue.ts';
import type {
  Details,
  ExecutionAction,
  ExecutionHead,
  StepAction,
  StepSummary,
  TriggerKey,
} from '../../webview/execution/messages.ts';
import { stackFrames, type StackFrame } from '../documents/stack-frames.ts';
import type { StaleSteps } from '../workflows/stale-marks.ts';
import { stateInWords, titleOfExecution } from '../workflows/execution-line.ts';
import { stepKey, stepInWords } from '../workflows/step-line.ts';

const triggerKey: TriggerKey = 'trigger';

/** Facts about the window that decide which actions are possible. */
export interface Abilities {
  /** Whether code of this workspace may run. */
  readonly isTrusted: boolean;
  /** Undefined once it was deleted. */
  readonly workflow: { readonly name: string } | undefined;
  /** Whether the code of a step is a file. */
  readonly hasCode: (step: StepRun) => boolean;
}

export function headOf(
  execution: WholeExecution,
  { isTrusted, workflow }: Abilities,
  now: number,
): ExecutionHead {
  const { trigger, request, status, test } = execution;
  const isOpen = isUnfinished(execution);
  const actions: (ExecutionAction | false)[] = [
    isOpen && 'cancelExecution',
    trigger !== null && workflow !== undefined && isTrusted && 'replay',
    hasFailed(execution) &&
      trigger !== null &&
      !test &&
      workflow !== undefined &&
      isTrusted &&
      'retryFailed',
    !isOpen && trigger !== null && workflow !== undefined && isTrusted && 'replayOnFiles',
    !isOpen && workflow !== undefined && isTrusted && 'saveTest',
    request !== null && 'copyCurl',
    workflow !== undefined && 'openWorkflowPage',
    workflow !== undefined && 'openWorkflow',
    'openText',
  ];
  return {
    id: execution.id,
    title: titleOfExecution(execution),
    workflow: workflow?.name ?? execution.workflow_id,
    status,
    words: stateInWords(execution, now) ?? null,
    test: execution.test,
    traceId: execution.trace_id,
    replayOf: execution.replay_of,
    createdAt: execution.created_at,
    startedAt: execution.started_at,
    endedAt: execution.ended_at,
    actions: actions.filter((action) => action !== false),
  };
}

/** @param stale of its steps those whose results are */
export function summariesOf(
  { steps }: WholeExecution,
  now: number,
  stale: StaleSteps = new Map(),
): StepSummary[] {
  const last = new Map(steps.map((step) => [step.path, step]));
  return steps.map((step) => ({
    isLast: last.get(step.path) === step,
    key: stepKey(step),
    path: step.path,
    run: step.run,
    attempt: step.attempt,
    status: step.status,
    continued: step.continued,
    startedAt: step.started_at,
    endedAt: step.ended_at,
    words: stepInWords(step, now) ?? null,
    pinned: step.pinned,
    stale: last.get(step.path) === step ? staleWords(stale, step) : null,
    pause: step.pause === null ? null : { resumesAt: step.pause.resumes_at },
  }));
}

/** How many of the sent step summaries are unchanged. */
export function unchanged(before: readonly StepSummary[], after: readonly StepSummary[]): number {
  const at = before.findIndex((one, index) => !isDeepStrictEqual(one, after[index]));
  return at === -1 ? Math.min(before.length, after.length) : at;
}

export interface DetailsOfRow {
  readonly details: Details;
  /** The frames behind the page's links. */
  readonly frames: readonly StackFrame[];
}

/** @returns undefined for a key of no row */
export function detailsOf(
  execution: WholeExecution,
  key: string,
  abilities: Abilities,
  stale: StaleSteps = new Map(),
): DetailsOfRow | undefined {
  if (key === triggerKey) return triggerDetails(execution);
  const step = execution.steps.find((one) => stepKey(one) === key);
  if (step === undefined) return undefined;
  const { requests, response, sends } = execution;
  const frames = stackFrames(step.error?.stack ?? '');
  const details: Details = {
    kind: 'step',
    step,
    stale: staleWords(stale, step),
    sends: sends.filter(({ path }) => path === step.path),
    requests: requests.filter(
      ({ path, run, attempt }) =>
        path === step.path && run === step.run && attempt === step.attempt,
    ),
    response: response?.path === step.path ? response : null,
    stackLinks: frames.map(({ start, end }) => ({ start, end })),
    actions: stepActions(execution, step, abilities),
  };
  return { details, frames };
}

function staleWords(stale: StaleSteps, { path, status }: StepRun): string | null {
  const found = status === 'running' ? undefined : stale.get(path);
  return found === undefined ? null : staleReason(found);
}

function triggerDetails({ trigger, cause, error, steps }: WholeExecution): DetailsOfRow {
  // An error thrown by a step names the step, and is shown at its row already.
  const isOfStep = steps.some(
    (step) => step.error !== null && error?.message.endsWith(step.error.message),
  );
  const own = isOfStep ? null : error;
  const frames = stackFrames(own?.stack ?? '');
  const stackLinks = frames.map(({ start, end }) => ({ start, end }));
  return { details: { kind: 'trigger', trigger, cause, error: own, stackLinks }, frames };
}

function stepActions(
  execution: WholeExecution,
  step: StepRun,
  { isTrusted, workflow, hasCode }: Abilities,
): StepAction[] {
  const waits = (step.status === 'paused' || step.status === 'retrying') && isUnfinished(execution);
  const mayRun = isTrusted && workflow !== undefined;
  // Steps inside a block run with the block.
  const mayRunAgain =
    mayRun &&
    step.path === step.namespace &&
    !execution.test &&
    !isUnfinished(execution) &&
    execution.trigger !== null;
  const actions: (StepAction | false)[] = [
    waits && mayRun && 'resumeExecution',
    waits && mayRun && (step.pause?.resumes_at ?? null) !== null && 'skipPause',
    step.pause !== null && 'copyResumeUrl',
    mayRun && !waits && step.status !== 'running' && 'runStep',
    mayRunAgain && 'runFromStep',
    mayRunAgain && step.props !== null && 'runFromStepWith',
    mayRun && step.status === 'succeeded' && 'pinStep',
    hasCode(step) && 'openCode',
  ];
  return actions.filter((action) => action !== false);
}
