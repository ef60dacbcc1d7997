import * as fc from 'fast-check';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  checkUploadPath,
  isLeftOver,
} from '../../../../../src/runtime/server/uploads/upload-path.ts';

test.each([
  'a.mjs',
  'orders/new/entry.ts',
  'package-lock.json',
  'weir workflows/Zahlung – März/workflow.yaml',
  '.workflow.state',
])('%s may be uploaded', (file) => {
  expect(() => checkUploadPath(file)).not.toThrow();
});

test.each([
  ['../a.mjs', 'is not a path below the project'],
  ['a/../../b', 'is not a path below the project'],
  ['/etc/passwd', 'is not a path below the project'],
  ['', 'is not a path below the project'],
  ['a//b', 'is not a path below the project'],
  ['./a', 'is not a path below the project'],
  ['C:/a', 'has a character that not every machine can store'],
  ['a\\..\\b', 'has a character that not every machine can store'],
  ['a\0b', 'has a character that not every machine can store'],
  ['a/b.', 'has a character that not every machine can store'],
  ['node_modules/x/index.js', 'is in a folder that is not uploaded'],
  ['x/.git/hooks/post-checkout', 'is in a folder that is not uploaded'],
  ['a'.repeat(401), 'is longer than 400 characters'],
])('%j may not', (file, why) => {
  expect(() => checkUploadPath(file)).toThrow(why);
});

test('no text that is let through leaves its folder, on any machine', () => {
  const parts = fc.constantFrom('..', '.', '', 'a', '/', '\\', 'C:', '~', '...', ' ');
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 6 }), fc.constantFrom('/', '\\', ''), (list, by) => {
      const file = list.join(by);
      try {
        checkUploadPath(file);
      } catch {
        return;
      }
      expect(path.posix.join('/root/p', file).startsWith('/root/p/')).toBe(true);
      expect(path.win32.join('C:\\root\\p', file).startsWith('C:\\root\\p\\')).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('only what is in a folder that came whole is left over', () => {
  const uploaded = new Set(['flow/workflow.yaml']);
  expect(isLeftOver('flow/old/entry.ts', uploaded, ['flow'])).toBe(true);
  expect(isLeftOver('flow/workflow.yaml', uploaded, ['flow'])).toBe(false);
  expect(isLeftOver('flow-2/entry.ts', uploaded, ['flow'])).toBe(false);
});
