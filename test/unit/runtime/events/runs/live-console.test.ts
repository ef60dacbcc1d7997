import { expect, test } from 'vitest';
import type { ConsoleLine } from '../../../../../src/protocol/host.ts';
import type { Run } from '../../../../../src/runtime/events/runs/run.ts';
import { LiveConsole } from '../../../../../src/runtime/events/runs/live-console.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';

function setUp() {
  const clock = new FakeClock(0);
  const told: [n: number, from: number, ...texts: string[]][] = [];
  const said = new LiveConsole(clock, ({ n }, lines, from) =>
    told.push([n, from, ...lines.map(({ text }) => text)]),
  );
  return { clock, told, said };
}

const run = (n: number) => ({ n }) as Run;
const line = (text: string): ConsoleLine => ({ at: 0, level: 'info', text });

test('a run that goes on is told after 100 ms, and each line as it comes from then on', () => {
  const { clock, told, said } = setUp();
  said.add(run(1), [line('a')], 0);
  said.add(run(1), [line('b')], 1);
  clock.pass(99);
  expect(told).toEqual([]);
  clock.pass(1);
  expect(told).toEqual([[1, 0, 'a', 'b']]);
  said.add(run(1), [line('c')], 2);
  expect(told.at(-1)).toEqual([1, 2, 'c']);
});

test('one that has ended by then is not told: its commit has the lines', () => {
  const { clock, told, said } = setUp();
  said.add(run(1), [line('a')], 0);
  said.add(run(2), [line('b')], 0);
  said.end(run(1));
  said.end(run(3));
  clock.pass(1000);
  expect(told).toEqual([[2, 0, 'b']]);
});

test('what a try said that was lost is not told when the next begins', () => {
  const { clock, told, said } = setUp();
  said.add(run(1), [line('a')], 0);
  said.end(run(1));
  said.add(run(1), [line('again')], 0);
  clock.pass(100);
  expect(told).toEqual([[1, 0, 'again']]);
});
