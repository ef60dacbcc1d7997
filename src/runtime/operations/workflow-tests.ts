import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import type { Mask } from '../../protocol/mask.ts';
import type { WorkflowDeploymentRecord } from '../store/configuration/workflows.ts';
import type { Result, WholeExecution } from '../../protocol/catalogue.ts';
import { withoutValue, withValue } from '../../workflow-file/edit.ts';
import { differences } from '../workflows/tests/compare.ts';
import { outcomeOf, type Outcome } from '../workflows/tests/outcome.ts';
import { expectable, testOf } from '../workflows/tests/save-test.ts';
import { harOf } from '../workflows/recordings/har.ts';
import { readTest, type TestInFile } from '../workflows/tests/test-file.ts';
import { archiveOf, openRecording, recordedOf } from './recorded-requests.ts';
import type { RunTest } from './run-executions.ts';
import { findTestable } from './find-workflow.ts';
import type { Handlers } from './operations.ts';
import { executionNumber, showWhole, type ShowExecutionParts } from './show-execution.ts';

type TestHandlers = Pick<Handlers, 'tests.run' | 'tests.save'>;

export interface TestHandlerParts extends ShowExecutionParts {
  readonly now: () => number;
  readonly version: string;
  /** Hides the values of the accounts that the steps of a deployment use. */
  readonly accountMask: (deployment: WorkflowDeploymentRecord) => Mask;
}

/** @param run runs the files of a workflow as a test */
export function testHandlers(parts: TestHandlerParts, run: RunTest): TestHandlers {
  return {
    'tests.run': async ({ file, update, install, debug }, context) => {
      const { text, test } = await read(file);
      const started = parts.now();
      const recording = await openRecording(parts, file, test);
      const asked = {
        workflow_path: dirname(dirname(file)),
        event: test.event ?? {},
        pins: test.pins ?? {},
        default_pins: false,
        wait: true,
        ...(install !== undefined && { install }),
        ...(debug !== undefined && { debug }),
      };
      let whole: WholeExecution;
      try {
        whole = await run(asked, context, recording?.start);
      } finally {
        await recording?.close();
      }
      if (context.signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
      const outcome = outcomeOf(whole);
      const found = differences(test.expect, outcome);
      const brought =
        update === true && found.length > 0
          ? broughtUp(text, test, expectable(outcome, parts.environment.mask) as Outcome)
          : text;
      const updated = brought !== text;
      // What cannot be read is not written.
      const left = [
        ...(updated ? differences(testIn(file, brought).expect, outcome) : found),
        ...(recording?.differences(whole.requests) ?? []),
      ];
      if (updated) await writeFile(file, brought);
      return {
        file,
        name: test.name ?? basename(file).replace(/\.test\.ya?ml$/, ''),
        workflow: basename(dirname(dirname(file))),
        passed: left.length === 0,
        differences: left,
        updated,
        execution_id: whole.id,
        duration_ms: Math.max(0, parts.now() - started),
      };
    },
    'tests.save': async ({ execution, name, pins = [], replace }) => {
      const whole = await showWhole(parts, executionNumber(execution));
      if (whole.ended_at === null) {
        throw new WeirError('conflict', `${execution} has not ended yet: a test expects an end.`);
      }
      const unknown = pins.find((pin) => !whole.steps.some(({ namespace }) => namespace === pin));
      if (unknown !== undefined) {
        throw new WeirError('bad_input', `The step ${unknown} did not run in ${execution}.`);
      }
      const { path } = findTestable(parts.store, whole.workflow_id);
      const file = join(path, 'tests', `${fileName(name ?? execution)}.test.yaml`);
      const { mask } = parts.environment;
      const recorded = await recordedOf(parts.store, executionNumber(execution), pins, mask);
      const archive = recorded.length === 0 ? undefined : archiveOf(file);
      const { text, hidden } = testOf(whole, pins, mask, archive && basename(archive));
      const isReplaced = replace === true;
      await mkdir(dirname(file), { recursive: true });
      // Of one that is replaced goes, too, what answered it; what else has such a name is somebody's.
      if (!isReplaced && archive !== undefined) await refuseExisting(archive);
      await writeNew(file, text, isReplaced);
      if (archive !== undefined) await writeFile(archive, harOf(recorded, parts.version));
      else if (isReplaced) await rm(archiveOf(file), { force: true });
      return { file, hidden: [...hidden], requests: recorded.length };
    },
  };
}

/** @throws WeirError `bad_input` with a detail for each mistake of the file, at its line */
async function read(file: string): Promise<{ readonly text: string; readonly test: TestInFile }> {
  if (!isAbsolute(file) || !/\.test\.ya?ml$/.test(file)) {
    throw new WeirError('bad_input', `${file} must be the absolute path of a .test.yaml file.`);
  }
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new WeirError('bad_input', `There is no file ${file}.`, undefined, error);
  });
  return { text, test: testIn(file, text) };
}

/** @throws WeirError `bad_input` with a detail for each mistake of the text, at its line */
function testIn(file: string, text: string): TestInFile {
  const found = readTest(text);
  if ('test' in found) return found.test;
  throw new WeirError(
    'bad_input',
    found.wrong.map(({ message, line }) => `${file}:${line}: ${message}`).join('\n'),
    found.wrong.map(({ message, line, column }) => ({ file, message, line, column })),
  );
}

/**
 * What is expected and came otherwise, as it came; what else the file says stays. What did not come at all stays
 * expected, so that a step that no longer runs is not lost sight of: but for the error of a run that went well.
 */
function broughtUp(text: string, test: TestInFile, outcome: Outcome): string {
  let changed = text;
  const bring = (path: readonly string[], expected: unknown, got: unknown): void => {
    if (got !== undefined && differences(expected, got).length > 0) {
      changed = withValue(changed, ['expect', ...path], got);
    }
  };
  const { status, error, steps = {}, sends, response = {} } = test.expect;
  if (status !== undefined) bring(['status'], status, outcome.status);
  if (error !== undefined && outcome.error === null) {
    changed = withoutValue(changed, ['expect', 'error']);
  } else if (error !== undefined) bring(['error'], error, outcome.error);
  if (sends !== undefined) bring(['sends'], sends, outcome.sends);
  for (const [name, exports] of Object.entries(steps)) {
    for (const [key, expected] of Object.entries(exports)) {
      bring(['steps', name, key], expected, outcome.steps[name]?.[key]);
    }
  }
  for (const [key, expected] of Object.entries(response)) {
    bring(['response', key], expected, outcome.response?.[key]);
  }
  return changed;
}

function fileName(name: string): string {
  const clean = name
    .trim()
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  if (clean !== '') return clean.slice(0, 100);
  throw new WeirError('bad_input', `"${name}" has no letters or digits to name a file after.`);
}

/** @throws WeirError `conflict` for a file that is there */
async function refuseExisting(file: string): Promise<void> {
  if (await stat(file).catch(() => undefined)) throw isThere(file);
}

function isThere(file: string): WeirError {
  return new WeirError('conflict', `${file} is there already: give another name, or replace it.`);
}

async function writeNew(file: string, text: string, replace: boolean): Promise<void> {
  try {
    await writeFile(file, text, { flag: replace ? 'w' : 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw isThere(file);
  }
}

export type TestResult = Result<'tests.run'>;
