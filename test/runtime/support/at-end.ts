import { onTestFinished } from 'vitest';

/**
 * Where a helper says what is to be undone. `onTestFinished` for what one test uses; a suite that
 * shares something in `beforeAll` collects the functions and calls them, last first, in `afterAll`.
 */
export type AtEnd = (undo: () => Promise<void>) => void;

export const atEndOfTest: AtEnd = (undo) => onTestFinished(undo);
