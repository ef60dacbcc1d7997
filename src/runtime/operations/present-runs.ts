/** What user code that was called outside any invocation said and gave, as every face shows it (pure). */
import type { ActionRun, Observation } from '../../protocol/catalogue.ts';
import { valueOfJson } from '../../protocol/json-text.ts';
import type { Called } from '../hosts/call-host.ts';

/** Its console lines, then what it threw. @param at epoch ms of the end */
export function presentObservations(
  { logs, error }: Pick<Called, 'logs' | 'error'>,
  at: number,
): Observation[] {
  const lines = logs.map((line): Observation => {
    return { k: 'console', ts: line.at, level: line.level, message: line.text };
  });
  if (error === undefined) return lines;
  const message = error.stack ?? `${error.name}: ${error.message}`;
  return [...lines, { k: 'error', ts: at, level: 'error', message }];
}

/** Of two exports of one name the last counts (P13.4). */
export function presentActionRun({ exports, result, logs, error }: Called): ActionRun {
  const values = new Map(exports.map(({ name, json }) => [name, valueOfJson(json)]));
  const summary = values.get('$summary');
  return {
    exports: Object.fromEntries(values),
    return_value: result === undefined ? null : valueOfJson(result),
    summary: summary === undefined || summary === null ? null : textOf(summary),
    logs: logs.map(({ at, level, text }) => ({ ts: at, level, text })),
    ...(error === undefined ? {} : { error }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
