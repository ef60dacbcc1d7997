import { describe, expect, test } from 'vitest';
import type { ProcessExit } from '../../../../../src/runtime/processes/host.ts';
import { afterLoss } from '../../../../../src/runtime/events/runs/loss.ts';

const loss = (cause: ProcessExit['cause'], atFault: boolean): ProcessExit => ({
  cause,
  atFault,
  message: `because of ${cause}`,
});

describe('an invocation whose process ended first', () => {
  test.each([
    ['timeout', true, 1, 'failed', 'Timeout'],
    ['exit', true, 1, 'failed', 'ProcessExit'],
    ['memory', true, 2, 'failed', 'OutOfMemory'],
    ['uncaught', true, 3, 'failed', 'UncaughtError'],
    ['killed', false, 1, 'cancelled', 'Cancelled'],
    ['stopped', true, 1, 'cancelled', 'Cancelled'],
    ['exit', false, 3, 'crashed', 'ProcessExit'],
  ] as const)('%s, atFault %s, attempt %i: %s', (cause, atFault, attempt, status, name) => {
    expect(afterLoss(loss(cause, atFault), attempt)).toEqual({
      next: 'end',
      status,
      error: { name, message: `because of ${cause}` },
    });
  });

  test.each([1, 2])('one that is not to blame runs again after attempt %i', (attempt) => {
    expect(afterLoss(loss('exit', false), attempt)).toEqual({
      next: 'retry',
      spendsAttempt: true,
    });
  });

  test('one beside a run that was stopped runs again however often that happens', () => {
    expect(afterLoss(loss('stopped', false), 3)).toEqual({ next: 'retry', spendsAttempt: false });
  });
});
