import * as vscode from 'vscode';
import { WeirError, type ErrorDetail } from '../../protocol/errors.ts';

/** Errors the runtime found when it built or loaded a component, shown in the files. */
export class ComponentProblems implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('weir');
  /** By component: the files marked by its last build, its own and those it imports. */
  readonly #marked = new Map<string, readonly string[]>();

  /**
   * Runs a build of a file: success removes its problems, failure replaces them.
   * Settles as the build does.
   */
  async during<T>(file: string, build: () => Promise<T>): Promise<T> {
    try {
      const result = await build();
      this.#show(file, new Map());
      return result;
    } catch (error) {
      // Of all that can go wrong only this is about the text; a hook that failed, for one, is not.
      if (WeirError.is(error, 'bad_component')) {
        this.#show(file, byFile(file, error.message, error.details ?? []));
      }
      throw error;
    }
  }

  dispose(): void {
    this.#collection.dispose();
  }

  #show(component: string, found: ReadonlyMap<string, vscode.Diagnostic[]>): void {
    for (const path of this.#marked.get(component) ?? []) {
      if (!found.has(path)) this.#collection.delete(vscode.Uri.file(path));
    }
    this.#marked.set(component, [...found.keys()]);
    for (const [path, diagnostics] of found) {
      this.#collection.set(vscode.Uri.file(path), diagnostics);
    }
  }
}

function byFile(
  file: string,
  message: string,
  details: readonly ErrorDetail[],
): Map<string, vscode.Diagnostic[]> {
  const found = new Map<string, vscode.Diagnostic[]>();
  for (const detail of details) {
    if (detail.line === undefined) continue;
    const at = detail.file ?? file;
    found.set(at, [...(found.get(at) ?? []), diagnosticOf(detail)]);
  }
  // There is no place to point at when the component threw while it was evaluated: the top has to do.
  if (found.size === 0) found.set(file, [diagnosticOf({ message, line: 1, column: 0 })]);
  return found;
}

function diagnosticOf(detail: ErrorDetail): vscode.Diagnostic {
  const line = Math.max(0, (detail.line ?? 1) - 1);
  const column = detail.column ?? 0;
  const range = new vscode.Range(line, column, line, column + 1);
  const diagnostic = new vscode.Diagnostic(range, detail.message);
  diagnostic.source = 'Weir';
  return diagnostic;
}
