import * as vscode from 'vscode';
import type { CommandContext } from '../commands/context.ts';
import { chosenTests, isTestFile, TestItems } from './test-items.ts';

/** A bundle of its own (scripts/bundles.mts): loaded with the first run. */
const loadRun = () => import('./run-tests.ts');

/** Tests of workflows in VS Code's Test Explorer: found when it is opened, run and debugged there. */
export function registerTests(
  context: Pick<CommandContext, 'folders' | 'debug' | 'output'>,
): vscode.Disposable {
  const controller = vscode.tests.createTestController('weir.tests', 'Weir');
  const items = new TestItems(controller);
  controller.resolveHandler = async (item) => {
    if (item === undefined) await items.find();
  };
  controller.refreshHandler = () => items.find();
  const start = async (
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    isDebugged: boolean,
  ): Promise<void> => {
    const run = controller.createTestRun(request);
    try {
      const { runTests } = await loadRun();
      const tests = token.isCancellationRequested ? [] : chosenTests(request, controller.items);
      await runTests(context, run, tests, isDebugged);
    } finally {
      run.end();
    }
  };
  const { Run, Debug } = vscode.TestRunProfileKind;
  controller.createRunProfile('Run', Run, (request, token) => start(request, token, false), true);
  controller.createRunProfile('Debug', Debug, (request, token) => start(request, token, true));
  // A file that is edited has its mark beside the first line at once.
  const shown = (document: vscode.TextDocument): void => {
    if (isTestFile(document.uri)) void items.add(document.uri);
  };
  vscode.workspace.textDocuments.forEach(shown);
  return vscode.Disposable.from(controller, items, vscode.workspace.onDidOpenTextDocument(shown));
}
