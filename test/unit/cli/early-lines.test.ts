import { expect, test } from 'vitest';
import { EarlyLines, type ShownLine } from '../../../src/cli/lists/early-lines.ts';

const run = { source_id: 'dc_1', invocation_id: 'inv_1' };
const said = (from: number, ...lines: [ts: number, text: string][]) => ({
  type: 'console' as const,
  ...run,
  from,
  lines: lines.map(([ts, text]) => ({ ts, level: 'info' as const, text })),
});
const stored = (ts: number, text: string, kind: ShownLine['kind'] = 'console'): ShownLine => ({
  ...run,
  id: ts,
  ts,
  kind,
  level: 'info',
  text,
});

test('lines are shown as they come, and not again when they are stored', () => {
  const early = new EarlyLines();
  expect(early.take(said(0, [1, 'a'], [2, 'b'])).map(({ text }) => text)).toEqual(['a', 'b']);
  expect(early.take(said(2, [3, 'c'])).map(({ text }) => text)).toEqual(['c']);
  const lines = [stored(1, 'a'), stored(2, 'b'), stored(3, 'c'), stored(4, 'd')];
  expect(lines.map((line) => early.wasShown(line))).toEqual([true, true, true, false]);
  expect(early.wasShown(stored(5, 'run succeeded', 'end'))).toBe(false);
});

test('what came while there was no connection is shown when it is stored, in its order', () => {
  const early = new EarlyLines();
  early.take(said(0, [1, 'a']));
  expect(early.take(said(2, [3, 'c']))).toEqual([]);
  const lines = [stored(1, 'a'), stored(2, 'b'), stored(3, 'c')];
  expect(lines.map((line) => early.wasShown(line))).toEqual([true, false, false]);
});

test('who comes while a run goes on is shown the rest at once, and what was before it when it is stored', () => {
  const early = new EarlyLines();
  expect(early.take(said(1, [2, 'b'])).map(({ text }) => text)).toEqual(['b']);
  expect(early.take(said(2, [3, 'c'])).map(({ text }) => text)).toEqual(['c']);
  const lines = [stored(1, 'a'), stored(2, 'b'), stored(3, 'c'), stored(4, 'd')];
  expect(lines.map((line) => early.wasShown(line))).toEqual([false, true, true, false]);
});

test('a run that begins anew is shown anew, whether it speaks early again or not', () => {
  const early = new EarlyLines();
  early.take(said(0, [1, 'a'], [2, 'b']));
  expect(early.take(said(0, [8, 'a'])).map(({ ts }) => ts)).toEqual([8]);
  expect([stored(8, 'a'), stored(9, 'b')].map((line) => early.wasShown(line))).toEqual([
    true,
    false,
  ]);
  early.take(said(0, [1, 'a'], [2, 'b']));
  expect([stored(8, 'a'), stored(9, 'b')].map((line) => early.wasShown(line))).toEqual([
    false,
    false,
  ]);
});
