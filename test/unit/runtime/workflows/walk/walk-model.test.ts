/** The walk beside a model that says the rules plainly, over random files, results, orders and restarts. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BlockStep, StepDefinition } from '../../../../../src/protocol/workflow.ts';
import type { Outcome } from '../../../../../src/runtime/workflows/walk/outcome.ts';
import { parsePath } from '../../../../../src/protocol/step-path.ts';
import {
  Walk,
  type StepResult,
  type Task,
} from '../../../../../src/runtime/workflows/walk/walk.ts';
import { holds } from '../../../../support/holds.ts';
import { action, block, seen } from './definitions.ts';

/** Names are unique where they have to be, in their segment, and meet those around it. */
function stepsOf(depth: number, minLength = 0): fc.Arbitrary<StepDefinition[]> {
  const step = depth === 0 ? actionOf() : eitherOf(actionOf(), blockOf(stepsOf(depth - 1)));
  return fc
    .array(step, { minLength, maxLength: 4, size: 'max' })
    .map((made) => made.map((named, index) => named(`s${index}`)));
}

/** The second twice as often, however deep it stands. */
function eitherOf<T>(simple: fc.Arbitrary<T>, nested: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ depthSize: 'max' }, simple, { weight: 2, arbitrary: nested });
}

type Named = (namespace: string) => StepDefinition;

function actionOf(): fc.Arbitrary<Named> {
  return disabled().map((off) => (name) => action(name, { disabled: off }));
}

function blockOf(inside: fc.Arbitrary<StepDefinition[]>): fc.Arbitrary<Named> {
  const controls = fc.constantFrom('ifelse', 'switch', 'parallel', 'parallel', 'each', 'each');
  return fc
    .record({
      control: controls,
      branches: fc.array(inside, { minLength: 1, maxLength: 3, size: 'max' }),
      otherwise: fc.option(fc.record({ disabled: disabled(), steps: inside })),
      concurrency: fc.integer({ min: 1, max: 3 }),
      off: disabled(),
    })
    .map(({ control, branches, otherwise, concurrency, off }) => (name) => {
      const isChoice = control === 'ifelse' || control === 'switch';
      const named = branches.map((steps, index) => [`b${index}`, steps] as const);
      return block(
        control,
        name,
        control === 'each' ? { item: branches[0] ?? [] } : Object.fromEntries(named),
        { concurrency, disabled: off, ...(isChoice && otherwise !== null && { otherwise }) },
      );
    });
}

function disabled(): fc.Arbitrary<boolean> {
  return fc.nat({ max: 7 }).map((one) => one === 7);
}

/** What becomes of a step is a matter of its path, whenever it runs. */
type Answers = (path: string, step: StepDefinition) => StepResult;

const answers: fc.Arbitrary<Answers> = fc
  .record({
    seed: fc.integer(),
    failing: fc.constantFrom(0, 0.02, 0.1, 0.2),
    exiting: fc.constantFrom(0, 0, 0.05, 0.2),
  })
  .map(({ seed, failing, exiting }) => (path, step) => {
    const chance = (what: string) => fractionOf(`${seed} ${what} ${path}`);
    const exports = chance('exports') < 0.5 ? '{}' : JSON.stringify({ from: path });
    const value = chance('value') < 0.3 ? {} : { returnValue: JSON.stringify([path]) };
    if (chance('fails') < failing)
      return { failed: { continue: chance('continues') < 0.5, exports } };
    if (step.kind === 'action')
      return { exports, ...value, ...(chance('exits') < exiting && { exit: { reason: path } }) };
    if (step.control === 'each')
      return { items: Array.from({ length: Math.floor(chance('items') * 5) }, (_, n) => `${n}`) };
    const names = [...step.branches.map(({ name }) => name), '$else'];
    return { chosen: names.filter((name) => chance(name) < 0.75) };
  });

/** From 0 to 1 (FNV-1a). */
function fractionOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
    hash ^= hash >>> 15;
  }
  return (hash >>> 0) / 2 ** 32;
}

type Values = Record<string, unknown>;
/** What the rules say: what each step that can run sees, and what each block comes to that does. */
interface Model {
  readonly sees: Map<string, Values>;
  readonly cameTo: Map<string, Values>;
}

/** As if nothing stopped early: failures end their own segment only, and nothing exits. */
function modelOf(steps: readonly StepDefinition[], answer: Answers): Model {
  const model: Model = { sees: new Map(), cameTo: new Map() };
  runSegment(steps, '', {});
  return model;

  /** @returns what its last step came to; undefined when one failed */
  function runSegment(
    inside: readonly StepDefinition[],
    prefix: string,
    around: Values,
  ): Values | undefined {
    let scope = around;
    let last: Values = {};
    for (const step of inside.filter((one) => !one.disabled)) {
      const path = prefix + step.namespace;
      model.sees.set(path, scope);
      const result = answer(path, step);
      let value: Values | undefined;
      if ('failed' in result)
        value = result.failed.continue ? valuesOf({ exports: '{}', ...result.failed }) : undefined;
      else if ('exports' in result) value = valuesOf(result);
      else value = runBlock(step as BlockStep, path, result, scope);
      if (value === undefined) return undefined;
      last = value;
      scope = { ...scope, [step.namespace]: value };
    }
    return last;
  }

  function runBlock(
    step: BlockStep,
    path: string,
    opening: { readonly chosen?: readonly string[]; readonly items?: readonly string[] },
    scope: Values,
  ): Values | undefined {
    const { items = [], chosen = [] } = opening;
    const ways = [...step.branches].filter(({ name }) => chosen.includes(name));
    const runs = (steps: readonly StepDefinition[], name: string) =>
      runSegment(steps, `${path}.${name}.`, scope);
    let value: Values | undefined;
    if (step.control === 'each') {
      const values = items.map((item, index) => {
        const own = { [step.namespace]: { item: JSON.parse(item) as unknown, index } };
        return runSegment(step.branches[0]?.steps ?? [], `${path}[${index}].`, {
          ...scope,
          ...own,
        });
      });
      if (!values.includes(undefined))
        value = { $return_value: values.map((one) => one?.['$return_value'] ?? null) };
    } else if (step.control === 'parallel') {
      const entries = ways.map(({ name, steps: own }) => [name, runs(own, name)] as const);
      if (entries.every(([, one]) => one !== undefined))
        value = {
          $return_value: Object.fromEntries(
            entries.map(([name, one]) => [name, one?.['$return_value'] ?? null]),
          ),
        };
    } else if (ways[0] !== undefined) {
      value = runs(ways[0].steps, ways[0].name);
    } else if (chosen.includes('$else') && step.otherwise?.disabled === false) {
      value = runs(step.otherwise.steps, '$else');
    } else {
      value = {};
    }
    if (value !== undefined) model.cameTo.set(path, value);
    return value;
  }
}

function valuesOf({ exports, returnValue }: Outcome): Values {
  const values = JSON.parse(exports) as Values;
  if (returnValue !== undefined) values['$return_value'] = JSON.parse(returnValue);
  return values;
}

test('W6 W9 W15 W46 W47 W48 the walk runs what the rules say, and stands after a restart where it stood', async () => {
  const given = fc.record({
    steps: stepsOf(3, 2),
    answer: answers,
    order: fc.array(fc.nat(), { minLength: 1, maxLength: 50 }),
  });
  await holds(
    fc.property(given, ({ steps, answer, order }) => {
      const model = modelOf(steps, answer);
      const walk = new Walk(steps);
      /** Only ever told of what was committed, as after a crash at this point. */
      const replayed = new Walk(steps);
      const running = new Map<string, Task>();
      const ran: string[] = [];
      const cameTo = new Map<string, Values>();
      let failure: string | undefined;
      let exit: string | undefined;
      for (let turn = 0; walk.state === 'going'; turn++) {
        expectOneOfEachSegment(walk, running, steps);
        const ready = walk.ready();
        const choice = order[turn % order.length] ?? 0;
        if (ready.length > 0 && (running.size === 0 || choice % 3 > 0)) {
          const task = ready[choice % ready.length] as Task;
          expect(ran).not.toContain(task.path);
          expect(seen(walk, task.path)).toEqual(model.sees.get(task.path));
          walk.take(task);
          ran.push(task.path);
          running.set(task.path, task);
        } else {
          const { path, step } = [...running.values()][choice % running.size] as Task;
          expect(seen(walk, path)).toEqual(model.sees.get(path));
          const result = answer(path, step);
          running.delete(path);
          const blocks = walk.ended(path, result);
          expect(replayed.ended(path, result)).toEqual(blocks);
          for (const one of blocks)
            if (one.outcome !== undefined) cameTo.set(one.path, valuesOf(one.outcome));
          if (exit === undefined && 'failed' in result && !result.failed.continue) failure ??= path;
          if ('exit' in result) exit ??= path;
        }
        if (exit === undefined)
          expect(standsAt(replayed, [])).toEqual(standsAt(walk, running.keys()));
        else expect([...walk.ready(), ...replayed.ready()]).toEqual([]);
      }
      expect(running.size).toBe(0);
      expect(replayed.state).toBe(walk.state);
      expect(walk.failure?.path).toBe(failure);
      expect(walk.reason).toBe(exit ?? null);
      if (failure !== undefined) expect(walk.state).toBe('failed');
      else if (exit !== undefined) expect(walk.state).toBe('exited');
      else {
        expect(walk.state).toBe('succeeded');
        expect(ran.toSorted()).toEqual([...model.sees.keys()].toSorted());
        expect(cameTo).toEqual(model.cameTo);
      }
    }),
    300,
  );
});

/** What may start or runs, and what it sees. */
function standsAt(walk: Walk, running: Iterable<string>): string[] {
  const paths = [...walk.ready().map(({ path }) => path), ...running];
  return paths.map((path) => `${path} ${[...walk.scope(path)].join(' ')}`).toSorted();
}

/** One step of a segment at a time, never a block beside what is inside, and no more items than allowed. */
function expectOneOfEachSegment(
  walk: Walk,
  running: ReadonlyMap<string, Task>,
  steps: readonly StepDefinition[],
): void {
  const open = [...walk.ready(), ...running.values()].map(({ path }) => path);
  const segments = open.map((path) => path.slice(0, path.lastIndexOf('.') + 1));
  expect(new Set(segments).size).toBe(segments.length);
  const insideOf = (path: string) => [`${path}.`, `${path}[`];
  for (const inner of segments)
    expect(open.filter((path) => insideOf(path).some((start) => inner.startsWith(start)))).toEqual(
      [],
    );
  const items = new Map<string, Set<number>>();
  for (const path of open) {
    let loop = '';
    for (const part of parsePath(path)?.blocks ?? []) {
      loop += part.namespace;
      if ('index' in part) items.set(loop, (items.get(loop) ?? new Set()).add(part.index));
      loop += 'index' in part ? `[${part.index}].` : `.${part.branch}.`;
    }
  }
  for (const [loop, ofIt] of items)
    expect(ofIt.size).toBeLessThanOrEqual(concurrencyOf(steps, loop));
}

function concurrencyOf(steps: readonly StepDefinition[], path: string): number {
  let inside = steps;
  const { blocks = [], namespace } = parsePath(path) ?? {};
  for (const part of blocks) {
    const step = inside.find((one) => one.namespace === part.namespace) as BlockStep;
    const name = 'index' in part ? 'item' : part.branch;
    const branch = step.branches.find((one) => one.name === name) ?? step.otherwise;
    inside = branch?.steps ?? [];
  }
  return (inside.find((one) => one.namespace === namespace) as BlockStep).concurrency;
}
