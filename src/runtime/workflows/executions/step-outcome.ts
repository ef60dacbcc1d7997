/** From the result of a step to its row in the journal (pure). */
import type { ThrownError } from '../../../protocol/host.ts';
import type { Outcome } from '../../processes/outcome.ts';
import type { StepResult } from '../walk/walk.ts';
import type { StepRun } from '../../store/history/executions.ts';
import type { Execution } from './execution.ts';

/** The results that a step passes on: JSON texts. */
export interface HandedOn {
  /** An object of what it exported by name. */
  readonly exports: string;
  readonly returnValue?: string;
}

/** If two exports have one name, the last counts (P25.25). */
export function handedOn(outcome: Pick<Outcome, 'exports'>): HandedOn {
  const last = new Map<string, string>();
  for (const { name, json } of outcome.exports) last.set(name, json);
  const returnValue = last.get('$return_value');
  last.delete('$return_value');
  const exports = `{${[...last].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
  return returnValue === undefined ? { exports } : { exports, returnValue };
}

/** With another export in it. @param json text of the value */
export function withExport({ exports, ...rest }: HandedOn, name: string, json: string): HandedOn {
  const member = `${JSON.stringify(name)}:${json}`;
  return {
    ...rest,
    exports: exports === '{}' ? `{${member}}` : `${exports.slice(0, -1)},${member}}`,
  };
}

/** How a row decides about what comes next, where its exports do not: kept as JSON. */
export type Decision =
  | { readonly exit: { readonly reason: string | null } }
  | { readonly chosen: readonly string[] }
  | { readonly items: readonly string[] }
  | { readonly failed: { readonly continue: boolean } };

/** The result of a completed row for the walk. */
export function resultOf(run: Pick<StepRun, 'exports' | 'returnValue' | 'decision'>): StepResult {
  const decision = decisionOf(run);
  const exports = run.exports ?? '{}';
  if (decision !== undefined) {
    if ('chosen' in decision || 'items' in decision) return decision;
    if ('failed' in decision) return { failed: { ...decision.failed, exports } };
  }
  const { returnValue } = run;
  return {
    exports,
    ...(returnValue !== null && { returnValue }),
    ...(decision !== undefined && { exit: decision.exit }),
  };
}

/** The list that a loop went through, each item as JSON text; undefined of every other row. */
export function itemsOf(run: Pick<StepRun, 'decision'>): readonly string[] | undefined {
  const decision = decisionOf(run);
  return decision !== undefined && 'items' in decision ? decision.items : undefined;
}

/** It failed, and the execution continues: `on_error: continue`. */
export function isContinued(run: Pick<StepRun, 'decision'>): boolean {
  const decision = decisionOf(run);
  return decision !== undefined && 'failed' in decision && decision.failed.continue;
}

function decisionOf({ decision }: Pick<StepRun, 'decision'>): Decision | undefined {
  return decision === null ? undefined : (JSON.parse(decision) as Decision);
}

/** The error of a step, for the status of its execution. */
export function failureOf(
  { path, namespace }: { readonly path: string; readonly namespace: string },
  error: ThrownError,
): NonNullable<Execution['failure']> {
  return { namespace, error: { ...error, message: `${path}: ${error.message}` } };
}

/** The exports of a failed attempt that a retried step shows (P25.71). @param exports JSON text or null */
export function attemptExports(
  exports: string | null,
  attempt: number,
  { message }: ThrownError,
): string {
  const counted = withExport({ exports: exports ?? '{}' }, '$attempt', String(attempt));
  const summary = JSON.stringify(`Attempt ${attempt} failed: ${message}`);
  return withExport(counted, '$summary', summary).exports;
}
