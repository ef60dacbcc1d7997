import { expect, test } from 'vitest';
import { substitute } from '../../../../src/extension/debug/variables.ts';

const context = {
  file: '/w/components/tick.ts',
  workspaceFolder: '/w',
  folders: { w: '/w', other: '/elsewhere' },
};

test.for([
  ['/plain/file.ts', '/plain/file.ts'],
  ['${file}', '/w/components/tick.ts'],
  ['${fileDirname}/tock.ts', '/w/components/tock.ts'],
  ['${workspaceFolder}/a.ts', '/w/a.ts'],
  ['${workspaceFolder:other}/a.ts', '/elsewhere/a.ts'],
])('%s is %s', ([text = '', replaced]) => {
  expect(substitute(text, context)).toBe(replaced);
});

test.for([
  ['${env:HOME}', context, /\$\{env:HOME\} cannot be used/],
  ['${workspaceFolder:none}', context, /cannot be used/],
  ['${file}', { ...context, file: undefined }, /needs a file in the active editor/],
] as const)('%s is refused in a sentence', ([text, given, sentence]) => {
  expect(() => substitute(text, given)).toThrow(sentence);
});
