import { expect, test } from 'vitest';
import type { StepSummary } from '../../../../src/webview/execution/messages.ts';
import {
  failedSteps,
  firstSelection,
  firstState,
  withMessage,
  withSelected,
} from '../../../../src/webview/execution/state.ts';
import { moveIn } from '../../../../src/webview/execution/timeline/keys.ts';
import { rowsOf, statusOf, timelineTree } from '../../../../src/webview/execution/timeline/tree.ts';
import {
  drawn,
  rowHeight,
  scrolledTo,
} from '../../../../src/webview/execution/timeline/virtual-rows.ts';
import { took } from '../../../../src/webview/shared/quantities.ts';

function step(path: string, part: Partial<StepSummary> = {}): StepSummary {
  return {
    key: `${path} ${part.run ?? 1} ${part.attempt ?? 1}`,
    path,
    run: 1,
    attempt: 1,
    isLast: true,
    status: 'succeeded',
    continued: false,
    startedAt: 0,
    endedAt: 1,
    words: null,
    pinned: null,
    stale: null,
    pause: null,
    ...part,
  };
}

const shown = (steps: readonly StepSummary[], toggled: readonly string[] = [], filter = '') =>
  rowsOf(timelineTree(steps), new Set(toggled), filter).map(
    ({ node, level }) => `${'  '.repeat(level - 1)}${node.name}`,
  );

const nested = [
  step('first'),
  step('if_1.yes.post'),
  step('if_1.yes.each_1[1].deep', { status: 'failed' }),
  step('if_1.yes.each_1[0].deep'),
  step('if_1.yes.each_1', { status: 'failed' }),
  step('if_1', { status: 'failed' }),
  step('a%2Eb'),
];

test('a block is what its steps are: its own run is only its beginning', () => {
  const [block] = timelineTree([
    step('if_1', { endedAt: 3 }),
    step('if_1.yes.wait', { status: 'paused', startedAt: 4, endedAt: 9 }),
  ]);
  expect(block && [statusOf(block), block.to]).toEqual(['paused', 9]);
});

test('a failure that the execution went on from is counted, and does not fail the block', () => {
  const [block] = timelineTree([
    step('each_1'),
    step('each_1[0].post', { status: 'failed', continued: true }),
    step('each_1[1].post'),
  ]);
  expect(block && [statusOf(block), block.failed]).toEqual(['succeeded', 1]);
});

test('what ran in a branch or for an item stands below its block, items in their order', () => {
  expect(shown(nested)).toEqual([
    'first',
    'if_1',
    '  yes',
    '    post',
    '    each_1',
    '      [0]',
    '        deep',
    '      [1]',
    '        deep',
    'a.b',
  ]);
});

test('a filter shows what fits, with what it is in', () => {
  expect(shown(nested, [], 'post')).toEqual(['if_1', '  yes', '    post']);
  expect(shown(nested, [], 'FAILED').join()).toContain('[1]');
  expect(shown(nested, [], 'nothing')).toEqual([]);
});

test('of many items those that went well start folded', () => {
  const steps = Array.from({ length: 30 }, (_, at) =>
    step(`each[${at}].one`, at === 7 ? { status: 'failed' } : {}),
  );
  const rows = shown(steps);
  expect(rows.filter((name) => name.trim() === 'one')).toHaveLength(1);
  expect(rows).toHaveLength(1 + 30 + 1);
});

test('a failed attempt that was followed by a good one has failed nothing', () => {
  const steps = [
    step('block.yes.call', { status: 'failed', isLast: false }),
    step('block.yes.call', { attempt: 2, startedAt: 5, endedAt: 9 }),
  ];
  const [block] = timelineTree(steps);
  expect(block).toMatchObject({ status: 'succeeded', failed: 0, from: 0, to: 9 });
  expect(failedSteps(steps)).toEqual([]);
  expect(firstSelection(steps)).toBe('trigger');
});

test('the innermost step that failed is looked at first', () => {
  expect(failedSteps(nested).map(({ path }) => path)).toEqual(['if_1.yes.each_1[1].deep']);
  expect(firstSelection(nested)).toBe('if_1.yes.each_1[1].deep 1 1');
  expect(firstSelection([step('a'), step('b', { status: 'paused' })])).toBe('b 1 1');
});

const head = { createdAt: 0, startedAt: 0, endedAt: 1, status: 'succeeded' } as never;

test('what a chosen run lies in is unfolded', () => {
  const steps = Array.from({ length: 30 }, (_, at) => step(`each[${at}].one`));
  const state = withMessage(firstState, { t: 'execution', head, from: 0, steps });
  expect(rowsOf(state.roots, state.toggled, '').some(({ node }) => node.name === 'one')).toBe(
    false,
  );
  const chosen = withSelected(state, 'each[9].one 1 1');
  const rows = rowsOf(chosen.roots, chosen.toggled, '');
  expect(rows.filter(({ node }) => node.name === 'one')).toHaveLength(1);
  expect(chosen.current).toBe('each[9].one');
});

test('only what has changed is replaced', () => {
  const state = withMessage(firstState, { t: 'execution', head, from: 0, steps: nested });
  const last = step('z');
  const next = withMessage(state, { t: 'execution', head, from: 6, steps: [last] });
  expect(next.steps).toEqual([...nested.slice(0, 6), last]);
});

test('keys walk as in every tree', () => {
  const rows = rowsOf(timelineTree(nested), new Set(), '');
  expect(moveIn(rows, 'trigger', 'ArrowDown', 5)).toEqual({ do: 'go', id: 'first' });
  expect(moveIn(rows, 'trigger', 'ArrowUp', 5)).toEqual({ do: 'go', id: 'trigger' });
  expect(moveIn(rows, 'if_1', 'ArrowLeft', 5)).toEqual({ do: 'toggle', id: 'if_1' });
  expect(moveIn(rows, 'if_1', 'ArrowRight', 5)).toMatchObject({ do: 'go' });
  expect(moveIn(rows, 'if_1.yes.post', 'ArrowLeft', 5)).toMatchObject({
    do: 'go',
    id: 'if_1.yes.',
  });
  expect(moveIn(rows, 'first', 'ArrowLeft', 5)).toBeUndefined();
  expect(moveIn(rows, 'first', 'PageDown', 5)).toMatchObject({ do: 'go' });
  expect(moveIn(rows, 'first', 'End', 5)).toEqual({ do: 'go', id: 'a%2Eb' });
  expect(moveIn(rows, 'first', ' ', 5)).toEqual({ do: 'choose', id: 'first' });
  expect(moveIn(rows, 'first', 'x', 5)).toBeUndefined();
});

test('of many rows those in sight are drawn, and some around them', () => {
  const { first, last } = drawn(1000, { scrollTop: 500 * rowHeight, height: 10 * rowHeight });
  expect(first).toBeLessThan(500);
  expect(last).toBeGreaterThan(510);
  expect(last - first).toBeLessThan(50);
  expect(scrolledTo(0, { scrollTop: 100, height: 240 })).toBe(0);
  expect(scrolledTo(5, { scrollTop: 0, height: 240 })).toBe(0);
  expect(scrolledTo(20, { scrollTop: 0, height: 240 })).toBe(21 * rowHeight - 240);
});

test.each([
  [0.4, '0 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min'],
  [61_000, '1 min 1 s'],
  [3_599_970, '1 h'],
  [90_000_000, '1 d 1 h'],
])('%d ms are said as %s', (ms, text) => {
  expect(took(ms)).toBe(text);
});
