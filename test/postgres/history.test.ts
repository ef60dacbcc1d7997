import { expect, test } from 'vitest';
import { History, type KeptSource } from './support/history.ts';

const sound: KeptSource = {
  id: 'dc_1',
  accepted: [1, 2, 3],
  ended: [1, 2, 3],
  events: [
    { count: 1, n: 1, fence: 1 },
    { count: 2, n: 2, fence: 1 },
    { count: 3, n: 3, fence: 2 },
  ],
  count: 3,
};

function violationsOf(changes: Partial<KeptSource>): string[] {
  const history = new History();
  for (const n of sound.accepted) history.accepted('dc_1', n);
  for (const n of sound.ended) history.committed('dc_1', n);
  return history.violations([{ ...sound, ...changes }]);
}

const [one, two, three] = sound.events;
const wrong: readonly (readonly [string, Partial<KeptSource>, RegExp])[] = [
  ['an accept that is lost', { accepted: [1, 2], ended: [1, 2] }, /told as accepted/],
  ['a commit that is lost', { ended: [1, 2] }, /told as committed/],
  ['a run without an end', { accepted: [1, 2, 3, 4] }, /4 has no end/],
  ['an end of nothing', { ended: [1, 2, 3, 4] }, /never accepted/],
  [
    'a run that emitted twice',
    { events: [one, two, three, three].filter((e) => e !== undefined), count: 4 },
    /emitted 2 times/,
  ],
  [
    'a count that is missing',
    { events: [one, three].filter((e) => e !== undefined) },
    /event 2 counted to 3/,
  ],
  ['a db that is behind', { count: 2 }, /its db counted to 2/],
  [
    'a fence that came back',
    { events: sound.events.map((e, i) => ({ ...e, fence: 3 - i })) },
    /fence 2 came after 3/,
  ],
];

test('what is as it was promised is found sound', () => {
  expect(violationsOf({})).toEqual([]);
});

test.each(wrong)('finds %s', (_what, changes, sentence) => {
  expect(violationsOf(changes).join('\n')).toMatch(sentence);
});
