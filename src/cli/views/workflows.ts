/** Workflows and their executions, as a person reads them. */
import type { Execution, StepRun, WholeExecution, Workflow } from '../../protocol/catalogue.ts';
import { oneLine } from '../render/printable.ts';
import { type Column, table } from '../render/table.ts';
import { logText } from './events.ts';
import { fields, when } from './fields.ts';

export const workflowColumns: readonly Column<Workflow>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name_slug }) => name_slug, shrinks: true },
  { title: 'STATE', of: ({ active }) => (active ? 'active' : 'inactive') },
  { title: 'TRIGGER', of: ({ triggers }) => triggers.map(triggerText).join(', ') },
];

export const executionColumns: readonly Column<Execution>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'CREATED', of: ({ created_at }) => when(created_at) },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'CAUSE', of: ({ cause }) => cause },
  { title: 'TIME', of: timeOf },
  { title: 'WHY', of: whyOf, shrinks: true },
];

const stepColumns: readonly Column<StepRun>[] = [
  { title: 'STEP', of: ({ path }) => path },
  { title: 'RUN', of: ({ run, attempt }) => (attempt > 1 ? `${run}, attempt ${attempt}` : run) },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'TIME', of: timeOf },
  { title: 'RESULT', of: resultOf, shrinks: true },
];

export function workflowText(workflow: Workflow): string {
  return fields({
    id: workflow.id,
    name: workflow.name,
    slug: workflow.name_slug,
    active: workflow.active,
    ...triggerFields(workflow.triggers),
    steps: workflow.steps.map(({ path }) => path).join(', '),
    folder: workflow.path,
    deployment: workflow.deployment_id,
    created: when(workflow.created_at * 1000),
    updated: when(workflow.updated_at * 1000),
  });
}

/** What `deploy` and `update` tell of it. */
export function deployedText({ id, name, active, triggers }: Workflow): string {
  return fields({ id, name, active: active ? null : false, ...triggerFields(triggers) });
}

/**
 * An execution with its steps as a table, and what each logged and threw.
 * @param width of the terminal
 */
export function executionText(execution: WholeExecution, width: number | undefined): string {
  const { steps, request } = execution;
  const head = fields({
    id: execution.id,
    status: execution.status,
    why: execution.reason ?? (execution.steps.length === 0 ? whyOf(execution) : null),
    cause: request === null ? execution.cause : `${request.method} ${request.path}`,
    'replay of': execution.replay_of,
    workflow: execution.workflow_id,
    deployment: execution.deployment_id,
    trace: execution.trace_id,
    created: when(execution.created_at),
    time: timeOf(execution),
  });
  const logs = steps.flatMap(({ logs: lines }) => lines.map(logText));
  return [
    head,
    ...(steps.length === 0 ? [] : [table(stepColumns, steps, width)]),
    ...(logs.length === 0 ? [] : [logs.join('\n')]),
    ...steps.flatMap(pauseLines),
  ].join('\n\n');
}

/** The last line of what `invoke` and `replay` print. */
export function outcomeText({ id, status, reason, error }: Execution): string {
  const why = error === null ? reason : `${error.name}: ${error.message}`;
  return `${id}  ${status}${why === null ? '' : `  ${oneLine(why)}`}`;
}

/** Whether it went well, or will go on. */
export function wentWell({ status }: Pick<Execution, 'status'>): boolean {
  return status !== 'failed' && status !== 'crashed' && status !== 'timed_out' && !isOff(status);
}

function isOff(status: Execution['status']): boolean {
  return status === 'dropped' || status === 'cancelled';
}

type Trigger = Workflow['triggers'][number];

function triggerFields(triggers: readonly Trigger[]): Record<string, string> {
  const count = new Map<string, number>();
  return Object.fromEntries(
    triggers.map((trigger) => {
      const type = trigger.type === 'unknown' ? 'trigger' : trigger.type;
      const name = trigger.endpoint_url === undefined ? type : 'endpoint';
      const n = (count.get(name) ?? 0) + 1;
      count.set(name, n);
      return [n === 1 ? name : `${name} ${n}`, triggerText(trigger)];
    }),
  );
}

function triggerText({
  id,
  type,
  endpoint_url,
  cron,
  interval_seconds,
  next_tick_at,
}: Trigger): string {
  if (endpoint_url !== undefined) return endpoint_url;
  if (type !== 'timer') return type === 'unknown' ? `${id} needs setup` : (id ?? type);
  const often = cron ?? `every ${interval_seconds} s`;
  const next = next_tick_at ?? null;
  return next === null ? often : `${often}, next ${when(next)}`;
}

function timeOf({
  started_at,
  ended_at,
}: Pick<Execution, 'started_at' | 'ended_at'>): string | null {
  return started_at === null || ended_at === null ? null : `${ended_at - started_at} ms`;
}

function whyOf({ reason, error, resumes_at }: Execution): string | null {
  if (error !== null) return `${error.name}: ${error.message}`;
  return reason ?? (resumes_at === null ? null : `until ${when(resumes_at)}`);
}

function resultOf({ error, pause, summary, return_value: value }: StepRun): string | null {
  if (error !== null) return `${error.name}: ${error.message}`;
  if (pause !== null) {
    const { kind, resumes_at: until } = pause;
    return until === null ? kind : `${kind} until ${when(until)}`;
  }
  return summary ?? (value === null ? null : JSON.stringify(value));
}

function pauseLines({ path, pause }: StepRun): string[] {
  if (pause === null || pause.kind === 'retry') return [];
  const { resume_url: resume, cancel_url: cancel } = pause;
  return [fields({ [`${path} waits`]: pause.kind, resume, cancel })];
}
