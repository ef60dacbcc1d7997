import * as vscode from 'vscode';
import { needsTypes } from '../../client/author-types.ts';
import type { Cancel, Clock } from '../clock.ts';
import { isStepFile, workflowFileName, workflowFileOf } from '../workflows/workflow-files.ts';
import type { RunDataParts } from './run-data.ts';

/** Executions change many times while they run. */
const waitMs = 1000;

/**
 * Keeps the types of `steps` of the workflows whose code is shown: after it was opened or saved, and after each of
 * their executions.
 * @param write for one `workflow.yaml`; loads what it needs
 */
export function followStepTypes(
  { folders }: Pick<RunDataParts, 'folders'>,
  clock: Clock,
  write: (file: string) => Promise<void>,
): vscode.Disposable {
  const waiting = new Map<string, Cancel>();
  const look = (document: vscode.TextDocument): void => {
    const file = document.uri.scheme === 'file' ? workflowFileOf(document.uri.fsPath) : undefined;
    if (file === undefined || !vscode.workspace.isTrusted) return;
    waiting.get(file)?.();
    waiting.set(
      file,
      clock.after(waitMs, () => {
        waiting.delete(file);
        void write(file);
      }),
    );
  };
  const lookAtCode = (document: vscode.TextDocument): void => {
    if (isStepFile(document.uri.fsPath) && needsTypes(document.getText())) look(document);
  };
  const lookAtShown = (): void => {
    for (const { document } of vscode.window.visibleTextEditors) lookAtCode(document);
  };
  lookAtShown();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor((editor) => editor && lookAtCode(editor.document)),
    vscode.workspace.onDidSaveTextDocument((document) => {
      // A step that is new in the file is known to the code beside it.
      if (document.uri.path.endsWith(`/${workflowFileName}`)) lookAtShown();
      else lookAtCode(document);
    }),
    folders.onDidChange(({ touched }) => {
      if (touched.executions.size > 0) lookAtShown();
    }),
    { dispose: () => waiting.forEach((cancel) => cancel()) },
  );
}
