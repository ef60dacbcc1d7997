/** A call of an agent, and a run of an action, as texts (pure). */
import type { AgentCall, WholeActionRun } from '../../protocol/catalogue.ts';
import { clock, section } from '../documents/run-report.ts';
import { formatDuration } from '../views/invocation-line.ts';

/** The caller, the arguments and the outcome of a call. */
export function agentCallReport(call: AgentCall): string {
  const { at, agent, key, tool, outcome, message, uri, ms } = call;
  const who = key === undefined ? agent : `${agent} (key ${key})`;
  return textOf([
    [`${tool} · ${who}`, [new Date(at).toLocaleString(), formatDuration(ms), outcome].join(' · ')],
    ...(message === undefined ? [] : [section('Message', [message], '')]),
    section('Arguments', [json(call.arguments)], ''),
    ...(uri === undefined ? [] : [section('Document', [uri], '')]),
  ]);
}

/** The values, output, exports, sends and end of an action's run. */
export function actionRunReport(run: WholeActionRun): string {
  const { id, name, key, version, agent, path, status, started_at: started, ended_at: ended } = run;
  const { configured_props: props, logs, exports, return_value: value, requests, error } = run;
  const of = [key, version].filter((part) => part !== null).join(' ');
  const exported = Object.entries(exports).map(([one, what]) => `${one}: ${json(what)}`);
  const values = Object.entries(props).map(([one, what]) => `${one}: ${json(what)}`);
  return textOf([
    [
      [name, of, id].filter((part) => part !== '').join(' · '),
      [
        new Date(started).toLocaleString(),
        ended === null ? undefined : formatDuration(ended - started),
        status,
      ]
        .filter((part) => part !== undefined)
        .join(' · '),
      ...(agent === null ? [] : [`Asked for by ${agent}`]),
      ...(path === null ? [] : [path]),
    ],
    section('Values', values, 'It ran without values.'),
    section(
      'Log',
      logs.map(({ ts, level, text }) => `${clock(ts)} [${level}] ${text}`),
      'The run printed nothing.',
    ),
    section('Requests', requests.map(requestLine), 'The run sent no requests.'),
    section('Exports', exported, 'The run exported nothing.'),
    ...(value === null || value === undefined ? [] : [section('Returned', [json(value)], '')]),
    ...(error === null
      ? []
      : [section('Error', [error.stack ?? `${error.name}: ${error.message}`], '')]),
  ]);
}

function requestLine(request: WholeActionRun['requests'][number]): string {
  const { method, url, response, error, duration_ms: ms } = request;
  const outcome = response === null ? (error ?? 'no answer') : `${response.status}`;
  return `${method} ${url} · ${outcome} · ${formatDuration(ms)}`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'undefined';
}

function textOf(parts: readonly (readonly string[])[]): string {
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
