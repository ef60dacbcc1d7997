import { expect, test } from 'vitest';
import { EndOfTurn } from '../../../../src/runtime/base/end-of-turn.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('what comes in one turn is done at its end, in order; what comes of it, at the end of the next', async () => {
  const endOfTurn = new EndOfTurn();
  const done: string[] = [];
  endOfTurn.add(() => {
    done.push('a');
    endOfTurn.add(() => done.push('c'));
  });
  await Promise.resolve();
  endOfTurn.add(() => done.push('b'));
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual(['a', 'b']);
  await turn();
  expect(done).toEqual(['a', 'b', 'c']);
});

test('what must not wait is done at once, with all before it, and once', async () => {
  const endOfTurn = new EndOfTurn();
  const done: string[] = [];
  endOfTurn.add(() => done.push('a'));
  endOfTurn.add(() => done.push('b'));
  endOfTurn.now();
  expect(done).toEqual(['a', 'b']);
  endOfTurn.add(() => done.push('c'));
  await turn();
  expect(done).toEqual(['a', 'b', 'c']);
});
