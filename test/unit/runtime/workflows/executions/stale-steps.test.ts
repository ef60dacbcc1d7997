import { describe, expect, test } from 'vitest';
import type {
  ActionStep,
  BlockStep,
  StepDefinition,
} from '../../../../../src/protocol/workflow.ts';
import {
  staleStep,
  type StepVersion,
} from '../../../../../src/runtime/workflows/executions/stale-steps.ts';

const action = (namespace: string, props: ActionStep['props'] = {}): ActionStep => ({
  kind: 'action',
  namespace,
  disabled: false,
  line: 1,
  uses: `./${namespace}/entry.ts`,
  props,
  onError: 'stop',
});
const each = (namespace: string, on: unknown, steps: readonly StepDefinition[]): BlockStep => ({
  kind: 'block',
  namespace,
  disabled: false,
  line: 1,
  control: 'each',
  on,
  branches: [{ name: 'item', when: { is: 'always' }, steps }],
  concurrency: 1,
});
const parallel = (namespace: string, left: StepDefinition, right: StepDefinition): BlockStep => ({
  kind: 'block',
  namespace,
  disabled: false,
  line: 1,
  control: 'parallel',
  branches: [
    { name: 'left', when: { is: 'always' }, steps: [left] },
    { name: 'right', when: { is: 'always' }, steps: [right] },
  ],
  concurrency: 1,
});
/** @param changed code that is another one, by `uses` */
const version = (steps: readonly StepDefinition[], ...changed: string[]): StepVersion => ({
  steps,
  codeOf: (uses) => (changed.includes(uses) ? `new ${uses}` : uses),
});

describe('of steps in a row', () => {
  const before = version([action('a'), action('b'), action('c')]);

  test('nothing has changed', () => {
    const moved = [action('a'), action('b'), action('c')].map((step) => ({ ...step, line: 9 }));
    for (const path of ['a', 'b', 'c']) {
      expect(staleStep(before, version(moved), path)).toBeUndefined();
    }
  });

  test.each([
    ['its code', version(before.steps, './b/entry.ts'), 'code'],
    ['its props', version([action('a'), action('b', { to: 1 }), action('c')]), 'props'],
  ] as const)('%s: what comes after it is stale, too', (_what, now, because) => {
    expect(staleStep(before, now, 'a')).toBeUndefined();
    expect(staleStep(before, now, 'b')).toEqual({ because, of: null });
    expect(staleStep(before, now, 'c')).toEqual({ because: 'upstream', of: 'b' });
  });

  test.each([
    ['put in', [action('a'), action('new'), action('b'), action('c')], 'new'],
    ['taken out', [action('b'), action('c')], 'a'],
    ['switched off', [{ ...action('a'), disabled: true }, action('b'), action('c')], 'a'],
    ['moved', [action('b'), action('a'), action('c')], 'b'],
  ])('a step that was %s is named', (_what, steps, of) => {
    expect(staleStep(before, version(steps), 'c')).toEqual({ because: 'upstream', of });
  });

  test('code that cannot be built is another one', () => {
    const broken: StepVersion = { steps: before.steps, codeOf: () => undefined };
    expect(staleStep(before, broken, 'a')).toEqual({ because: 'code', of: null });
  });

  test('of a step that is not there any more nothing is said', () => {
    expect(staleStep(before, version([action('a')]), 'c')).toBeUndefined();
  });
});

describe('of blocks', () => {
  const before = version([
    each('loop', '{{event.items}}', [action('in'), action('next')]),
    parallel('both', action('l'), action('r')),
    action('last'),
  ]);

  test('each item has the step of the file', () => {
    const now = version(before.steps, './in/entry.ts');
    expect(staleStep(before, now, 'loop[7].in')).toEqual({ because: 'code', of: null });
    const upstream = { because: 'upstream', of: 'loop.in' };
    expect(staleStep(before, now, 'loop[7].next')).toEqual(upstream);
    expect(staleStep(before, now, 'loop')).toEqual(upstream);
    expect(staleStep(before, now, 'last')).toEqual(upstream);
  });

  test('the list of a loop', () => {
    const [, ...others] = before.steps;
    const now = version([each('loop', '{{event.all}}', [action('in'), action('next')]), ...others]);
    expect(staleStep(before, now, 'loop')).toEqual({ because: 'props', of: null });
    expect(staleStep(before, now, 'loop[0].in')).toEqual({ because: 'upstream', of: 'loop' });
  });

  test('what runs beside a step is not before it', () => {
    const now = version(before.steps, './l/entry.ts');
    expect(staleStep(before, now, 'both.left.l')).toEqual({ because: 'code', of: null });
    expect(staleStep(before, now, 'both.right.r')).toBeUndefined();
    expect(staleStep(before, now, 'last')).toEqual({ because: 'upstream', of: 'both.left.l' });
  });
});
