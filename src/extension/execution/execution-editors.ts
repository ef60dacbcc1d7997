import * as vscode from 'vscode';
import type { Execution } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import { bindPage } from '../connection/page-runtime.ts';
import { findable } from '../webview-page.ts';
import { executionOf, executionUri, executionViewType } from '../workflows/execution-documents.ts';
import type { ExecutionPageParts, ExecutionSession } from './session.ts';

/** Executions as pages, each with its timeline. Their code is a bundle of its own that is loaded when the first one opens. */
export class ExecutionEditors implements vscode.CustomReadonlyEditorProvider, vscode.Disposable {
  readonly #parts: ExecutionPageParts;
  readonly #registration: vscode.Disposable;
  /** Pages that are open, by URI: the same one can be open in two columns. */
  readonly #open = new Map<string, Set<ExecutionSession>>();
  /** The step that a page shows first when it opens, by URI. */
  readonly #first = new Map<string, string>();

  constructor(parts: ExecutionPageParts) {
    this.#parts = parts;
    this.#registration = vscode.window.registerCustomEditorProvider(executionViewType, this, {
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: findable,
    });
  }

  /**
   * Shows an execution as a page, or as whatever else the user has chosen for executions.
   * @param step key of the run of a step whose details are shown
   */
  async show(folder: Folder, execution: Execution, step?: string): Promise<void> {
    const uri = executionUri(folder, execution);
    const id = uri.toString();
    const pages = [...(this.#open.get(id) ?? [])];
    if (step !== undefined && pages.length === 0) this.#first.set(id, step);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
    if (step !== undefined) for (const page of pages) page.choose(step);
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor(
    { uri }: vscode.CustomDocument,
    panel: vscode.WebviewPanel,
  ): Promise<void> {
    const { openExecutionPage } = await import('./session.ts');
    const id = uri.toString();
    const shown = executionOf(this.#parts.folders, uri);
    if (shown !== undefined) bindPage(panel, this.#parts.folders, shown.folder);
    const session = openExecutionPage(this.#parts, uri, panel, this.#first.get(id));
    this.#first.delete(id);
    const pages = this.#open.get(id) ?? new Set();
    this.#open.set(id, pages.add(session));
    panel.onDidDispose(() => {
      pages.delete(session);
      if (pages.size === 0) this.#open.delete(id);
    });
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
