/**
 * Where a helper says what is to be undone. The editor layer, which mocha runs, has these two hooks of
 * vitest from test/editor/support/vitest-hooks.ts.
 */
import { afterAll, onTestFinished } from 'vitest';

export type AtEnd = (undo: () => void | Promise<void>) => void;

/** For what one test uses; last first. */
export const atEndOfTest: AtEnd = (undo) => onTestFinished(undo);

/** For what the tests of a file or a `describe` share; last first. Call it at the top of that. */
export function atEndOfSuite(): AtEnd {
  const collected: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const undo of collected.toReversed()) await undo();
  });
  return (undo) => void collected.push(undo);
}
