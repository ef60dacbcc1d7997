import { afterFailure, disconnect } from './ui.ts';

// Outside every suite: for all tests of all files.
teardown(async function () {
  if (this.currentTest?.state === 'failed') await afterFailure(this.currentTest.title);
});
suiteTeardown(disconnect);
