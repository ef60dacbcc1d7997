import * as vscode from 'vscode';
import type { DeployWarning } from '../../protocol/catalogue.ts';
import { WeirError, type ErrorDetail } from '../../protocol/errors.ts';

/**
 * Why a workflow could not be deployed, or what it was deployed in spite of, at its places in `workflow.yaml` and in
 * the code of its steps.
 */
export class WorkflowProblems implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('weir-workflow');
  /** By workflow file: the files marked by its last deploy. */
  readonly #marked = new Map<string, readonly vscode.Uri[]>();

  /**
   * Runs a deploy or a test: what it warns of replaces the marks, and so do errors with places. Settles as it does.
   * @param file `workflow.yaml`
   */
  async during<T extends { readonly warnings: readonly DeployWarning[] }>(
    file: string,
    deploy: () => PromiseLike<T>,
  ): Promise<T> {
    try {
      const result = await deploy();
      this.#show(file, result.warnings);
      return result;
    } catch (error) {
      // Not `instanceof`: the connection is a bundle of its own.
      const details = WeirError.is(error) ? (error.details ?? []) : [];
      const placed = details.filter(({ line }) => line !== undefined);
      if (placed.length > 0) this.#show(file, placed);
      throw error;
    }
  }

  dispose(): void {
    this.#collection.dispose();
  }

  #show(file: string, details: readonly (ErrorDetail | DeployWarning)[]): void {
    for (const uri of this.#marked.get(file) ?? []) this.#collection.delete(uri);
    const byFile = new Map<string, vscode.Diagnostic[]>();
    for (const detail of details) {
      const at = detail.file ?? file;
      const found = diagnosticOf(at, detail);
      if (!isKnown(at, found)) byFile.set(at, [...(byFile.get(at) ?? []), found]);
    }
    const marked = [...byFile].map(([path, found]) => {
      const uri = vscode.Uri.file(path);
      this.#collection.set(uri, found);
      return uri;
    });
    this.#marked.set(file, marked);
  }
}

/** Lines count from 1, columns from 0; what is written in the rest of the line is marked. */
function diagnosticOf(
  file: string,
  { message, line = 1, column = 0, severity }: ErrorDetail,
): vscode.Diagnostic {
  const row = Math.max(0, line - 1);
  const shown = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file);
  const blank =
    shown !== undefined && row < shown.lineCount
      ? shown.lineAt(row).firstNonWhitespaceCharacterIndex
      : 0;
  const range = new vscode.Range(row, Math.max(blank, column), row, Number.MAX_SAFE_INTEGER);
  const diagnostic = new vscode.Diagnostic(range, message, severityOf(severity));
  diagnostic.source = 'Weir';
  return diagnostic;
}

function severityOf(severity: unknown): vscode.DiagnosticSeverity {
  if (severity === 'warning') return vscode.DiagnosticSeverity.Warning;
  if (severity === 'info') return vscode.DiagnosticSeverity.Information;
  return vscode.DiagnosticSeverity.Error;
}

/** The check of the text says the same already. */
function isKnown(file: string, { message, range }: vscode.Diagnostic): boolean {
  return vscode.languages
    .getDiagnostics(vscode.Uri.file(file))
    .some((one) => one.message === message && one.range.start.line === range.start.line);
}
