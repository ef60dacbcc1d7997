import { expect, test } from 'vitest';
import { failureOf } from '../../../../src/extension/forms/failure.ts';
import { WeirError } from '../../../../src/protocol/errors.ts';

test('a prop’s problem stands at the prop, as a sentence of its own', () => {
  const error = new WeirError('bad_input', 'greeting is required. n must be at least 1, not 0.', [
    { prop: 'greeting', message: 'greeting is required.' },
    { prop: 'n', message: 'n must be at least 1, not 0.' },
  ]);
  expect(failureOf(error)).toEqual({
    problem: error.message,
    problems: { greeting: 'A value is required.', n: 'Must be at least 1, not 0.' },
    log: [],
  });
});

test('with a failed hook come the last lines the component printed', () => {
  const details = Array.from({ length: 60 }, (_, n) => ({ message: `line ${n}` }));
  const { problem, log } = failureOf(
    new WeirError('component_failed', 'The hook failed.', details),
  );
  expect(problem).toBe('The hook failed.');
  expect([log.length, log[0], log.at(-1)]).toEqual([50, 'line 10', 'line 59']);
});

test('of anything else that was thrown the message is shown', () => {
  expect(failureOf(new Error('boom')).problem).toBe('boom');
});
