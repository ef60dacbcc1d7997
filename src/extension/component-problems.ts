import * as vscode from 'vscode';
import { WeirError, type ErrorDetail } from '../protocol/errors.ts';

/** What the runtime found wrong with component files, shown in the files. */
export class ComponentProblems implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('weir');

  /** Runs a build of a file: its old problems go when it succeeds, new ones show when it fails. */
  async during<T>(file: string, build: () => Promise<T>): Promise<T> {
    try {
      const result = await build();
      this.#collection.clear();
      return result;
    } catch (error) {
      if (WeirError.is(error)) this.#show(file, error.message, error.details ?? []);
      throw error;
    }
  }

  dispose(): void {
    this.#collection.dispose();
  }

  #show(file: string, message: string, details: readonly ErrorDetail[]): void {
    const byFile = new Map<string, vscode.Diagnostic[]>();
    for (const detail of details) {
      if (detail.line === undefined) continue;
      const at = detail.file ?? file;
      const found = byFile.get(at) ?? [];
      found.push(diagnosticOf(detail));
      byFile.set(at, found);
    }
    // Nothing to point at (the component threw while it was evaluated): say it at the top.
    if (byFile.size === 0) byFile.set(file, [diagnosticOf({ message, line: 1, column: 0 })]);
    this.#collection.clear();
    for (const [path, found] of byFile) this.#collection.set(vscode.Uri.file(path), found);
  }
}

function diagnosticOf(detail: ErrorDetail): vscode.Diagnostic {
  const line = Math.max(0, (detail.line ?? 1) - 1);
  const column = detail.column ?? 0;
  const range = new vscode.Range(line, column, line, column + 1);
  const diagnostic = new vscode.Diagnostic(range, detail.message);
  diagnostic.source = 'Weir';
  return diagnostic;
}
