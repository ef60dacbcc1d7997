import { expect, test } from 'vitest';
import { createEmitIds } from '../../../../../src/runtime/events/emit/emit-ids.ts';
import { EventIds } from '../../../../../src/runtime/events/owner/event-ids.ts';
import { compareEventIds, parseEventId } from '../../../../../src/runtime/store/event-id.ts';
import { base62, newId, randomBase62, secureRandom } from '../../../../../src/runtime/base/ids.ts';

test('event ids: the sequence starts at 0 in each millisecond', () => {
  const ids = new EventIds(undefined);
  expect([1000, 1000, 1001].map((now) => ids.next(now))).toEqual(['1000-0', '1000-1', '1001-0']);
});

test('event ids ascend over clocks that go back and over restarts', () => {
  const clock = [1000, 1000, 400, 1001, 3, 1001, 1002, 1002, 900];
  const given: string[] = [];
  for (const restartAt of [3, 6, clock.length]) {
    const ids = new EventIds(parseEventId(given.at(-1) ?? ''));
    while (given.length < restartAt) given.push(ids.next(clock[given.length]!));
  }
  const parsed = given.map((id) => parseEventId(id)!);
  for (let i = 1; i < parsed.length; i++) {
    expect(compareEventIds(parsed[i]!, parsed[i - 1]!)).toBeGreaterThan(0);
  }
});

test.each(['', 'x', '1-', '-1', '1-2-3', '1.5-2', '1-2 '])('"%s" is no event id', (text) => {
  expect(parseEventId(text)).toBeUndefined();
});

test('emit ids have 27 base62 characters, sort by time and do not meet', () => {
  const make = createEmitIds(secureRandom);
  const ids = Array.from({ length: 5000 }, (_, i) => make(1_800_000_000_000 + Math.floor(i / 100)));
  expect(ids.every((id) => /^[0-9A-Za-z]{27}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  const times = ids.map((id) => id.slice(0, 8));
  expect(times.toSorted()).toEqual(times);
  expect(new Set(times).size).toBe(50);
});

test('base62 sorts as text like the numbers it stands for', () => {
  const numbers = [0, 9, 10, 35, 36, 61, 62, 3843, 3844, 1_800_000_000_000];
  const texts = numbers.map((number) => base62(number, 8));
  expect(texts.toSorted()).toEqual(texts);
  expect(base62(62, 2)).toBe('10');
});

test('ids: prefix and 7 characters, the same from the same draws', () => {
  const draws = () => {
    let n = 0.1;
    return () => (n = (n * 7.3) % 1);
  };
  expect(newId('dc_', draws())).toMatch(/^dc_[0-9A-Za-z]{7}$/);
  expect(newId('dc_', draws())).toBe(newId('dc_', draws()));
});

test('every character is drawn at every place, the edges of a draw included', () => {
  expect(randomBase62(7, () => 0)).toBe('0000000');
  expect(randomBase62(7, () => 1 - 2 ** -48)).toBe('zzzzzzz');
  const seen = Array.from({ length: 7 }, () => new Set<string>());
  for (let i = 0; i < 3000; i++) {
    randomBase62(7, secureRandom)
      .split('')
      .forEach((character, place) => seen[place]!.add(character));
  }
  expect(seen.map((characters) => characters.size)).toEqual(Array.from({ length: 7 }, () => 62));
});

test('secureRandom stays in [0, 1) and spreads', () => {
  const draws = Array.from({ length: 20_000 }, () => secureRandom());
  expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
  expect(mean).toBeGreaterThan(0.48);
  expect(mean).toBeLessThan(0.52);
  expect(new Set(draws).size).toBe(draws.length);
});
