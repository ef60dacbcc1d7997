/** The data for the page of a workflow (pure). */
import { failedSince, hasFailed, isUnfinished, retryChains } from '../../client/past-executions.ts';
import type { Execution, Pin, Workflow } from '../../protocol/catalogue.ts';
import { parsePath, withoutItems } from '../../protocol/step-path.ts';
import type {
  FailureGroup,
  Point,
  WorkflowAction,
  WorkflowPage,
} from '../../webview/workflow/messages.ts';
import { firstLine, stateInWords, titleOfExecution } from '../workflows/execution-line.ts';

/** How many executions are drawn. */
export const mostPoints = 100;
/** How many groups of failures are listed. */
const mostGroups = 10;

export interface WorkflowPageParts {
  /** Key of the runtime. */
  readonly runtime: string;
  readonly workflow: Workflow;
  /** The newest, newest first. */
  readonly executions: readonly Execution[];
  readonly total: number;
  readonly pins: readonly Pin[];
  /** Whether code of this workspace may run. */
  readonly isTrusted: boolean;
}

/** @param now epoch ms */
export function workflowPage(parts: WorkflowPageParts, now: number): WorkflowPage {
  const { runtime, workflow, executions, total, pins, isTrusted } = parts;
  const live = executions.filter((one) => !one.test);
  const points = live.slice(0, mostPoints).map((one) => pointOf(one, now));
  const open = executions.filter(isUnfinished).map((one) => pointOf(one, now));
  const failures = failureGroups(live, workflow);
  const actions: (WorkflowAction | false)[] = [
    isTrusted && 'runWithEvent',
    isTrusted && failures.some((group) => group.open.length > 0) && 'retryFailed',
    isTrusted && points.length > 0 && 'replayOnFiles',
    open.length > 0 && 'cancelAllExecutions',
    pins.length > 0 && 'managePins',
    'openInBuilder',
    'openWorkflow',
  ];
  return {
    subject: { runtime, workflowId: workflow.id },
    name: workflow.name,
    active: workflow.active,
    triggers: workflow.triggers.map(triggerInWords),
    total,
    points: points.toReversed(),
    open,
    failures,
    pins,
    actions: actions.filter((action) => action !== false),
  };
}

function pointOf(execution: Execution, now: number): Point {
  const { id, status, created_at: at, started_at: started, ended_at: ended } = execution;
  return {
    id,
    title: titleOfExecution(execution),
    status,
    words: stateInWords(execution, now) ?? null,
    at,
    took: started === null || ended === null ? null : ended - started,
  };
}

function triggerInWords(trigger: Workflow['triggers'][number]): string {
  const { type, endpoint_url: url, cron, interval_seconds: seconds, id } = trigger;
  if (url !== undefined) return url;
  if (cron !== undefined) return `cron ${cron}`;
  if (seconds !== undefined) return `every ${seconds} s`;
  return id === null ? type : `${type} ${id}`;
}

/** By step and error. @param live newest first, without tests */
export function failureGroups(
  live: readonly Execution[],
  { steps }: Pick<Workflow, 'steps'>,
): FailureGroup[] {
  const names = new Set(steps.map(({ namespace }) => namespace));
  const chains = retryChains(live);
  const groups = new Map<string, Omit<FailureGroup, 'open' | 'retries'> & { ids: string[] }>();
  for (const one of live) {
    if (!hasFailed(one)) continue;
    const { step, error } = faultOf(one, names);
    const key = `${step ?? ''}\n${error.replaceAll(/\d+/g, '0')}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { step, error, ids: [one.id], at: one.created_at });
    } else group.ids.push(one.id);
  }
  const oldestFirst = failedSince(live, 0).map(({ id }) => id);
  return [...groups.values()].slice(0, mostGroups).map((group) => {
    const own = group.ids.flatMap((id) => chains.get(id) ?? []);
    const left = new Set(
      own.filter(({ state }) => state === 'open').map(({ retried }) => retried.id),
    );
    const isGood = own.every(({ state }) => state === 'good');
    return {
      ...group,
      open: oldestFirst.filter((id) => left.has(id)),
      retries: isGood ? 'good' : left.size > 0 ? 'open' : 'pending',
    };
  });
}

/** An error thrown by a step begins with the step's path. */
function faultOf(
  { error, reason, status }: Execution,
  names: ReadonlySet<string>,
): Pick<FailureGroup, 'step' | 'error'> {
  if (error === null) return { step: null, error: reason ?? status.replace('_', ' ') };
  const message = firstLine(error.message);
  const at = message.indexOf(': ');
  const path = at === -1 ? undefined : parsePath(message.slice(0, at));
  if (path === undefined || !names.has(path.namespace)) {
    return { step: null, error: `${error.name}: ${message}` };
  }
  const step = withoutItems(message.slice(0, at));
  return { step, error: `${error.name}: ${message.slice(at + 2)}` };
}
