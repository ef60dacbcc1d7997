/** Results of tests for a terminal. */
import { relative } from 'node:path';
import type { Result } from '../../protocol/catalogue.ts';
import { oneLine } from '../render/printable.ts';

export interface TestEnd extends Result<'tests.run'> {
  /** Why it could not be run at all. */
  readonly error: string | null;
}

/** One completed test, with its differences. */
export function testEndText(end: TestEnd, cwd: string): string {
  const { subject, name, passed, updated, file, duration_ms: ms } = end;
  const mark = passed ? '✔' : '✖';
  const about = updated ? 'updated' : `${ms} ms`;
  const head = `${mark} ${oneLine(`${subject}: ${name}`)}  ${about}`;
  if (passed) return head;
  return [head, ...troubleOf(end).map((line) => `    ${line}`), `    ${relative(cwd, file)}`].join(
    '\n',
  );
}

/** What is wrong, one line each. */
export function troubleOf({ error, differences }: TestEnd): string[] {
  if (error !== null) return error.split('\n');
  return differences.flatMap(({ path, expected, got }) => [
    path,
    `  expected ${valueText(expected)}`,
    `  got      ${valueText(got)}`,
  ]);
}

const mostText = 2000;

function valueText(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > mostText ? `${text.slice(0, mostText)}…` : text;
}

/** @param all how many were found */
export function testSummary(ends: readonly TestEnd[], all: number): string {
  const passed = ends.filter((end) => end.passed).length;
  const left = all - ends.length;
  const notRun = left === 0 ? '' : `, ${left} not run`;
  return `${passed} passed, ${ends.length - passed} failed${notRun}`;
}
