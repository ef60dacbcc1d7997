/**
 * The two hooks of vitest that test/support asks for, as mocha has them: scripts/editor/bundle.mts puts
 * this in vitest's place.
 */
type Undo = () => void | Promise<void>;

const undos: Undo[] = [];

// Outside every suite: for all tests of all files.
teardown(async () => {
  for (const undo of undos.splice(0).toReversed()) await undo();
});

export function onTestFinished(undo: Undo): void {
  undos.push(undo);
}

export function afterAll(undo: Undo): void {
  suiteTeardown(undo);
}
