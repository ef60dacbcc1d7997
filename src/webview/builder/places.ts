/** The places of a workflow's parts, and where they may move (pure). */
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
  // A value under a key is in no list.
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

/**
 * Where something of a text stands in the next one, that was moved, undone or typed beside: steps and branches are
 * known by their names, triggers by what they are.
 * @returns undefined when it is gone
 */
export function followed(
  before: Values | null,
  after: Values | null,
  path: Path,
): Path | undefined {
  const last = path.at(-1);
  if (last === undefined) return path;
  const key = path.at(-2);
  const was = valueAt(before, path) as Values | undefined;
  const is = valueAt(after, path) as Values | undefined;
  if (last === 'else' || key === 'branches') {
    const depth = last === 'else' ? 1 : 2;
    const block = followed(before, after, path.slice(0, -depth));
    const index =
      block && last !== 'else' ? indexOf(after, [...block, 'branches'], was, last) : last;
    const at =
      block && index !== undefined ? [...block, ...path.slice(-depth, -1), index] : undefined;
    return at && valueAt(after, at) !== undefined ? at : undefined;
  }
  if (key === 'triggers') {
    const isSame = is !== undefined && is['uses'] === was?.['uses'] && is['id'] === was?.['id'];
    return isSame ? path : undefined;
  }
  if (is !== undefined && is['namespace'] === was?.['namespace']) return path;
  const found = stepNamed(after?.['steps'], ['steps'], was?.['namespace']);
  // A step that is nowhere else was renamed in place, unless the step there now was elsewhere before.
  const isNew = stepNamed(before?.['steps'], ['steps'], is?.['namespace']) === undefined;
  return found ?? (is !== undefined && isNew ? path : undefined);
}

function indexOf(
  values: Values | null,
  list: Path,
  was: Values | undefined,
  index: string | number,
): number | undefined {
  const items = listOf(valueAt(values, list));
  const found = items.findIndex(({ name }) => name === was?.['name']);
  if (found >= 0) return found;
  return typeof index === 'number' && index < items.length ? index : undefined;
}

function stepNamed(value: unknown, list: Path, name: unknown): Path | undefined {
  for (const [index, step] of listOf(value).entries()) {
    const path = [...list, index];
    if (step['namespace'] === name) return path;
    const inner: Path[] = [
      [...path, 'steps'],
      ...listOf(step['branches']).map((_, at): Path => [...path, 'branches', at, 'steps']),
      [...path, 'else', 'steps'],
    ];
    for (const one of inner) {
      const found = stepNamed(valueAt(step, one.slice(path.length)), one, name);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
