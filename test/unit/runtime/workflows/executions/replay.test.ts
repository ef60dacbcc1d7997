import { describe, expect, it } from 'vitest';
import type { Pin, StepRun } from '../../../../../src/runtime/store/history/executions.ts';
import {
  pinnedRow,
  pinsBeside,
  replayFrom,
} from '../../../../../src/runtime/workflows/executions/replay.ts';
import { readWorkflow } from '../../../../../src/runtime/workflows/file/read.ts';

const action = (namespace: string) => ({ namespace, uses: `./${namespace}/entry.mjs` });

function deploymentOf(steps: readonly object[]) {
  const file = { schema: 'workflow/2022.04', name: 'Replayed', steps };
  const { definition } = readWorkflow(JSON.stringify(file));
  if (definition === undefined) throw new Error('The file cannot be read.');
  return { id: 'd_1', definition };
}

const three = deploymentOf(['one', 'two', 'three'].map(action));
const branched = deploymentOf([
  action('one'),
  {
    namespace: 'choose',
    control: 'ifelse',
    branches: [{ name: 'yes', when: true, steps: [action('inner'), action('last')] }],
  },
]);

const pin = (value: unknown): Pin => ({
  name: 'kept',
  exports: '{}',
  returnValue: JSON.stringify(value),
});

function row(seq: number, path: string, more: Partial<StepRun> = {}): StepRun {
  return { ...pinnedRow({ path, namespace: path }, pin(`${path} ran`), 5), seq, ...more };
}

const shown = ({ steps }: { readonly steps: readonly StepRun[] }) =>
  steps.map(({ seq, path, returnValue }) => [seq, path, returnValue]);

describe('the journal of an execution that goes on from a step', () => {
  it('has what ended before that step', () => {
    const rows = [row(1, 'one'), row(2, 'two'), row(3, 'three')];
    const journal = replayFrom(three, rows, { id: 'exec_1', path: 'three' });
    expect(shown(journal)).toEqual([
      [1, 'one', '"one ran"'],
      [2, 'two', '"two ran"'],
    ]);
  });

  it('has pins in place of results, and where there are none', () => {
    const from = { path: 'three', at: 7 };
    const both = { one: pin(1), two: pin(2) };
    const pinned = [
      [1, 'one', '1'],
      [2, 'two', '2'],
    ];
    expect(shown(replayFrom(three, [], { ...from, pins: both }))).toEqual(pinned);
    const rows = [row(1, 'one'), row(2, 'two', { status: 'failed' })];
    expect(shown(replayFrom(three, rows, { ...from, id: 'exec_1', pins: both }))).toEqual(pinned);
    const one = replayFrom(three, [row(1, 'one'), row(2, 'two')], {
      ...from,
      id: 'exec_1',
      pins: { one: pin('pinned') },
    });
    expect(shown(one)).toEqual([
      [1, 'one', '"pinned"'],
      [2, 'two', '"two ran"'],
    ]);
  });

  it('goes into a block by what chose its branch', () => {
    const rows = [
      row(1, 'one'),
      row(2, 'choose', { exports: null, returnValue: null, decision: '{"chosen":["yes"]}' }),
    ];
    const journal = replayFrom(branched, rows, {
      id: 'exec_1',
      path: 'choose.yes.last',
      pins: { inner: pin('pinned') },
    });
    expect(journal.steps.map(({ path }) => path)).toEqual(['one', 'choose', 'choose.yes.inner']);
  });

  it.each([
    ['nothing ran yet', [], undefined, /There are no results of one yet, which comes before three/],
    ['it did not come so far', [row(1, 'one')], 'exec_1', /no results of two in exec_1/],
    [
      'it failed before',
      [row(1, 'one'), row(2, 'two', { status: 'failed' })],
      'exec_1',
      /exec_1 did not come to a step three/,
    ],
    [
      'a step is gone',
      [row(1, 'zero'), row(2, 'one')],
      'exec_1',
      /no results of|zero is not there any more/,
    ],
  ])('says what is missing where %s', (_what, rows, id, sentence) => {
    const from = { path: 'three', ...(id !== undefined && { id }) };
    expect(() => replayFrom(three, rows, from)).toThrow(sentence);
  });
});

describe('the pins beside a step', () => {
  it('are not its own, nor those of the blocks around it', () => {
    const all = { one: pin(1), choose: pin(2), inner: pin(3), last: pin(4) };
    expect(Object.keys(pinsBeside('choose.yes.last', all))).toEqual(['one', 'inner']);
    expect(Object.keys(pinsBeside('one', all))).toEqual(['choose', 'inner', 'last']);
  });
});
