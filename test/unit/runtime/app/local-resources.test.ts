import { expect, test } from 'vitest';
import { usesLocalResources } from '../../../../src/runtime/app/local-resources.ts';

test.each([
  'const file = $.files.open("a.txt");',
  'async run({ $ }) { const { files } = $; return files.dir("x"); }',
  'files.openDescriptor(steps.get.$return_value)',
  'var entry_default = scriptStep({ language: "python" });',
])('code that needs its machine: %s', (code) => {
  expect(usesLocalResources(code)).toBe(true);
});

test.each([
  '$.flow.delay(100)',
  'const files = await list();',
  'myfiles.openAll()',
  '$.filesystem',
])('code that runs anywhere: %s', (code) => {
  expect(usesLocalResources(code)).toBe(false);
});
