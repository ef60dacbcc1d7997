import * as vscode from 'vscode';
import { resultScheme } from './result-documents.ts';
import { runScheme } from './run-documents.ts';
import { stackPlaces } from './stack-places.ts';

/** Makes links of the stack frames in logs, runs and results, wherever the files lie. */
export function registerStackLinks(): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    [{ scheme: runScheme }, { scheme: resultScheme }, { scheme: 'output', language: 'log' }],
    {
      provideDocumentLinks: (document) =>
        stackPlaces(document.getText()).map(({ start, end, file, line, column }) => {
          const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
          const target = vscode.Uri.file(file).with({ fragment: `L${line},${column}` });
          return new vscode.DocumentLink(range, target);
        }),
    },
  );
}
