import { expect, test } from 'vitest';
import { junitText } from '../../../../src/cli/views/junit.ts';
import { differences } from '../../../../src/runtime/workflows/tests/compare.ts';
import { readTest } from '../../../../src/runtime/workflows/tests/test-file.ts';

test.each([
  ['the same', { a: 1, b: [1, { c: null }] }, { a: 1, b: [1, { c: null }] }, []],
  ['more than is expected', { a: 1 }, { a: 1, b: 2 }, []],
  [
    'another value, deep',
    { a: { 'odd key': [0, { x: 1 }] } },
    { a: { 'odd key': [0, { x: 2 }] } },
    ['a["odd key"][1].x'],
  ],
  ['less than is expected', { a: { b: 1 } }, {}, ['a']],
  ['a shorter list', [1, 2], [1], ['length']],
  ['a longer list', { l: [1] }, { l: [1, 2] }, ['l.length']],
  ['any value', { a: { $any: true } }, { a: null }, []],
  ['any value, and none', { a: { $any: true } }, {}, ['a']],
  ['a type', { a: { $type: 'list' }, b: { $type: 'string' } }, { a: [], b: 'x' }, []],
  ['another type', { a: { $type: 'string' } }, { a: 1 }, ['a']],
  ['a pattern', { a: { $match: '^ord_' } }, { a: 'ord_1' }, []],
  ['not the pattern', { a: { $match: '^ord_' } }, { a: 'x' }, ['a']],
  ['text and number', { a: '1' }, { a: 1 }, ['a']],
])('compared: %s', (_, expected, got, paths) => {
  expect(differences(expected, got).map(({ path }) => path)).toEqual(paths);
});

test('what is wrong with a test stands at its line', () => {
  const found = readTest('event: {}\nexpekt: {}\nexpect:\n  status: fine\n  steps: []\n');
  expect('wrong' in found && found.wrong.map(({ line, message }) => `${line} ${message}`)).toEqual([
    expect.stringMatching(/^2 "expekt" is not known here/),
    expect.stringMatching(/^4 .*status.* must be one of/),
    expect.stringMatching(/^5 .*steps.* must be a mapping/),
  ]);
  expect(readTest('a: [')).toHaveProperty('wrong');
  expect(readTest('expect: { status: succeeded }')).toHaveProperty('test');
});

test('JUnit escapes what others wrote, and leaves out what XML cannot hold', () => {
  const text = junitText([
    {
      file: '/a/<b>.test.yaml',
      name: 'a "b" & <c>',
      workflow: 'w',
      passed: false,
      updated: false,
      differences: [{ path: 'steps.a', expected: 'x\u0001]]>', got: undefined }],
      duration_ms: 1500,
      error: null,
    },
  ]);
  expect(text).toContain('name="a &quot;b&quot; &amp; &lt;c&gt;"');
  expect(text).toContain('time="1.500"');
  expect(text).toContain('<failure message="steps.a differs">');
  expect(text).toContain('got      nothing');
  expect(text).not.toContain('\u0001');
  expect(text).toContain(']]&gt;');
});
