import * as vscode from 'vscode';
import type { Result } from '../../protocol/catalogue.ts';

let collection: vscode.DiagnosticCollection | undefined;

/** Marks what the last import found, each at its line; a file that is saved or deleted loses its marks. */
export function markFindings({ workflows }: Result<'imports.run'>): void {
  collection ??= create();
  collection.clear();
  const byFile = new Map<string, vscode.Diagnostic[]>();
  for (const { message, file, line, step, state } of workflows.flatMap(
    ({ findings }) => findings,
  )) {
    // Errors in the text are marked by the check of the file.
    if (state === 'note' || file === null) continue;
    const row = Math.max(0, line - 1);
    const range = new vscode.Range(row, 0, row, Number.MAX_SAFE_INTEGER);
    const text = step === null ? message : `${step}: ${message}`;
    const mark = new vscode.Diagnostic(range, text, vscode.DiagnosticSeverity.Warning);
    mark.source = 'Weir import';
    byFile.set(file, [...(byFile.get(file) ?? []), mark]);
  }
  for (const [file, marks] of byFile) collection.set(vscode.Uri.file(file), marks);
}

function create(): vscode.DiagnosticCollection {
  const made = vscode.languages.createDiagnosticCollection('weir-import');
  vscode.workspace.onDidSaveTextDocument(({ uri }) => made.delete(uri));
  vscode.workspace.onDidDeleteFiles(({ files }) => {
    for (const uri of files) made.delete(uri);
  });
  return made;
}
