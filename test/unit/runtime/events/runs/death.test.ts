import { describe, expect, test } from 'vitest';
import {
  afterDeath,
  aloneMs,
  compareSuspects,
} from '../../../../../src/runtime/events/runs/death.ts';
import {
  shownStatus,
  statusOfSuspicion,
  suspicionOf,
} from '../../../../../src/runtime/store/history/suspicion.ts';

const alone = { isAlone: true, outlived: 0 };
const beside = { isAlone: false, outlived: 2 };

describe('P12.14 P25.22 the death of a runtime', () => {
  test.each([
    ['beside others', 1, undefined, { next: 'again', attempt: 1, outlived: 0 }],
    ['beside others, however often', 3, beside, { next: 'again', attempt: 3, outlived: 2 }],
    ['alone, for the first time', 1, alone, { next: 'again', attempt: 2, outlived: 0 }],
    ['alone, for the second time', 2, alone, { next: 'again', attempt: 3, outlived: 0 }],
    ['alone, for the third time', 3, alone, { next: 'end' }],
  ] as const)('%s', (_, attempt, suspicion, expected) => {
    expect(afterDeath(attempt, suspicion)).toEqual(expected);
  });

  test('those that outlived their time alone come last, then those against which most counts', () => {
    const suspects = [
      { n: 1, attempt: 1, outlived: 1 },
      { n: 2, attempt: 3, outlived: 0 },
      { n: 3, attempt: 1, outlived: 0 },
      { n: 4, attempt: 1, outlived: 0 },
    ];
    expect(suspects.toSorted(compareSuspects).map(({ n }) => n)).toEqual([3, 4, 2, 1]);
  });

  test('each time that one outlives its time alone that gets longer, to a bound', () => {
    expect([0, 1, 2, 4, 9].map(aloneMs)).toEqual([1000, 2000, 4000, 16_000, 16_000]);
  });
});

test('the store keeps it as a status, which is shown as queued', () => {
  for (const suspicion of [alone, beside]) {
    const status = statusOfSuspicion(suspicion);
    expect([suspicionOf(status), shownStatus(status)]).toEqual([suspicion, 'queued']);
  }
  expect([suspicionOf('running'), shownStatus('paused')]).toEqual([undefined, 'paused']);
});
