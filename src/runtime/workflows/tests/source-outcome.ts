/** The part of a source's run that a test compares (pure). */
import type { DryRun } from '../../../protocol/catalogue.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';

/** By the name of the prop: keys to values. */
export type DbContents = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface SourceOutcome {
  readonly status: DryRun['status'];
  readonly error: string | null;
  readonly emits: DryRun['emits'];
  /** After the run: all of it, not what it wrote alone. */
  readonly db: DbContents;
  readonly response: Readonly<Record<string, unknown>> | null;
}

/** @param before what its db had when it began */
export function sourceOutcomeOf(
  { status, error, emits, db, response }: DryRun,
  before: DbContents,
): SourceOutcome {
  const after = new Map(
    Object.entries(before).map(([prop, contents]) => [prop, new Map(Object.entries(contents))]),
  );
  for (const { prop, key, value } of db) {
    const contents = after.get(prop) ?? new Map<string, unknown>();
    after.set(prop, contents);
    if (value === null) contents.delete(key);
    else contents.set(key, value);
  }
  return {
    status,
    error: error === null ? null : `${error.name}: ${error.message}`,
    emits,
    db: Object.fromEntries(
      [...after].map(([prop, contents]) => [prop, Object.fromEntries(contents)]),
    ),
    response:
      response === null
        ? null
        : { status: response.status, headers: response.headers, body: valueOfJson(response.body) },
  };
}

/** The repeatable part of an outcome: times of emits differ from run to run. */
export function withoutTimes(outcome: SourceOutcome): SourceOutcome {
  return { ...outcome, emits: outcome.emits.map(({ ts: _ts, ...emit }) => emit) };
}
