/** Tests of workflows and sources: run, and written of what has run. */
import type { ApiServices } from './api-services.ts';
import { basename, dirname } from 'node:path';
import type { Parsed } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { writeInside } from '../../../protocol/write-inside.ts';
import { sourceOfTest } from '../../../protocol/source-of-test.ts';
import type { CallContext, Handlers } from './operations.ts';
import type { RunTest } from './run-executions.ts';
import { runSourceTest, type SourceTestParts, testOfSource } from './source-tests.ts';
import { readTestFile, type TestToWrite, writeTest } from './test-files.ts';
import { runWorkflowTest, testOfExecution, type WorkflowTestParts } from './workflow-tests.ts';

type TestHandlers = Pick<Handlers, 'tests.run' | 'tests.save'>;

export interface TestHandlerParts
  extends WorkflowTestParts, SourceTestParts, Pick<ApiServices, 'now'> {
  readonly store: WorkflowTestParts['store'] & SourceTestParts['store'];
  readonly version: string;
}

/** @param run runs the files of a workflow as a test */
export function testHandlers(parts: TestHandlerParts, run: RunTest): TestHandlers {
  return {
    'tests.run': async (params, context) => {
      const { file } = params;
      const text = await readTestFile(file);
      const started = parts.now();
      const ran = await (sourceOfTest(text) === undefined
        ? runWorkflowTest(parts, run, text, params, context)
        : runSourceTest(parts, text, params, context));
      const { subject, name, differences, brought, executionId } = ran;
      const updated = brought !== text;
      if (updated) await writeInside(dirname(dirname(file)), file, brought);
      return {
        file,
        name: name ?? basename(file).replace(/\.test\.ya?ml$/, ''),
        subject,
        passed: differences.length === 0,
        differences,
        updated,
        execution_id: executionId,
        duration_ms: Math.max(0, parts.now() - started),
      };
    },
    'tests.save': async (params, context) => {
      const made = await testToWrite(parts, params, context);
      await writeTest(made, parts.version, params.replace === true);
      const { file, hidden, recorded } = made;
      return { file, hidden: [...hidden], requests: recorded.length };
    },
  };
}

/** @throws WeirError `bad_input` for parameters that do not go together, rather than to leave one out silently */
function testToWrite(
  parts: TestHandlerParts,
  params: Parsed<'tests.save'>,
  context: CallContext,
): Promise<TestToWrite> {
  const { execution, source, invocation_id: run, event, pins = [] } = params;
  const refuse = (message: string): never => {
    throw new WeirError('bad_input', message);
  };
  if (execution !== undefined) {
    if (source !== undefined) refuse('Give an execution or a source, not both.');
    if (run !== undefined || event !== undefined) {
      refuse('A run or an event is given to a source: an execution has its own event.');
    }
    return testOfExecution(parts, execution, params);
  }
  if (source === undefined) return refuse('Give an execution or a source.');
  if (run !== undefined && event !== undefined) refuse('Give a run or an event, not both.');
  if (pins.length > 0) refuse('Pins stand in for steps of a workflow: a source has none.');
  return testOfSource(parts, source, params, context);
}
