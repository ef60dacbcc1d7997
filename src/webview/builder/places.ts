/** Where things of a workflow stand, and where they may go (pure). */
import type { Path, Values } from './messages.ts';
import { valueAt } from './own-fields.ts';
import { textOf } from '../prop-form/values.ts';

/** A place for a step, in words. */
export interface Place {
  readonly path: Path;
  readonly label: string;
}

/** Every place that a step may be moved to: not into itself, and not where it is. */
export function placesFor(values: Values | null, from: Path): Place[] {
  return [...placesIn(values?.['steps'], ['steps'], '')].filter(
    ({ path }) => !startsWith(path, from) && !isOwn(path, from),
  );
}

function* placesIn(value: unknown, list: Path, above: string): Generator<Place> {
  const steps = listOf(value);
  for (const [index, step] of steps.entries()) {
    const path = [...list, index];
    const name = textOf(step['namespace']);
    yield { path, label: `${above}before ${name}` };
    if (step['control'] === 'each')
      yield* placesIn(step['steps'], [...path, 'steps'], `${above}${name} › `);
    for (const [at, branch] of listOf(step['branches']).entries()) {
      const within = `${above}${name} › ${textOf(branch['name'])} › `;
      yield* placesIn(branch['steps'], [...path, 'branches', at, 'steps'], within);
    }
    if (step['else'] !== undefined) {
      const inner = [...path, 'else', 'steps'];
      yield* placesIn(valueAt(step, ['else', 'steps']), inner, `${above}${name} › else › `);
    }
  }
  yield { path: [...list, steps.length], label: `${above}at the end` };
}

/** In front of itself, and behind itself. */
function isOwn(path: Path, from: Path): boolean {
  if (path.length !== from.length || !startsWith(path.slice(0, -1), from.slice(0, -1)))
    return false;
  return path.at(-1) === from.at(-1) || path.at(-1) === Number(from.at(-1)) + 1;
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((part, index) => path[index] === part);
}

/** Where something of a list goes that is moved up or down by one; undefined at the end of its list. */
export function neighbour(values: Values | null, path: Path, by: -1 | 1): Path | undefined {
  const list = path.slice(0, -1);
  const to = Number(path.at(-1)) + by;
  // What stands under a key is in no list.
  if (!Number.isInteger(to) || to < 0 || to >= listOf(valueAt(values, list)).length)
    return undefined;
  return [...list, by === 1 ? to + 1 : to];
}

export function listOf(value: unknown): readonly Values[] {
  if (!Array.isArray(value)) return [];
  // A half written entry is an empty one: it is shown, and can be filled or removed.
  return value.map((entry: unknown) =>
    typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? (entry as Values) : {},
  );
}
