import { expect, test } from 'vitest';
import { cutOf } from '../../../../src/runtime/store/retention.ts';

const ages = (count: number) => Array.from({ length: count }, (_, ms) => ({ ms, bytes: 10 }));

test.each([
  ['count', { count: 120, before: 0 }, 80],
  ['bytes', { count: 1000, bytes: 1500, before: 0 }, 50],
  ['age', { count: 1000, before: 30 }, 30],
  ['the strictest of them', { count: 190, bytes: 1800, before: 40 }, 40],
  ['nothing below the hundred that stay', { count: 1, before: 1e9 }, 100],
  ['nothing within the limits', { count: 200, bytes: 2000, before: 0 }, 0],
])('what goes by %s', (_name, keep, gone) => {
  const cut = cutOf(ages(200), { count: 200, bytes: 2000 }, keep);
  const newest = gone === 0 ? undefined : { ms: gone - 1, bytes: 10 };
  expect(cut).toEqual(newest && { newest, gone: { count: gone, bytes: gone * 10 } });
});

test('no more is looked at than goes, and one', () => {
  let looked = 0;
  function* entries() {
    for (const entry of ages(100_000)) {
      looked += 1;
      yield entry;
    }
  }
  cutOf(entries(), { count: 100_000, bytes: 0 }, { count: 99_995, before: 0 });
  expect(looked).toBe(6);
});
