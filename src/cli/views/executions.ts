/** Executions of workflows, as a person reads them. */
import type {
  Execution,
  GivenResponse,
  Send,
  StepRun,
  WholeExecution,
} from '../../protocol/catalogue.ts';
import { whatWentOut } from '../../client/what-went-out.ts';
import { oneLine } from '../render/printable.ts';
import { type Column, table } from '../render/table.ts';
import { logText } from './events.ts';
import { fields, when } from './fields.ts';

export const executionColumns: readonly Column<Execution>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'CREATED', of: ({ created_at }) => when(created_at) },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'CAUSE', of: causeOf },
  { title: 'TIME', of: timeOf },
  { title: 'WHY', of: whyOf, shrinks: true },
];

const stepColumns: readonly Column<StepRun>[] = [
  { title: 'STEP', of: ({ path }) => path },
  { title: 'RUN', of: ({ run, attempt }) => (attempt > 1 ? `${run}, attempt ${attempt}` : run) },
  { title: 'STATUS', of: statusOf },
  { title: 'TIME', of: timeOf },
  { title: 'RESULT', of: resultOf, shrinks: true },
];

const propColumns: readonly Column<GivenProp>[] = [
  { title: 'STEP', of: ({ path }) => path },
  { title: 'PROP', of: ({ name }) => name },
  { title: 'VALUE', of: ({ value }) => textOf(value), shrinks: true },
];

const sendColumns: readonly Column<Send>[] = [
  { title: 'SENT BY', of: ({ path }) => path },
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'STATUS', of: ({ status }) => status.replace('_', ' ') },
  { title: 'TO', of: targetOf },
  { title: 'ANSWER', of: answerOf, shrinks: true },
];

type Request = WholeExecution['requests'][number];

const requestColumns: readonly Column<Request>[] = [
  { title: 'ASKED BY', of: ({ path }) => path },
  { title: 'STATUS', of: ({ status, error }) => (status === null ? error : String(status)) },
  { title: 'TIME', of: ({ duration_ms: ms }) => `${Math.round(ms)} ms` },
  { title: 'REQUEST', of: ({ method, url }) => `${method} ${url}`, shrinks: true },
];

/**
 * An execution with its steps as a table, what each was given, logged and threw, what was asked for, sent and answered.
 * @param width of the terminal
 */
export function executionText(execution: WholeExecution, width: number | undefined): string {
  const { steps, requests, sends, response } = execution;
  const head = fields({
    id: execution.id,
    status: execution.status,
    why: execution.reason ?? (execution.steps.length === 0 ? whyOf(execution) : null),
    cause: causeOf(execution),
    'replay of': execution.replay_of,
    workflow: execution.workflow_id,
    deployment: execution.deployment_id,
    trace: execution.trace_id,
    created: when(execution.created_at),
    time: timeOf(execution),
  });
  const props = steps.flatMap(propsOf);
  const logs = steps.flatMap(({ logs: lines }) => lines.map(logText));
  return [
    head,
    ...(steps.length === 0 ? [] : [table(stepColumns, steps, width)]),
    ...(props.length === 0 ? [] : [table(propColumns, props, width)]),
    ...(logs.length === 0 ? [] : [logs.join('\n')]),
    ...(requests.length === 0 ? [] : [table(requestColumns, requests, width)]),
    ...(sends.length === 0 ? [] : [table(sendColumns, sends, width)]),
    ...(response === null ? [] : [responseText(response)]),
    ...steps.flatMap(pauseLines),
  ].join('\n\n');
}

/** The last line of what `invoke` and `replay` print. */
export function outcomeText({ id, status, reason, error }: Execution): string {
  const why = error === null ? reason : `${error.name}: ${error.message}`;
  return `${id}  ${status}${why === null ? '' : `  ${oneLine(why)}`}`;
}

/** A step that has ended, with what it logged. */
export function stepText(step: StepRun): string {
  const about = [step.path, statusOf(step), timeOf(step), resultOf(step)];
  const parts = about.filter((part) => part !== null && part !== '').map(String);
  return [parts.map(oneLine).join('  '), ...step.logs.map((one) => `  ${logText(one)}`)].join('\n');
}

/** The sends, the response and the changes of a test, besides its steps. */
export function testText(execution: WholeExecution): string {
  const { sends, response } = execution;
  const outgoing = whatWentOut(execution);
  return [
    ...(sends.length === 0 ? [] : [table(sendColumns, sends, undefined)]),
    ...(response === null ? [] : [responseText(response)]),
    ...(outgoing === '' ? [] : [outgoing]),
    outcomeText(execution),
  ].join('\n');
}

/** Whether it succeeded, or can still continue. */
export function wentWell({ status }: Pick<Execution, 'status'>): boolean {
  return (
    status === 'succeeded' || status === 'queued' || status === 'running' || status === 'paused'
  );
}

function causeOf({ cause, request, test }: Execution): string {
  const by = request === null ? cause : `${request.method} ${request.path}`;
  return test ? `test, ${by}` : by;
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

function statusOf({ status, pinned }: StepRun): string {
  return pinned === null ? status : `pin ${pinned}`;
}

function resultOf({ error, pause, summary, return_value: value }: StepRun): string | null {
  if (error !== null) return `${error.name}: ${error.message}`;
  if (pause !== null) {
    const { kind, resumes_at: until } = pause;
    return until === null ? kind : `${kind} until ${when(until)}`;
  }
  return summary ?? (value === null ? null : JSON.stringify(value));
}

interface GivenProp {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
}

function propsOf({ path, run, attempt, props }: StepRun): GivenProp[] {
  // Only the first of several runs shows its props: the others mostly had the same.
  if (props === null || run > 1 || attempt > 1) return [];
  return Object.entries(props).map(([name, value]) => ({ path, name, value }));
}

function targetOf({ kind, sent }: Send): string | null {
  if (kind === 'http') return `${String(sent['method'])} ${String(sent['url'])}`;
  if (kind === 's3') return `${String(sent['bucket'])}/${String(sent['prefix'])}`;
  if (kind === 'sse') return `channel ${String(sent['channel'])}`;
  if (kind === 'trigger') return String(sent['workflow']);
  const to = sent['to'];
  // Mail without a recipient goes to the address of this setting.
  return typeof to === 'string' ? to : `smtp.to (${String(sent['subject'])})`;
}

function answerOf({ answer, error }: Send): string | null {
  if (error !== null) return `${error.name}: ${error.message}`;
  return answer === null ? null : textOf(answer);
}

function responseText({ path, status, body, body_encoding, body_bytes }: GivenResponse): string {
  const text = body_encoding === 'base64' ? `${body_bytes} bytes that are not text` : body;
  return fields({ response: `${status} by ${path}`, body: text === '' ? null : text });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function pauseLines({ path, pause }: StepRun): string[] {
  if (pause === null || pause.kind === 'retry') return [];
  const { resume_url: resume, cancel_url: cancel } = pause;
  return [fields({ [`${path} waits`]: pause.kind, resume, cancel })];
}
