import * as vscode from 'vscode';
import { WeirError, type ErrorDetail } from '../../protocol/errors.ts';
import { definitionProblems } from './definition-problems.ts';

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
      if (WeirError.is(error, 'bad_component')) this.#show(file, await byFile(file, error));
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

async function byFile(file: string, error: WeirError): Promise<Map<string, vscode.Diagnostic[]>> {
  const found = new Map<string, vscode.Diagnostic[]>();
  const add = (at: string, diagnostic: vscode.Diagnostic): void => {
    found.set(at, [...(found.get(at) ?? []), diagnostic]);
  };
  const details = error.details ?? [];
  const placed = details.filter(({ line }) => line !== undefined);
  for (const detail of placed) add(detail.file ?? file, diagnosticOf(detail));
  if (placed.length > 0) return found;
  // It is about the definition, which was evaluated; the editor has the path beside each problem.
  const message = error.message.replace(`${file}: `, '');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  for (const { start, end, message: sentence } of definitionProblems(
    document.getText(),
    details.length > 0 ? details : [{ message }],
  )) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    add(file, ofWeir(range, sentence));
  }
  return found;
}

function diagnosticOf(detail: ErrorDetail): vscode.Diagnostic {
  const line = Math.max(0, (detail.line ?? 1) - 1);
  const column = detail.column ?? 0;
  const range = new vscode.Range(line, column, line, column + 1);
  return ofWeir(range, detail.message);
}

function ofWeir(range: vscode.Range, message: string): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message);
  diagnostic.source = 'Weir';
  return diagnostic;
}
