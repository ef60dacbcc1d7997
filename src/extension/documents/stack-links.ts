import * as vscode from 'vscode';
import { executionScheme } from '../workflows/execution-documents.ts';
import { resultScheme } from './result-documents.ts';
import { runScheme } from './run-documents.ts';
import { stackFrames } from './stack-frames.ts';

/** Turns stack frames in logs, runs and results into links, wherever their files are. */
export function registerStackLinks(): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    [
      { scheme: runScheme },
      { scheme: resultScheme },
      { scheme: executionScheme },
      { scheme: 'output', language: 'log' },
    ],
    {
      provideDocumentLinks: (document) =>
        stackFrames(document.getText()).map(({ start, end, file, line, column }) => {
          const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
          const target = vscode.Uri.file(file).with({ fragment: `L${line},${column}` });
          return new vscode.DocumentLink(range, target);
        }),
    },
  );
}
