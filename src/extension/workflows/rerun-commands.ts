/** Commands that run once more what has run, step by step and in bulk: a bundle of its own (scripts/bundles.mts). */
export { cancelAllExecutions } from './cancel-all.ts';
export { managePins, removePins } from './pin-commands.ts';
export { replayOnFiles } from './replay-on-files.ts';
export { retryFailed } from './retry-failed.ts';
export { runStep } from './run-step.ts';
export { testWorkflow } from './test-workflow.ts';
export { pinStep, runFromStep, runFromStepWith, skipPause } from './step-commands.ts';
