import { expect, test } from 'vitest';
import { logText } from '../../../../src/extension/documents/log-text.ts';

test('a line has the local time at which it was printed, as VS Code writes it', () => {
  const ts = new Date(2026, 10, 22, 14, 5, 9, 7).getTime();
  expect(logText({ ts, level: 'warn', text: 'late\nline' })).toBe(
    '2026-11-22 14:05:09.007 [warn] late\nline',
  );
});
