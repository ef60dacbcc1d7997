/** The form of a commit's subject. */
import { expect, test } from 'vitest';
import { faultOfSubject } from '../../../scripts/lint/commits.mts';

test.each([
  'house: move the runtime into fourteen rooms',
  'db-move: pass each table once',
  'editor: focus the tree',
  'cli: feed the input of a run by a pipe',
])('%s', (subject) => {
  expect(faultOfSubject(subject)).toBeUndefined();
});

test.each([
  ['wip', 'area: imperative'],
  ['Cli: add a verb', 'area: imperative'],
  ['cli: Add a verb', 'area: imperative'],
  ['cli:add a verb', 'area: imperative'],
  ['cli: add a verb.', 'dot'],
  [`cli: add ${'a'.repeat(70)}`, '79 characters'],
  ['cli: added a verb', '"added" ends in "ed"'],
  ['cli: adding a verb', '"adding" ends in "ing"'],
  ['cli: adds a verb', '"adds" ends in "s"'],
])('%s', (subject, fault) => {
  expect(faultOfSubject(subject)).toContain(fault);
});
