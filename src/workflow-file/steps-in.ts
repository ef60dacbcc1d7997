/** The steps of a `workflow.yaml` as its values have them, whole or half written (pure). */
import { isRecord } from '../protocol/record.ts';
import { type Path } from './yaml-values.ts';

export interface StepPlace {
  /** Such as `['steps', 1, 'branches', 0, 'steps', 2]`. */
  readonly path: Path;
  readonly step: Readonly<Record<string, unknown>>;
  /** Empty where the file has none yet. */
  readonly namespace: string;
  /** The path of its runs without the items of loops: `if_1.yes.post`. */
  readonly runPath: string;
  /** The names that it reads: earlier steps of its own list and of those around it, and the loops it is in. */
  readonly sees: ReadonlySet<string>;
  /** Of these the loops it is in: what it reads of them is the item (W47). */
  readonly loops: ReadonlySet<string>;
}

/** A list of steps: its path, and the prefix of the run paths of its steps. */
interface List {
  readonly path: Path;
  readonly runPath: string;
}

/** What the steps of a list see from around it. */
type Around = Pick<StepPlace, 'sees' | 'loops'>;

/** Every step in the order of the text, blocks before what they hold. */
export function* stepsIn(root: unknown): Generator<StepPlace> {
  if (isRecord(root)) {
    const around = { sees: new Set(['trigger']), loops: new Set<string>() };
    yield* stepsOf(root['steps'], { path: ['steps'], runPath: '' }, around);
  }
}

function* stepsOf(value: unknown, list: List, around: Around): Generator<StepPlace> {
  if (!Array.isArray(value)) return;
  const sees = new Set(around.sees);
  const { loops } = around;
  for (const [index, step] of value.entries()) {
    if (!isRecord(step)) continue;
    const namespace = typeof step['namespace'] === 'string' ? step['namespace'] : '';
    const path = [...list.path, index];
    const runPath = `${list.runPath}${namespace}`;
    yield { path, step, namespace, runPath, sees: new Set(sees), loops };
    const within =
      step['control'] === 'each'
        ? { sees: new Set([...sees, namespace]), loops: new Set([...loops, namespace]) }
        : { sees, loops };
    for (const inner of listsOf(step, { path, runPath })) {
      yield* stepsOf(valueAt(step, inner.path.slice(path.length)), inner, within);
    }
    sees.add(namespace);
  }
}

/** The lists of steps that a block holds, in the order of the text as it is mostly written. */
function listsOf(step: Readonly<Record<string, unknown>>, { path, runPath }: List): List[] {
  const branches: readonly unknown[] = Array.isArray(step['branches']) ? step['branches'] : [];
  return [
    { path: [...path, 'steps'], runPath: `${runPath}.` },
    ...branches.map((branch, index) => ({
      path: [...path, 'branches', index, 'steps'],
      runPath: `${runPath}.${isRecord(branch) ? String(branch['name']) : ''}.`,
    })),
    { path: [...path, 'else', 'steps'], runPath: `${runPath}.$else.` },
  ];
}

/** What is at a path; undefined where there is nothing. */
export function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const part of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part))
      return undefined;
    found = (found as Record<PropertyKey, unknown>)[part];
  }
  return found;
}
