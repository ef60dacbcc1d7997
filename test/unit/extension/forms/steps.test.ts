import { expect, test } from 'vitest';
import { firstStep, stepsWith } from '../../../../src/extension/forms/steps.ts';

test.each([
  ['the first', [], 'Bundling', ['Bundling']],
  ['what takes the place of a beginning', [firstStep], 'Bundling', ['Bundling']],
  ['what says it more precisely', ['Bundling'], 'Bundling x.mjs', ['Bundling x.mjs']],
  ['another', ['Bundling x.mjs'], 'Evaluating', ['Bundling x.mjs', 'Evaluating']],
])('%s', (_, steps, step, expected) => {
  expect(stepsWith(steps, step)).toEqual(expected);
});
