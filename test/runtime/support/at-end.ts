import { afterAll, onTestFinished } from 'vitest';

/** Where a helper says what is to be undone: `onTestFinished` for what one test uses. */
export type AtEnd = (undo: () => Promise<void>) => void;

export const atEndOfTest: AtEnd = (undo) => onTestFinished(undo);

/** For what the tests of a file or a `describe` share; last first. Call it at the top of that. */
export function atEndOfSuite(): AtEnd {
  const collected: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const undo of collected.toReversed()) await undo();
  });
  return (undo) => void collected.push(undo);
}
