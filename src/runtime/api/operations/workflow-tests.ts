/** Tests of workflows: runs an event through the current files, and saves the result of an execution as a test. */
import { basename, dirname } from 'node:path';
import type { Parsed, WholeExecution } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { joinedMask, type Mask } from '../../../protocol/mask.ts';
import { withoutValue, withValue } from '../../../workflow-file/edit.ts';
import type { WorkflowDeploymentRecord } from '../../store/configuration/workflows.ts';
import { differences } from '../../workflows/tests/compare.ts';
import { outcomeOf, type Outcome } from '../../workflows/tests/outcome.ts';
import { expectable, testOf } from '../../workflows/tests/save-test.ts';
import { readTest, type TestInFile } from '../../workflows/tests/test-file.ts';
import { findTestable } from './find-workflow.ts';
import type { CallContext } from './operations.ts';
import { archiveOf, openRecording, recordedOf } from './recorded-requests.ts';
import type { RunTest } from './run-executions.ts';
import { executionNumber, showWhole, type ShowExecutionParts } from './show-execution.ts';
import { type RanTest, testFileIn, testIn, type TestToWrite } from './test-files.ts';

export interface WorkflowTestParts extends ShowExecutionParts {
  /** Hides the values of the accounts that the steps of a deployment use. */
  readonly accountMask: (deployment: WorkflowDeploymentRecord) => Mask;
}

/** @param run runs the files of a workflow as a test */
export async function runWorkflowTest(
  parts: WorkflowTestParts,
  run: RunTest,
  text: string,
  { file, update, install, debug, mode }: Parsed<'tests.run'>,
  context: CallContext,
): Promise<RanTest> {
  const test = testIn(file, readTest(text));
  const recording = await openRecording(parts, file, test, mode);
  const folder = dirname(dirname(file));
  const asked = {
    workflow_path: folder,
    event: test.event ?? {},
    pins: test.pins ?? {},
    default_pins: false,
    wait: true,
    ...(mode !== undefined && { mode }),
    ...(install !== undefined && { install }),
    ...(debug !== undefined && { debug }),
  };
  let { mask } = parts.environment;
  const started = (deployment: WorkflowDeploymentRecord): Promise<string> | undefined => {
    mask = joinedMask([parts.accountMask(deployment), parts.environment.mask]);
    recording?.hide(mask);
    return recording?.start();
  };
  let whole: WholeExecution;
  try {
    whole = await run(asked, context, started);
  } finally {
    await recording?.close();
  }
  if (context.signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
  const outcome = outcomeOf(whole);
  const found = await differences(test.expect, outcome);
  const brought =
    update === true && found.length > 0
      ? await broughtUp(text, test, expectable(outcome, mask) as Outcome)
      : text;
  return {
    subject: basename(folder),
    name: test.name,
    differences: [
      // A text that cannot be read back is not written.
      ...(brought === text
        ? found
        : await differences(testIn(file, readTest(brought)).expect, outcome)),
      ...(recording?.differences(whole.requests, whole.outgoing?.held ?? []) ?? []),
    ],
    brought,
    executionId: whole.id,
  };
}

/** @throws WeirError `conflict` for an execution that has not ended, `bad_input` for a step that did not run in it */
export async function testOfExecution(
  parts: WorkflowTestParts,
  execution: string,
  { name, pins = [] }: Pick<Parsed<'tests.save'>, 'name' | 'pins'>,
): Promise<TestToWrite> {
  const whole = await showWhole(parts, executionNumber(execution));
  if (whole.ended_at === null) {
    throw new WeirError('conflict', `${execution} has not ended yet: a test expects an end.`);
  }
  const unknown = pins.find((pin) => !whole.steps.some(({ namespace }) => namespace === pin));
  if (unknown !== undefined) {
    throw new WeirError('bad_input', `The step ${unknown} did not run in ${execution}.`);
  }
  const { path } = findTestable(parts.store, whole.workflow_id);
  const file = testFileIn(path, name ?? execution);
  const n = executionNumber(execution);
  const mask = await maskOfExecution(parts, n);
  const recorded = await recordedOf(parts.store, n, pins, mask);
  const archive = recorded.length === 0 ? undefined : basename(archiveOf(file));
  return { file, recorded, ...testOf(whole, pins, mask, archive) };
}

/** Hides the environment and the accounts that the steps of an execution were given. */
export async function maskOfExecution(
  { store, environment, accountMask }: WorkflowTestParts,
  n: number,
): Promise<Mask> {
  const id = (await store.executions.state(n))?.deploymentId;
  const deployment = id === undefined ? undefined : store.workflows.deployment(id);
  if (deployment === undefined) return environment.mask;
  return joinedMask([accountMask(deployment), environment.mask]);
}

/**
 * Replaces expected values by the actual ones where they differ; the rest of the file stays. A missing value stays
 * expected, so that a step that no longer runs is noticed, except for the error of a run that succeeded.
 */
async function broughtUp(text: string, test: TestInFile, outcome: Outcome): Promise<string> {
  let changed = text;
  const bring = async (path: readonly string[], expected: unknown, got: unknown): Promise<void> => {
    if (got !== undefined && (await differences(expected, got)).length > 0) {
      changed = withValue(changed, ['expect', ...path], got);
    }
  };
  const { status, error, steps = {}, sends, response = {} } = test.expect;
  if (status !== undefined) await bring(['status'], status, outcome.status);
  if (error !== undefined && outcome.error === null) {
    changed = withoutValue(changed, ['expect', 'error']);
  } else if (error !== undefined) await bring(['error'], error, outcome.error);
  if (sends !== undefined) await bring(['sends'], sends, outcome.sends);
  for (const [name, exports] of Object.entries(steps)) {
    for (const [key, expected] of Object.entries(exports)) {
      await bring(['steps', name, key], expected, outcome.steps[name]?.[key]);
    }
  }
  for (const [key, expected] of Object.entries(response)) {
    await bring(['response', key], expected, outcome.response?.[key]);
  }
  return changed;
}
