/** Steps of a file as what runs, and what is wrong with their names and branches (pure). */
import type {
  ActionStep,
  BlockStep,
  Branch,
  Condition,
  Rules,
  StepDefinition,
} from '../../../protocol/workflow.ts';
import { isRecord } from '../../../protocol/record.ts';
import { checkProps } from './props.ts';
import type { Report } from './report.ts';
import { checkRules, filterRules } from './rules.ts';
import type { ActionInFile, BlockInFile, BranchInFile, StepInFile } from './schema.ts';
import { stepCodeOf } from './uses.ts';
import type { Path } from '../../../workflow-file/yaml-values.ts';

const defaultBackoffMs = 1000;

interface Context {
  readonly report: Report;
  /** 1-based. */
  readonly lineOf: (path: Path) => number;
  /** Every name in the file, and `trigger`. */
  readonly names: ReadonlySet<string>;
}

export function readSteps(
  steps: readonly StepInFile[],
  report: Report,
  lineOf: (path: Path) => number,
): StepDefinition[] {
  const names = new Set(['trigger', ...namesIn(steps)]);
  return readList(steps, ['steps'], new Map(), { report, lineOf, names });
}

function* namesIn(steps: readonly StepInFile[]): Generator<string> {
  for (const step of steps) {
    yield step.namespace;
    if (step.control === undefined) continue;
    yield* namesIn(step.steps ?? []);
    yield* namesIn(step.else?.steps ?? []);
    for (const branch of step.branches ?? []) yield* namesIn(branch.steps ?? []);
  }
}

/** A step that a name is taken by: how it is written, and its line. */
type Taken = ReadonlyMap<string, { readonly namespace: string; readonly line: number }>;

/** @param above the names of the lists around this one, in lower case: `steps.<name>` has to mean one step */
function readList(
  steps: readonly StepInFile[],
  path: Path,
  above: Taken,
  context: Context,
): StepDefinition[] {
  const taken = new Map(above);
  const lines = steps.map((_, index) => context.lineOf([...path, index]));
  for (const [index, { namespace }] of steps.entries()) {
    const line = lines[index] ?? 0;
    const other = taken.get(namespace.toLowerCase());
    const at = [...path, index, 'namespace'];
    if (other === undefined) taken.set(namespace.toLowerCase(), { namespace, line });
    else if (other.namespace === namespace) {
      const message = `The step in line ${other.line} is called "${namespace}" too: give one of them another name.`;
      context.report('error', at, message);
    } else {
      const message = `"${namespace}" and "${other.namespace}" (line ${other.line}) differ in case only, and their folders are one on macOS and Windows: give one of them another name.`;
      context.report('warning', at, message);
    }
  }
  return steps.map((step, index) => {
    const at = [...path, index];
    return step.control === undefined
      ? readAction(step, at, context)
      : readBlock(step, at, taken, context);
  });
}

function readAction(
  step: ActionInFile,
  path: Path,
  { report, lineOf, names }: Context,
): ActionStep {
  const { namespace, uses, retry, runtime } = step;
  const disabled = step.disabled === true;
  const code = stepCodeOf(uses);
  if ('wrong' in code) {
    // A step that does not run need not be runnable.
    report(disabled ? 'warning' : 'error', [...path, 'uses'], `"uses" ${code.wrong}.`);
  }
  const props = step.props ?? {};
  checkProps(props, [...path, 'props'], names, report);
  const rules = filterRules(props);
  if (rules !== undefined) {
    const at = [...path, 'props', '_filter', 'rules'];
    checkRules(rules, at, report, disabled ? 'warning' : 'error');
  }
  return {
    kind: 'action',
    namespace,
    disabled,
    line: lineOf(path),
    uses,
    ...(typeof runtime === 'string' && { runtime }),
    props,
    ...(retry !== undefined && {
      retry: { max: retry.max, backoffMs: retry.backoff_ms ?? defaultBackoffMs },
    }),
    onError: step.on_error ?? 'stop',
  };
}

/** The keys that only some kinds of blocks have. */
const keysOf = {
  ifelse: ['branches', 'else'],
  switch: ['on', 'branches', 'else'],
  parallel: ['branches'],
  each: ['on', 'steps', 'concurrency'],
} as const;

const keysOfAny = ['on', 'branches', 'else', 'steps', 'concurrency'] as const;

function readBlock(block: BlockInFile, path: Path, above: Taken, context: Context): BlockStep {
  const { namespace, control, on } = block;
  const { report, names } = context;
  const own: readonly string[] = keysOf[control];
  for (const key of keysOfAny) {
    if (block[key] !== undefined && !own.includes(key)) {
      const message = `"${key}" has no effect in "control: ${control}", which has ${own.map((name) => `"${name}"`).join(', ')}.`;
      report('warning', [...path, key], message, true);
    }
  }
  if (own.includes('on')) {
    if (on === undefined || on === null) {
      const what =
        control === 'each' ? 'the list' : 'the value that the branches are compared with';
      report(
        'error',
        path,
        `"control: ${control}" needs "on": ${what}, as in on: "{{steps.trigger.event.body}}".`,
      );
    } else checkProps({ on }, path, names, report);
  }
  const withElse = own.includes('else') ? block.else : undefined;
  return {
    kind: 'block',
    namespace,
    disabled: block.disabled === true,
    line: context.lineOf(path),
    control,
    ...(own.includes('on') && on !== undefined && on !== null && { on }),
    branches:
      control === 'each'
        ? [readItem(block, path, above, context)]
        : readBranches(block, path, above, context),
    ...(withElse !== undefined && {
      otherwise: {
        disabled: withElse.disabled === true,
        steps: readList(withElse.steps ?? [], [...path, 'else', 'steps'], above, context),
      },
    }),
    concurrency: control === 'each' ? (block.concurrency ?? 1) : 1,
  };
}

function readItem(block: BlockInFile, path: Path, above: Taken, context: Context): Branch {
  const steps = block.steps ?? [];
  if (steps.length === 0) {
    context.report('error', path, '"control: each" needs "steps": what is done with each item.');
  }
  return {
    name: 'item',
    when: { is: 'always' },
    steps: readList(steps, [...path, 'steps'], above, context),
  };
}

function readBranches(block: BlockInFile, path: Path, above: Taken, context: Context): Branch[] {
  const branches = block.branches ?? [];
  if (branches.length === 0) {
    const message = `"control: ${block.control}" needs "branches", each with "name"${block.control === 'parallel' ? '' : ', "when"'} and "steps".`;
    context.report('error', path, message);
  }
  const names = new Set<string>();
  return branches.map((branch, index) => {
    const at = [...path, 'branches', index];
    if (names.has(branch.name)) {
      const message = `Two branches are called "${branch.name}": give one of them another name.`;
      context.report('error', [...at, 'name'], message);
    }
    names.add(branch.name);
    return {
      name: branch.name,
      when: readCondition(branch, block.control, at, context),
      steps: readList(branch.steps ?? [], [...at, 'steps'], above, context),
    };
  });
}

/**
 * `always` and `never` are words of `ifelse` and `parallel`; a `switch` compares with them as with any other text.
 * A branch of `parallel` without a condition always runs.
 */
function readCondition(
  { when }: BranchInFile,
  control: BlockInFile['control'],
  path: Path,
  { report, names }: Context,
): Condition {
  if (when === undefined || (when === null && control !== 'switch')) {
    if (control === 'parallel') return { is: 'always' };
    const what =
      control === 'switch'
        ? 'the value that "on" has to equal'
        : 'an expression, rules, or "always"';
    report('error', path, `A branch of "control: ${control}" needs "when": ${what}.`);
    return { is: 'never' };
  }
  if (control !== 'switch' && (when === 'always' || when === 'never')) return { is: when };
  const at = [...path, 'when'];
  checkProps({ when }, path, names, report);
  if (!isRecord(when) || (when['t'] === undefined && when['r'] === undefined)) {
    return { is: 'value', value: when };
  }
  checkRules(when, at, report, 'error');
  return { is: 'rules', rules: when as unknown as Rules };
}
