/** Runs of actions by themselves, as a person reads them. */
import type { ActionRun, KeptActionRun, WholeActionRun } from '../../protocol/catalogue.ts';
import { indented } from '../render/printable.ts';
import { type Column, table } from '../render/table.ts';
import { logText } from './events.ts';
import { fields, when } from './fields.ts';

export const actionRunColumns: readonly Column<KeptActionRun>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STARTED', of: ({ started_at }) => when(started_at) },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'ACTION', of: ({ key, name }) => key ?? name },
  { title: 'AGENT', of: ({ agent }) => agent },
  { title: 'WHY', of: ({ error }) => error && `${error.name}: ${error.message}`, shrinks: true },
];

const requestColumns: readonly Column<WholeActionRun['requests'][number]>[] = [
  {
    title: 'STATUS',
    of: ({ response, error }) => (response === null ? error : String(response.status)),
  },
  { title: 'TIME', of: ({ duration_ms: ms }) => `${Math.round(ms)} ms` },
  { title: 'REQUEST', of: ({ method, url }) => `${method} ${url}`, shrinks: true },
];

/** @param width of the terminal */
export function wholeActionRunText(run: WholeActionRun, width: number | undefined): string {
  const { requests, configured_props: props } = run;
  const named = [run.name, run.key, run.version].filter((part) => part !== null);
  const head = fields({
    id: run.id,
    action: named.join(', '),
    file: run.path,
    agent: run.agent,
    started: when(run.started_at),
    time: run.ended_at === null ? null : `${run.ended_at - run.started_at} ms`,
    ...Object.fromEntries(Object.entries(props).map(([name, value]) => [`prop ${name}`, value])),
  });
  return [
    head,
    ...(requests.length === 0 ? [] : [table(requestColumns, requests, width)]),
    run.status === 'running' || run.status === 'crashed' || run.status === 'cancelled'
      ? run.status
      : actionRunText({ ...run, error: run.error ?? undefined }),
  ].join('\n\n');
}

/** Log lines, exports, the return value, then the summary or the error as the last line. */
export function actionRunText(run: Omit<ActionRun, 'id'>): string {
  const { logs, exports, return_value: value, summary, error } = run;
  const named = Object.entries(exports).filter(([name]) => name !== '$summary');
  const returned: typeof named = value === null ? [] : [['$return_value', value]];
  return [
    ...logs.map(logText),
    ...[...named, ...returned].map(([name, one]) => `${name}: ${JSON.stringify(one, null, 2)}`),
    error === undefined ? `succeeded${summary === null ? '' : `: ${summary}`}` : failure(error),
  ].join('\n');
}

function failure(error: NonNullable<ActionRun['error']>): string {
  const { message, stack, configuration } = error;
  return `failed: ${indented(configuration === true ? message : (stack ?? message))}`;
}
