/** The builder's edits, as changes of the text of `workflow.yaml` (pure). */
import { withStep, withStepMoved, withValue } from '../../workflow-file/edit.ts';
import { stepsIn, valueAt } from '../../workflow-file/steps-in.ts';
import { recentValues } from '../../workflow-file/recent-values.ts';
import type { Change, Control, NewStep, Path, Values } from '../../webview/builder/messages.ts';
import { isRecord } from '../../protocol/record.ts';

/** The values of a text that can be read; undefined of any other. */
export function valuesOf(text: string): unknown {
  const { root, problems } = recentValues(text);
  return problems.some(({ severity }) => severity === 'error') ? undefined : root?.value;
}

/** The name of a step or branch; "this" if it has no name. */
export function nameAt(text: string, at: Path): string {
  const value = valueAt(valuesOf(text), at);
  const named = isRecord(value) ? (value['namespace'] ?? value['name']) : undefined;
  return typeof named === 'string' ? named : 'this';
}

/** The first lines of an empty file; existing comments stay above them. */
export function begun(text: string, name: string): string {
  const above = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return withValue(`${above}schema: workflow/2022.04\nname: Workflow\n`, ['name'], name);
}

export function changed(text: string, changes: readonly Change[]): string {
  return changes.reduce((now, { path, value }) => withValue(now, path, value), text);
}

/** @param at the new place; missing lists on the way are made */
export function inserted(text: string, at: Path, item: Values): string {
  return withStep(text, at, item);
}

/** Moves a step or another item of a list; @returns the same text where it is in its place already */
export function moved(text: string, from: Path, to: Path): string {
  const index = from.at(-1);
  const sameList = JSON.stringify(from.slice(0, -1)) === JSON.stringify(to.slice(0, -1));
  if (sameList && (to.at(-1) === index || to.at(-1) === Number(index) + 1)) return text;
  return withStepMoved(text, from, to);
}

/** The place of an item after it was moved: removing it shifts the later items of the same list. */
export function placeAfterMove(from: Path, to: Path): Path {
  const list = from.slice(0, -1);
  const own = from.at(-1);
  const at = to[list.length];
  const isBehind =
    list.every((part, index) => to[index] === part) &&
    typeof at === 'number' &&
    typeof own === 'number' &&
    at > own;
  return isBehind ? to.with(list.length, at - 1) : to;
}

/** A copy of a step behind it, with names that are free. */
export function duplicated(text: string, path: Path): string {
  const root = valuesOf(text);
  const step = valueAt(root, path);
  if (!isRecord(step)) return text;
  const taken = namesIn(root);
  const behind = [...path.slice(0, -1), Number(path.at(-1)) + 1];
  return withStep(text, behind, renamed(step, taken));
}

function renamed(value: Values, taken: Set<string>): Values {
  const visit = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(visit);
    if (!isRecord(one)) return one;
    const copy = Object.fromEntries(Object.entries(one).map(([key, item]) => [key, visit(item)]));
    const { namespace } = one;
    if (typeof namespace !== 'string' || !('uses' in one || 'control' in one)) return copy;
    const free = freeName(namespace, taken);
    taken.add(free.toLowerCase());
    return { ...copy, namespace: free };
  };
  return visit(value) as Values;
}

/** The names of all steps, in lower case: folders are one on macOS and Windows that differ in case only. */
export function namesIn(root: unknown): Set<string> {
  return new Set(['trigger', ...[...stepsIn(root)].map((one) => one.namespace.toLowerCase())]);
}

/** The name itself, else with the first number that makes it free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name.toLowerCase())) return name;
  const stem = name.replace(/_\d+$/, '');
  for (let number = 1; ; number += 1) {
    const next = `${stem}_${number}`;
    if (!taken.has(next.toLowerCase())) return next;
  }
}

const nameOfControl: Readonly<Record<Control, string>> = {
  ifelse: 'if',
  switch: 'switch',
  parallel: 'parallel',
  each: 'each',
};

/** The name that a new step gets when it is free. */
export function nameFor(step: NewStep): string {
  if (step.kind === 'block') return `${nameOfControl[step.control]}_1`;
  if (step.kind !== 'component') return step.kind;
  const file = /([\w-]+)\/entry\.\w+$/.exec(step.uses)?.[1];
  const inPackage = /^npm:.*#(.+)$/.exec(step.uses)?.[1];
  const name = file ?? inPackage ?? step.uses.replace(/@[^@/]*$/, '').replace(/\.\w+$/, '');
  const word = (name.split(/[/\\]/).at(-1) ?? '').replaceAll(/\W+/g, '_').replace(/^_+|_+$/g, '');
  return /^[a-z_]/i.test(word) ? word : 'step';
}

/** The entry of a new step in the file. @param uses of a step that runs code */
export function newStep(step: NewStep, namespace: string, uses: string): Values {
  if (step.kind === 'block') return newBlock(step.control, namespace);
  if (step.kind === 'filter') {
    return {
      namespace,
      uses: `./${namespace}/entry.js`,
      props: {
        _filter: {
          continue: 'true',
          rules: { t: 'and', r: [{ a: '{{steps.trigger.event.body}}', op: 'exist' }] },
        },
      },
    };
  }
  const seconds = { delay: 60, suspend: 86_400 }[step.kind as string];
  const props = seconds === undefined ? {} : { props: { seconds } };
  return { namespace, uses, ...props };
}

function newBlock(control: Control, namespace: string): Values {
  const on = '{{steps.trigger.event.body}}';
  switch (control) {
    case 'ifelse':
      return {
        namespace,
        control,
        branches: [{ name: 'yes', when: { t: 'and', r: [{ a: on, op: 'exist' }] }, steps: [] }],
      };
    case 'switch':
      return { namespace, control, on, branches: [{ name: 'first', when: 'value', steps: [] }] };
    case 'parallel':
      return {
        namespace,
        control,
        branches: [
          { name: 'one', steps: [] },
          { name: 'two', steps: [] },
        ],
      };
    case 'each':
      return { namespace, control, on, steps: [] };
  }
}
