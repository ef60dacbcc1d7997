import { expect, test } from 'vitest';
import { PropSets } from '../../../../../src/runtime/components/forms/prop-sets.ts';

test('a set is found by its id until 200 newer ones were made', () => {
  let made = 0;
  const sets = new PropSets(() => `dyp_${(made += 1)}`);
  const first = sets.add([{ name: 'a', type: 'string' }]);
  expect(sets.get(first)).toEqual([{ name: 'a', type: 'string' }]);
  for (let i = 0; i < 199; i += 1) sets.add([]);
  expect(sets.get(first)).toBeDefined();
  sets.add([]);
  expect([sets.get(first), sets.get('dyp_2')]).toEqual([undefined, []]);
});
