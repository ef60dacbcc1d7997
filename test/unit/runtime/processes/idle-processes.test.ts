import { expect, test } from 'vitest';
import { checkMs, IdleProcesses } from '../../../../src/runtime/processes/idle-processes.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const idleMs = 300_000;

function setUp(budget?: { mostRegular: number; mostOccasional: number }) {
  const clock = new FakeClock();
  const idle = new IdleProcesses({ clock, budget });
  const ended: string[] = [];
  /** @returns cancels it */
  const rest = (id: string, hasRun = true) =>
    idle.rest(id, idleMs, hasRun, (isEarly) => ended.push(`${id} ${isEarly ? 'early' : 'late'}`));
  return { clock, ended, rest };
}

test('without a budget each waits its whole time', () => {
  const { clock, ended, rest } = setUp();
  for (const id of ['a', 'b', 'c']) rest(id);
  clock.pass(idleMs - 1);
  expect(ended).toEqual([]);
  clock.pass(1);
  expect(ended).toEqual(['a late', 'b late', 'c late']);
});

test('P22.10 of emitters that ran once the ones idle longest end early; the others wait their time', () => {
  const { clock, ended, rest } = setUp({ mostRegular: 1, mostOccasional: 2 });
  for (const id of ['a', 'b', 'c', 'd']) {
    rest(id);
    clock.pass(10);
  }
  expect(ended).toEqual([]);
  clock.pass(checkMs);
  expect(ended.toSorted()).toEqual(['a early', 'b early']);
  clock.pass(idleMs);
  expect(ended.slice(2)).toEqual(['c late', 'd late']);
});

test('P22.10 an emitter that runs again within five minutes is regular, also when its process was ended between', () => {
  const { clock, ended, rest } = setUp({ mostRegular: 1, mostOccasional: 0 });
  rest('a');
  clock.pass(checkMs);
  expect(ended).toEqual(['a early']);
  clock.pass(60_000);
  rest('a');
  clock.pass(checkMs);
  expect(ended).toEqual(['a early']);
  // Later it runs once, and that is all.
  clock.pass(idleMs * 2);
  rest('a');
  clock.pass(checkMs);
  expect(ended).toEqual(['a early', 'a late', 'a early']);
});

test('P22.10 one that runs all the time is regular; a burst within a second, and a deploy, are one time', () => {
  const { clock, ended, rest } = setUp({ mostRegular: 1, mostOccasional: 0 });
  rest('deployed', false);
  clock.pass(checkMs);
  for (let n = 0; n < 5; n += 1) {
    rest('burst')();
    clock.pass(100);
  }
  rest('burst');
  clock.pass(checkMs);
  for (let n = 0; n < 20; n += 1) {
    rest('steady')();
    clock.pass(100);
  }
  rest('steady');
  clock.pass(checkMs);
  rest('deployed', false);
  clock.pass(checkMs);
  expect(ended).toEqual(['deployed early', 'burst early', 'deployed early']);
});

test('what is used again is not ended', () => {
  const { clock, ended, rest } = setUp({ mostRegular: 0, mostOccasional: 0 });
  rest('a')();
  clock.pass(idleMs);
  expect(ended).toEqual([]);
});
