import { expect, test } from 'vitest';
import { stackFrames } from '../../../../src/extension/documents/stack-frames.ts';

test.for([
  ['    at Object.run (/w/tick.ts:12:5)', '/w/tick.ts', 12, 5],
  ['    at /w/a folder/tick.ts:3:17', '/w/a folder/tick.ts', 3, 17],
  ['    at async run (/w/Übung (neu)/tick.mjs:1:2)', '/w/Übung (neu)/tick.mjs', 1, 2],
  ['    at run (C:\\w\\tick.ts:9:1)', 'C:\\w\\tick.ts', 9, 1],
  ['      "    at run (/w/tick.ts:9:1)",', '/w/tick.ts', 9, 1],
] as const)('%s', ([text, file, line, column]) => {
  const before = 'TypeError: no /w/x.ts:1:1 here\n';
  const [found, ...more] = stackFrames(`${before}${text}\nend`);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ file, line, column });
  const linked = `${before}${text}`.slice(found?.start, found?.end);
  expect(linked).toBe(`${file}:${line}:${column}`);
});

test('frames of Node itself are left out', () => {
  expect(stackFrames('    at node:internal/timers:1:2\n    at new Promise (<anonymous>)')).toEqual(
    [],
  );
});
