import { UsageError } from '../usage-error.ts';

/** `k=v` arguments by name, in the order they were given; a name may come several times. */
export function parseAssignments(
  option: string,
  assignments: readonly string[],
): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const assignment of assignments) {
    const at = assignment.indexOf('=');
    if (at < 1) throw new UsageError(`${option} takes NAME=VALUE, not "${assignment}".`);
    const name = assignment.slice(0, at);
    values.set(name, [...(values.get(name) ?? []), assignment.slice(at + 1)]);
  }
  return values;
}
