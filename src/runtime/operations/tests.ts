/** Tests of workflows and sources: run, and written of what has run. */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import type { Mask } from '../../protocol/mask.ts';
import type { WorkflowDeploymentRecord } from '../store/configuration/workflows.ts';
import type { Parsed, Result, WholeExecution } from '../../protocol/catalogue.ts';
import { withoutValue, withValue } from '../../workflow-file/edit.ts';
import { differences } from '../tests/compare.ts';
import { outcomeOf, type Outcome } from '../tests/outcome.ts';
import { expectable, testOf } from '../tests/save-test.ts';
import { harOf } from '../recordings/har.ts';
import { readTest, type TestInFile } from '../tests/test-file.ts';
import { archiveOf, openRecording, recordedOf } from './recorded-requests.ts';
import type { RunTest } from './run-executions.ts';
import { findTestable } from './find-workflow.ts';
import type { CallContext, Handlers } from './operations.ts';
import { received, type ReceivedStore } from './replay.ts';
import { findSource } from './show-source.ts';
import { runSourceTest, saveSourceTest, type SourceTestParts } from './source-tests.ts';
import { isSourceTest, readSourceTest } from '../tests/source-test-file.ts';
import type { ReadTest } from '../tests/test-text.ts';
import type { Trigger } from '../../protocol/host.ts';
import { executionNumber, showWhole, type ShowExecutionParts } from './show-execution.ts';

type TestHandlers = Pick<Handlers, 'tests.run' | 'tests.save'>;

export interface TestHandlerParts extends ShowExecutionParts, SourceTestParts {
  readonly store: ShowExecutionParts['store'] & SourceTestParts['store'] & ReceivedStore;
  readonly now: () => number;
  readonly version: string;
  /** Hides the values of the accounts that the steps of a deployment use. */
  readonly accountMask: (deployment: WorkflowDeploymentRecord) => Mask;
}

/** @param run runs the files of a workflow as a test */
export function testHandlers(parts: TestHandlerParts, run: RunTest): TestHandlers {
  return {
    'tests.run': async ({ file, update, install, debug }, context) => {
      const text = await read(file);
      const started = parts.now();
      const name = basename(file).replace(/\.test\.ya?ml$/, '');
      if (isSourceTest(text)) {
        const test = inFile(file, readSourceTest(text));
        const given = { file, text, test };
        const ran = await runSourceTest(parts, given, { update, install }, context);
        if (ran.brought !== text) await writeFile(file, ran.brought);
        return {
          file,
          name: test.name ?? name,
          of: basename(test.source),
          passed: ran.differences.length === 0,
          differences: ran.differences,
          updated: ran.brought !== text,
          execution_id: null,
          duration_ms: Math.max(0, parts.now() - started),
        };
      }
      const test = inFile(file, readTest(text));
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
        whole = await run(
          asked,
          context,
          recording === undefined
            ? undefined
            : (deployment) => {
                recording.hide(parts.accountMask(deployment));
                return recording.start();
              },
        );
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
        ...(updated ? differences(inFile(file, readTest(brought)).expect, outcome) : found),
        ...(recording?.differences(whole.requests) ?? []),
      ];
      if (updated) await writeFile(file, brought);
      return {
        file,
        name: test.name ?? name,
        of: basename(dirname(dirname(file))),
        passed: left.length === 0,
        differences: left,
        updated,
        execution_id: whole.id,
        duration_ms: Math.max(0, parts.now() - started),
      };
    },
    'tests.save': async (params, context) => {
      const { execution, source, name, pins = [], replace } = params;
      if ((execution === undefined) === (source === undefined)) {
        throw new WeirError('bad_input', 'Give an execution, or a source.');
      }
      if (execution === undefined) return saveOfSource(parts, params, context);
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
      await keep(file, text, recorded, parts.version, replace === true);
      return { file, hidden: [...hidden], requests: recorded.length };
    },
  };
}

/** @throws WeirError `conflict` for a source without a file, `not_found` for a trigger that is not kept */
async function saveOfSource(
  parts: TestHandlerParts,
  { source = '', invocation_id: of, event, name, replace }: Parsed<'tests.save'>,
  context: CallContext,
): Promise<Result<'tests.save'>> {
  const record = findSource(parts.store, source);
  const trigger: Trigger =
    of === undefined
      ? { kind: 'event', json: JSON.stringify(event ?? {}) }
      : (await received(parts.store, record, of)).trigger;
  const path = parts.instances.get(record.id)?.deployment.path ?? '';
  const called = fileName(name ?? of ?? record.name);
  const file = join(dirname(path), 'tests', `${called}.test.yaml`);
  const archive = archiveOf(file);
  // Said before the source runs once more.
  if (replace !== true) await refuseExisting(file);
  const given = { file, archive: basename(archive), trigger };
  const { text, hidden, recorded } = await saveSourceTest(parts, record, given, context);
  await keep(file, text, recorded, parts.version, replace === true);
  return { file, hidden: [...hidden], requests: recorded.length };
}

/** @throws WeirError `bad_input` for a file that is not there, or is no test */
async function read(file: string): Promise<string> {
  if (!isAbsolute(file) || !/\.test\.ya?ml$/.test(file)) {
    throw new WeirError('bad_input', `${file} must be the absolute path of a .test.yaml file.`);
  }
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new WeirError('bad_input', `There is no file ${file}.`, undefined, error);
  });
}

/** @throws WeirError `bad_input` with a detail for each mistake of the text, at its line */
function inFile<T>(file: string, found: ReadTest<T>): T {
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

/**
 * Writes a test and, beside it, the archive of the requests that its run sent.
 *
 * @param replace of a test that is replaced goes, too, the archive that answered it; another file with such a name
 * is somebody's and stays
 * @throws WeirError `conflict` for a file that is there and is not to be replaced
 */
async function keep(
  file: string,
  text: string,
  recorded: Parameters<typeof harOf>[0],
  version: string,
  replace: boolean,
): Promise<void> {
  const archive = archiveOf(file);
  await mkdir(dirname(file), { recursive: true });
  if (!replace && recorded.length > 0) await refuseExisting(archive);
  await writeNew(file, text, replace);
  if (recorded.length > 0) await writeFile(archive, harOf(recorded, version));
  else if (replace) await rm(archive, { force: true });
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
