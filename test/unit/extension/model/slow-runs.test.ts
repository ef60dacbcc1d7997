import { expect, test } from 'vitest';
import { SlowRuns } from '../../../../src/extension/model/slow-runs.ts';
import * as make from '../make.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

function setUp() {
  const reported: string[] = [];
  const clock = new FakeClock();
  const runs = new SlowRuns(clock, ({ id, status }) => reported.push(`${id} ${status}`));
  const begin = (id: string) => runs.take(make.invocation({ id, status: 'running' }));
  const end = (id: string) => runs.take(make.invocation({ id, status: 'succeeded' }));
  return { reported, runs, begin, end, clock };
}

test('a quick run is shown once, when it is over', () => {
  const { reported, begin, end, clock } = setUp();
  expect(begin('inv_1')).toBe(false);
  clock.pass(499);
  expect(end('inv_1')).toBe(true);
  clock.pass(10_000);
  expect(reported).toEqual([]);
});

test('each slow run is reported half a second after it has begun', () => {
  const { reported, begin, clock } = setUp();
  begin('inv_1');
  clock.pass(300);
  begin('inv_2');
  clock.pass(200);
  expect(reported).toEqual(['inv_1 running']);
  clock.pass(300);
  expect(reported).toEqual(['inv_1 running', 'inv_2 running']);
});

test('nothing is reported after it was disposed', () => {
  const { reported, begin, runs, clock } = setUp();
  begin('inv_1');
  runs.dispose();
  clock.pass(10_000);
  expect(reported).toEqual([]);
});
