import * as vscode from 'vscode';
import { WeirError, type ErrorDetail } from '../../protocol/errors.ts';
import { definitionProblems } from './definition-problems.ts';
import { UnsaidProblems } from './unsaid-problems.ts';

/** Errors the runtime found when it built or loaded a component, shown in the files. */
export class ComponentProblems implements vscode.Disposable {
  readonly #shown = new UnsaidProblems('weir');
  /** By component: what its last build found, by file, in its own and in those it imports. */
  readonly #found = new Map<string, ReadonlyMap<string, readonly vscode.Diagnostic[]>>();

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
      // Only this error is about the text; a failed hook, for example, is not.
      if (WeirError.is(error, 'bad_component')) this.#show(file, await byFile(file, error));
      throw error;
    }
  }

  dispose(): void {
    this.#shown.dispose();
  }

  #show(component: string, found: ReadonlyMap<string, readonly vscode.Diagnostic[]>): void {
    const before = this.#found.get(component) ?? new Map<string, never>();
    if (found.size === 0) this.#found.delete(component);
    else this.#found.set(component, found);
    for (const path of new Set([...before.keys(), ...found.keys()])) {
      // Several components may import the file: each error of it once, until the last of them builds.
      const all = [...this.#found.values()].flatMap((one) => one.get(path) ?? []);
      this.#shown.set(vscode.Uri.file(path), withoutRepeats(all));
    }
  }
}

function withoutRepeats(all: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
  const isSame = (a: vscode.Diagnostic, b: vscode.Diagnostic): boolean =>
    a.message === b.message && a.range.isEqual(b.range);
  return all.filter((one, at) => all.findIndex((other) => isSame(one, other)) === at);
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
  const document = await documentOf(file);
  // There is no place to mark in a file that is gone, and the error says that it is.
  if (document === undefined) return found;
  for (const { start, end, message: sentence } of definitionProblems(
    document.getText(),
    details.length > 0 ? details : [{ message }],
  )) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    add(file, ofWeir(range, sentence));
  }
  return found;
}

async function documentOf(file: string): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  } catch {
    return undefined;
  }
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
