import * as vscode from 'vscode';
import type { Clock } from '../clock.ts';
import type { Folders } from '../connection/folders.ts';
import { bindPage } from '../connection/page-runtime.ts';
import { titleAt } from '../connection/runtime-identity.ts';
import type { AccountSharing } from '../account-sharing.ts';
import { copyFor } from '../copy.ts';
import { findable, keptSubject, showPage } from '../webview-page.ts';
import { connectApp, enterSecret } from './connect-app.ts';
import { parsePageMessage } from './page-message.ts';
import { FormSession } from './session.ts';
import { parseSubject, subjectKey, type FormSubject } from './subject.ts';
import type { FormTask } from './task.ts';

const viewType = 'weir.propForm';

export interface FormPanelsOptions {
  readonly extensionUri: vscode.Uri;
  readonly folders: Pick<Folders, 'onDidChangeState'>;
  /** The task of a form that was open when the window was reloaded; undefined when its folder or file is gone. */
  readonly restore: (subject: FormSubject) => FormTask | undefined;
  readonly sharing: AccountSharing;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
}

interface OpenForm {
  readonly panel: vscode.WebviewPanel;
  readonly session: FormSession;
  readonly task: FormTask;
}

/** The open forms, one per subject, each an editor tab. */
export class FormPanels implements vscode.Disposable {
  readonly #options: FormPanelsOptions;
  /** By subject. */
  readonly #open = new Map<string, OpenForm>();
  readonly #disposables: vscode.Disposable;

  constructor(options: FormPanelsOptions) {
    this.#options = options;
    this.#disposables = vscode.Disposable.from(
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

  /** Shows the form of a task; the one that is open already when there is one for the same. */
  open(task: FormTask): void {
    const present = this.#open.get(subjectKey(task.subject));
    if (present !== undefined) {
      const isAlike =
        present.task.subject.kind === task.subject.kind && present.task.purpose === task.purpose;
      if (isAlike) return present.panel.reveal();
      present.panel.dispose();
    }
    const panel = vscode.window.createWebviewPanel(
      viewType,
      titleAt(task.folder, task.title),
      vscode.ViewColumn.Active,
      findable,
    );
    this.#attach(panel, task);
  }

  dispose(): void {
    this.#disposables.dispose();
    // The panels stay: a window that is reloaded hands them to the serializer again.
    for (const { session } of this.#open.values()) session.dispose();
  }

  #restore(panel: vscode.WebviewPanel, state: unknown): void {
    const subject = parseSubject(keptSubject(state));
    const task = subject === undefined ? undefined : this.#options.restore(subject);
    if (task === undefined) panel.dispose();
    else this.#attach(panel, task);
  }

  #attach(panel: vscode.WebviewPanel, task: FormTask): void {
    const { extensionUri, folders, sharing, clock, log } = this.#options;
    const key = subjectKey(task.subject);
    let isOpen = true;
    const copy = copyFor(panel);
    const session = new FormSession({
      task,
      post: (message) => {
        // An answer may arrive after the tab was closed, and a disposed panel throws.
        if (isOpen) void panel.webview.postMessage(message);
      },
      connect: connectApp,
      enterSecret,
      sharing,
      clock,
      copy: (text) => void copy(text),
      close: () => panel.dispose(),
      log: (line) => log.info(line),
    });
    this.#open.set(key, { panel, session, task });
    panel.iconPath = new vscode.ThemeIcon('settings');
    bindPage(panel, folders, task.folder);
    panel.webview.onDidReceiveMessage((sent: unknown) => {
      const message = parsePageMessage(sent);
      if (message === undefined) log.warn('A form sent an unknown message.');
      else session.receive(message);
    });
    panel.onDidDispose(() => {
      isOpen = false;
      session.dispose();
      if (this.#open.get(key)?.panel === panel) this.#open.delete(key);
    });
    const pages = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    showPage(panel.webview, pages, 'prop-form');
  }
}
