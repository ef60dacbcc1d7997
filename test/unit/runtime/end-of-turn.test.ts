import { expect, test } from 'vitest';
import { createEndOfTurn } from '../../../src/runtime/end-of-turn.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('what comes in one turn is done at its end, in order; what comes of it, at the end of the next', async () => {
  const atEndOfTurn = createEndOfTurn();
  const done: string[] = [];
  atEndOfTurn(() => {
    done.push('a');
    atEndOfTurn(() => done.push('c'));
  });
  await Promise.resolve();
  atEndOfTurn(() => done.push('b'));
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual(['a', 'b']);
  await turn();
  expect(done).toEqual(['a', 'b', 'c']);
});
