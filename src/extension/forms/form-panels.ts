import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { pageHtml } from './page-html.ts';
import { parsePageMessage } from './page-message.ts';
import { FormSession } from './session.ts';
import { parseSubject, subjectKey, type FormSubject } from './subject.ts';
import type { FormTask } from './task.ts';

const viewType = 'weir.propForm';

export interface FormPanelsOptions {
  readonly extensionUri: vscode.Uri;
  /** Of a form that was open when the window was reloaded; undefined when its folder or file is gone. */
  readonly restore: (subject: FormSubject) => FormTask | undefined;
  readonly log: vscode.LogOutputChannel;
}

interface Open {
  readonly panel: vscode.WebviewPanel;
  readonly session: FormSession;
  readonly task: FormTask;
}

/** The open forms, one per subject, each an editor tab. */
export class FormPanels implements vscode.Disposable {
  readonly #options: FormPanelsOptions;
  readonly #open = new Map<string, Open>();
  readonly #listening: vscode.Disposable;

  constructor(options: FormPanelsOptions) {
    this.#options = options;
    this.#listening = vscode.Disposable.from(
      vscode.window.registerWebviewPanelSerializer(viewType, {
        deserializeWebviewPanel: (panel, state: unknown) => {
          this.#restore(panel, state);
          return Promise.resolve();
        },
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        for (const { task, session } of this.#open.values()) {
          if (task.file === uri.fsPath) void session.load();
        }
      }),
    );
  }

  /** Shows the form of a task; the one that is open already when there is one. */
  open(task: FormTask): void {
    const there = this.#open.get(subjectKey(task.subject));
    if (there !== undefined) {
      if (there.task.subject.kind === task.subject.kind) return there.panel.reveal();
      there.panel.dispose();
    }
    const panel = vscode.window.createWebviewPanel(
      viewType,
      task.title,
      vscode.ViewColumn.Active,
      {},
    );
    this.#attach(panel, task);
  }

  dispose(): void {
    this.#listening.dispose();
    // The panels stay: a window that is reloaded gives them back to the serializer.
    for (const { session } of this.#open.values()) session.dispose();
  }

  #restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = typeof state === 'object' && state !== null && 'subject' in state ? state : null;
    const subject = parseSubject(kept?.subject);
    const task = subject === undefined ? undefined : this.#options.restore(subject);
    if (task === undefined) panel.dispose();
    else this.#attach(panel, task);
  }

  #attach(panel: vscode.WebviewPanel, task: FormTask): void {
    const key = subjectKey(task.subject);
    const session = new FormSession({
      task,
      post: (message) => void panel.webview.postMessage(message),
      copy: (text) => void vscode.env.clipboard.writeText(text),
      close: () => panel.dispose(),
      log: (line) => this.#options.log.info(line),
    });
    this.#open.set(key, { panel, session, task });
    panel.iconPath = new vscode.ThemeIcon('settings');
    panel.webview.onDidReceiveMessage((sent: unknown) => {
      const message = parsePageMessage(sent);
      if (message === undefined) this.#options.log.warn('A form sent what is no message of ours.');
      else session.receive(message);
    });
    panel.onDidDispose(() => {
      session.dispose();
      this.#open.delete(key);
    });
    const folder = vscode.Uri.joinPath(this.#options.extensionUri, 'dist', 'webview');
    const asset = (name: string): string =>
      panel.webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
    panel.webview.options = { enableScripts: true, localResourceRoots: [folder] };
    panel.webview.html = pageHtml({
      cspSource: panel.webview.cspSource,
      nonce: randomBytes(16).toString('base64'),
      script: asset('prop-form.js'),
      style: asset('prop-form.css'),
    });
  }
}
