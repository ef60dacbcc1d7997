import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  isStepFile,
  stepsInText,
  workflowFileOf,
} from '../../../../src/extension/workflows/workflow-files.ts';
import { temporaryFolder } from '../../../support/folder.ts';

describe('steps in a text', () => {
  test('with their lines and their code, blocks looked into, triggers and props left out', () => {
    const text = `name: Orders
triggers:
  - uses: $.interface.http
    namespace_: no
steps:
- namespace: first # the first
  uses: ./first/entry.ts
  props:
    namespace: no step
    list:
      - uses: no step
  # namespace: commented
- uses: "../components/post.mjs"
  namespace: "second"
- namespace: if_1
  control: ifelse
  branches:
    yes:
      steps:
        -   namespace: inner
            uses: ./inner/entry.py
`;
    expect(stepsInText(text)).toEqual([
      { namespace: 'first', line: 5, uses: './first/entry.ts' },
      { namespace: 'second', line: 13, uses: '../components/post.mjs' },
      { namespace: 'if_1', line: 14, uses: undefined },
      { namespace: 'inner', line: 19, uses: './inner/entry.py' },
    ]);
  });

  test.each(['', '- ', '-', ':', 'namespace:', '- namespace:', '\t- namespace: a\r\n'])(
    'a text that is half written: %j',
    (text) => {
      expect(Array.isArray(stepsInText(text))).toBe(true);
    },
  );
});

test('the workflow that a file belongs to', () => {
  const folder = temporaryFolder();
  const yaml = path.join(folder, 'workflow.yaml');
  mkdirSync(path.join(folder, 'greet'));
  const step = path.join(folder, 'greet', 'entry.ts');
  expect(workflowFileOf(yaml)).toBe(yaml);
  expect(workflowFileOf(step)).toBeUndefined();
  writeFileSync(yaml, 'name: Hello');
  expect(workflowFileOf(step)).toBe(yaml);
  expect([step, yaml, path.join(folder, 'greet', 'other.ts')].map(isStepFile)).toEqual([
    true,
    false,
    false,
  ]);
});
