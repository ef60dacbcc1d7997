import * as vscode from 'vscode';
import type { Result } from '../../protocol/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Folders } from '../connection/folders.ts';
import { watchTexts } from '../problems/watch-texts.ts';
import { workflowFileName } from './workflow-files.ts';

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
} as const;

/**
 * Has the runtime read the `workflow.yaml` that are open, as they are typed: only it knows what a workflow may say.
 * Nothing of it is run, and no check starts a runtime.
 */
export class WorkflowChecks implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #collection = vscode.languages.createDiagnosticCollection('weir-workflow-text');
  readonly #disposables: vscode.Disposable;

  constructor(folders: Folders, clock: Clock) {
    this.#folders = folders;
    this.#disposables = vscode.Disposable.from(
      this.#collection,
      // Another connection may know what the last one did not.
      folders.onDidChangeState(() => {
        for (const document of vscode.workspace.textDocuments) void this.#check(document);
      }),
      watchTexts(clock, {
        isWanted: isWorkflow,
        check: (document) => void this.#check(document),
        forget: (uri) => this.#collection.delete(uri),
      }),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    if (!isWorkflow(document)) return;
    const { uri, version } = document;
    const { client } = this.#folders.of(uri.fsPath).link;
    if (client === undefined) return;
    // The next change, or the next connection, checks it again.
    const text = document.getText();
    const found = await client.call('workflows.check', { text }).catch(() => undefined);
    if (found === undefined || document.isClosed || document.version !== version) return;
    this.#collection.set(uri, found.diagnostics.map(diagnosticOf));
  }
}

function isWorkflow({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'file' && uri.path.endsWith(`/${workflowFileName}`);
}

function diagnosticOf(found: Result<'workflows.check'>['diagnostics'][number]): vscode.Diagnostic {
  const range = new vscode.Range(
    found.line - 1,
    found.column,
    found.end_line - 1,
    found.end_column,
  );
  const diagnostic = new vscode.Diagnostic(range, found.message, severities[found.severity]);
  diagnostic.source = 'Weir';
  return diagnostic;
}
