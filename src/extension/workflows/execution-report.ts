import type {
  GivenResponse,
  Send,
  StepRun,
  StoredTrigger,
  WholeExecution,
} from '../../protocol/catalogue.ts';
import { durationOfExecution, stateInWords, titleOfExecution } from './execution-line.ts';
import { durationOfStep, stepInWords, titleOfStep } from './step-line.ts';

/** An execution as text, and the place of each of its steps in it. */
export interface ExecutionReport {
  readonly text: string;
  /** Line of the heading of each step, from 0, in the order of the steps. */
  readonly stepLines: readonly number[];
}

/** The trigger, then each step with its return value, exports and output, and how the execution ended. */
export function executionReport(
  execution: WholeExecution,
  workflowName: string,
  now: number,
): ExecutionReport {
  const lines = [
    `${titleOfExecution(execution)} · ${workflowName} · ${execution.id}`,
    [
      new Date(execution.started_at ?? execution.created_at).toLocaleString(),
      execution.status.replace('_', ' '),
      stateInWords(execution, now),
      durationOfExecution(execution),
    ]
      .filter((part, at, all) => part !== undefined && all.indexOf(part) === at)
      .join(' · '),
    `Trace ${execution.trace_id}`,
    ...(execution.replay_of === null ? [] : [`Replay of ${execution.replay_of}`]),
    ...(execution.test
      ? [
          'A test of the files as they were: nothing was emitted, delivered or scheduled; requests and data store writes of its steps were real',
        ]
      : []),
    '',
    ...triggerLines(execution.trigger),
  ];
  const stepLines: number[] = [];
  for (const step of execution.steps) {
    lines.push('');
    stepLines.push(lines.length);
    lines.push(...stepText(step, now));
  }
  lines.push(
    ...requestLines(execution.requests),
    ...sendLines(execution.sends),
    ...responseLines(execution.response),
  );
  const { error } = execution;
  // An error thrown by a step names the step, and is shown there already.
  const isOfStep = execution.steps.some(
    (step) => step.error !== null && error?.message.endsWith(step.error.message),
  );
  if (error !== null && !isOfStep) {
    lines.push('', 'Error', ...indented(error.stack ?? `${error.name}: ${error.message}`, 2));
  }
  return { text: `${lines.join('\n')}\n`, stepLines };
}

const marks: Record<StepRun['status'], string> = {
  running: '▶',
  succeeded: '✔',
  failed: '✖',
  retrying: '↻',
  // Not every font has the sign of a pause.
  paused: '‖',
  cancelled: '⊘',
};

function stepText(step: StepRun, now: number): string[] {
  const { exports: all, return_value: value, error, pause, props, pinned } = step;
  // A thrown error is also in the log.
  const logs = step.logs.filter(({ text }) => text !== error?.stack);
  const { $summary: _summary, ...exported } = all;
  const words = stepInWords(step, now);
  const about = [
    pinned === null ? step.status : `pin ${pinned}`,
    durationOfStep(step),
    words === step.status ? undefined : words,
  ];
  const heading = about.filter((part) => part !== undefined).join(' · ');
  return [
    `${marks[step.status]} ${titleOfStep(step)} · ${heading}`,
    ...(props === null || Object.keys(props).length === 0 ? [] : part('Props', json(props))),
    ...(value === null || value === undefined ? [] : part('Return value', json(value))),
    ...Object.entries(exported).flatMap(([name, one]) => part(`Export ${name}`, json(one))),
    ...(logs.length === 0
      ? []
      : part(
          'Log',
          logs.map(({ ts, level, text }) => `${clock(ts)} [${level}] ${text}`).join('\n'),
        )),
    ...(error === null ? [] : part('Error', error.stack ?? `${error.name}: ${error.message}`)),
    ...(pause === null
      ? []
      : part('Waits', `Resume: ${pause.resume_url}\nCancel: ${pause.cancel_url}`)),
  ];
}

function requestLines(requests: WholeExecution['requests']): string[] {
  if (requests.length === 0) return [];
  const lines = requests.map(({ path, method, url, status, error }) => {
    const came = status === null ? (error ?? '') : String(status);
    return `${method} ${url} · ${came} · of ${path}`;
  });
  return ['', 'Requests', ...indented(lines.join('\n'), 2)];
}

function sendLines(sends: readonly Send[]): string[] {
  if (sends.length === 0) return [];
  const lines = sends.map(({ kind, path, status, sent, answer, error }) => {
    const came = error === null ? (answer === null ? '' : json(answer)) : error.message;
    const head = `${kind} of ${path} · ${status.replace('_', ' ')}`;
    return [head, ...indented([json(sent), came].filter((text) => text !== '').join('\n'), 2)];
  });
  return ['', 'Sent', ...indented(lines.flat().join('\n'), 2)];
}

function responseLines(response: GivenResponse | null): string[] {
  if (response === null) return [];
  const { path, status, headers, body, body_encoding: encoding, body_bytes: bytes } = response;
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  const text = encoding === 'utf8' ? body : `(${bytes} bytes that are not text)`;
  const all = [`${status} by ${path}`, ...fields, ...(text === '' ? [] : ['', text])];
  return ['', 'Response', ...indented(all.join('\n'), 2)];
}

function part(title: string, text: string): string[] {
  return [`  ${title}`, ...indented(text, 4)];
}

/** The received trigger; a request as HTTP writes it. */
function triggerLines(trigger: StoredTrigger | null): string[] {
  if (trigger === null) return ['Trigger', '  It is no longer kept.'];
  switch (trigger.kind) {
    case 'http': {
      const { method, url, headers, body, body_encoding: encoding, body_bytes: bytes } = trigger;
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const text = encoding === 'utf8' ? body : `(${bytes} bytes that are not text)`;
      const request = [`${method} ${url}`, ...fields, ...(text === '' ? [] : ['', text])];
      return ['Request', ...indented(request.join('\n'), 2)];
    }
    case 'timer':
      return ['Tick', ...indented(new Date(trigger.timestamp * 1000).toLocaleString(), 2)];
    case 'event':
      return ['Event', ...indented(json(trigger.event), 2)];
    default:
      return trigger satisfies never;
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'null';
}

function indented(text: string, by: number): string[] {
  return text.split(/\r?\n/).map((line) => (line === '' ? '' : ' '.repeat(by) + line));
}

/** Local time with milliseconds. */
function clock(at: number): string {
  const time = new Date(at).toLocaleTimeString([], { hour12: false });
  return `${time}.${String(at % 1000).padStart(3, '0')}`;
}
