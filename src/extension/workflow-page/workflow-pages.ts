import * as vscode from 'vscode';
import type { Workflow } from '../../protocol/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { bindPage } from '../connection/page-runtime.ts';
import { titleAt } from '../connection/runtime-identity.ts';
import type { ExecutionEditors } from '../execution/execution-editors.ts';
import { findable, keptSubject } from '../webview-page.ts';

const viewType = 'weir.workflowPage';

export interface WorkflowPageContext {
  readonly folders: Folders;
  readonly executions: Pick<ExecutionEditors, 'show'>;
  readonly extensionUri: vscode.Uri;
  readonly output: vscode.LogOutputChannel;
  readonly clock: Clock;
}

/** Workflows as pages: how their executions went. Their code is a bundle of its own that is loaded when the first one opens. */
export class WorkflowPages implements vscode.Disposable {
  readonly #context: WorkflowPageContext;
  readonly #serializer: vscode.Disposable;
  /** By runtime and workflow. */
  readonly #open = new Map<string, vscode.WebviewPanel>();

  constructor(context: WorkflowPageContext) {
    this.#context = context;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        const { parseSubject } = await import('./session.ts');
        const subject = parseSubject(keptSubject(state));
        const folder = context.folders.withKey(subject?.runtime);
        if (subject === undefined || folder === undefined) panel.dispose();
        else await this.#attach(panel, folder, subject.workflowId);
      },
    });
  }

  /** Shows its page, the one that is open already where there is one. */
  show(folder: Folder, { id, name }: Workflow): void {
    const known = this.#open.get(`${folder.key} ${id}`);
    if (known !== undefined) return known.reveal();
    const column = vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(
      viewType,
      titleAt(folder, name),
      column,
      findable,
    );
    void this.#attach(panel, folder, id);
  }

  dispose(): void {
    this.#serializer.dispose();
    for (const panel of this.#open.values()) panel.dispose();
  }

  async #attach(panel: vscode.WebviewPanel, folder: Folder, id: string): Promise<void> {
    const key = `${folder.key} ${id}`;
    this.#open.set(key, panel);
    panel.iconPath = new vscode.ThemeIcon('graph');
    bindPage(panel, this.#context.folders, folder);
    let isOpen = true;
    panel.onDidDispose(() => {
      isOpen = false;
      if (this.#open.get(key) === panel) this.#open.delete(key);
    });
    const { openWorkflowPage } = await import('./session.ts');
    if (isOpen) openWorkflowPage(this.#context, panel, folder, id);
  }
}
