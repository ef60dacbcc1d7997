/** Output and results of user code that was called outside any invocation, as every interface shows it (pure). */
import type { Observation } from '../../../protocol/catalogue.ts';
import type { Called } from '../../processes/call-host.ts';

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
