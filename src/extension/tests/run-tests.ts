/** Runs tests of workflows and sources for VS Code's Test Explorer: a bundle of its own (scripts/bundles.mts). */
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Result } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { sourceOfTest } from '../../protocol/source-of-test.ts';
import type { CommandContext } from '../commands/context.ts';
import type { Folder } from '../connection/folder.ts';
import { deployedFrom } from '../workflows/workflow-files.ts';
import { differenceLine } from './difference-line.ts';

type TestResult = Result<'tests.run'>;
type Context = Pick<CommandContext, 'folders' | 'debug' | 'output'>;

/** Runs them one after the other; a test that is running when the user cancels is cancelled. */
export async function runTests(
  context: Context,
  run: vscode.TestRun,
  tests: readonly vscode.TestItem[],
  isDebugged: boolean,
): Promise<void> {
  for (const test of tests) run.enqueued(test);
  for (const test of tests) {
    if (run.token.isCancellationRequested) run.skipped(test);
    else await runTest(context, run, test, isDebugged);
  }
}

async function runTest(
  context: Context,
  run: vscode.TestRun,
  test: vscode.TestItem,
  isDebugged: boolean,
): Promise<void> {
  const file = test.uri?.fsPath ?? '';
  run.started(test);
  try {
    const folder = context.folders.of(file);
    const result = isDebugged
      ? await debugged(context, folder, test.label, file)
      : await called(folder, file, run.token, false);
    const as = result.execution_id === null ? '' : `, as ${result.execution_id}`;
    const said = `${result.subject}: ${result.name} ${result.passed ? 'passed' : 'failed'}${as}`;
    run.appendOutput(`${said}\r\n`, undefined, test);
    if (result.passed) run.passed(test, result.duration_ms);
    else run.failed(test, await messagesOf(file, result), result.duration_ms);
  } catch (error) {
    if (WeirError.is(error, 'cancelled')) run.skipped(test);
    else run.errored(test, errorMessages(file, error));
  }
}

async function called(
  folder: Folder,
  file: string,
  token: vscode.CancellationToken,
  debug: boolean,
): Promise<TestResult> {
  const client = await folder.link.ready();
  const abort = new AbortController();
  const cancelling = token.onCancellationRequested(() => abort.abort());
  try {
    const { signal } = abort;
    return await client.call('tests.run', { file, ...(debug && { debug }) }, { signal });
  } finally {
    cancelling.dispose();
  }
}

/** Under the debugger, for as long as it runs: a stop of the debugger lets it run to its end. */
async function debugged(
  { debug }: Context,
  folder: Folder,
  name: string,
  file: string,
): Promise<TestResult> {
  const named = sourceOfTest(await readFile(file, 'utf8'));
  const source = named === undefined ? undefined : path.resolve(path.dirname(file), named);
  const subject = source ?? path.join(path.dirname(path.dirname(file)), 'workflow.yaml');
  const target = source ?? deployedFrom(folder, subject)?.id ?? (await realpath(subject));
  const { token } = new vscode.CancellationTokenSource();
  let ended: (result: Promise<TestResult>) => void = () => undefined;
  const result = new Promise<TestResult>((resolve) => (ended = resolve));
  const running = (): Promise<TestResult> => {
    const run = called(folder, file, token, source === undefined);
    ended(run);
    return run;
  };
  const title = `Test ${name}`;
  const configuration = await (source === undefined
    ? debug.beginWhile(folder, target, title, running)
    : debug.beginFile(folder, source, title, running));
  const place = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(subject));
  await vscode.debug.startDebugging(place, configuration);
  return result;
}

/** One message for each difference, at its line, with both values side by side. */
async function messagesOf(
  file: string,
  { differences }: TestResult,
): Promise<vscode.TestMessage[]> {
  const uri = vscode.Uri.file(file);
  const text = (await vscode.workspace.openTextDocument(uri)).getText();
  return differences.map(({ path: where, expected, got }) => {
    const message = vscode.TestMessage.diff(
      got === undefined ? `${where} did not come` : `${where} is not as expected`,
      shown(expected),
      shown(got),
    );
    const line = differenceLine(text, where);
    message.location = new vscode.Location(uri, new vscode.Range(line, 0, line, 0));
    return message;
  });
}

/** A file that cannot be read says where; everything else is about the whole file. */
function errorMessages(file: string, error: unknown): vscode.TestMessage[] {
  const details = WeirError.is(error) ? (error.details ?? []) : [];
  const placed = details.flatMap(({ message, file: where, line }) =>
    where === file && typeof line === 'number' ? [{ message, line: line - 1 }] : [],
  );
  const all = placed.length > 0 ? placed : [{ message: messageOf(error), line: 0 }];
  return all.map(({ message: text, line }) => {
    const message = new vscode.TestMessage(text);
    message.location = new vscode.Location(
      vscode.Uri.file(file),
      new vscode.Range(line, 0, line, 0),
    );
    return message;
  });
}

function shown(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}
