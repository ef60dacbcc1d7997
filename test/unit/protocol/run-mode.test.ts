import { expect, test } from 'vitest';
import { isReading, runMode } from '../../../src/protocol/run-mode.ts';

test('P25.105: what is asked for counts; a person is asked about a single test; all else is dry', () => {
  const kinds = ['test', 'saved', 'many'] as const;
  const matrix = kinds.flatMap((kind) =>
    [true, false].flatMap((hasPerson) =>
      ([undefined, 'real', 'dry'] as const).map((asked) => [
        kind,
        hasPerson ? 'person' : 'program',
        asked ?? '-',
        runMode({ kind, hasPerson, asked }),
      ]),
    ),
  );
  expect(matrix).toEqual([
    ['test', 'person', '-', 'ask'],
    ['test', 'person', 'real', 'real'],
    ['test', 'person', 'dry', 'dry'],
    ['test', 'program', '-', 'dry'],
    ['test', 'program', 'real', 'real'],
    ['test', 'program', 'dry', 'dry'],
    ['saved', 'person', '-', 'dry'],
    ['saved', 'person', 'real', 'real'],
    ['saved', 'person', 'dry', 'dry'],
    ['saved', 'program', '-', 'dry'],
    ['saved', 'program', 'real', 'real'],
    ['saved', 'program', 'dry', 'dry'],
    ['many', 'person', '-', 'dry'],
    ['many', 'person', 'real', 'real'],
    ['many', 'person', 'dry', 'dry'],
    ['many', 'program', '-', 'dry'],
    ['many', 'program', 'real', 'real'],
    ['many', 'program', 'dry', 'dry'],
  ]);
});

test('P25.105: only GET and HEAD read', () => {
  expect(['GET', 'head', 'POST', 'PUT', 'DELETE', 'OPTIONS'].map(isReading)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
