import * as vscode from 'vscode';
import type { PageMessage } from '../../webview/builder/messages.ts';
import { bindPage } from '../connection/page-runtime.ts';
import { copyFor } from '../copy.ts';
import { reportError } from '../notify.ts';
import { showPage } from '../webview-page.ts';
import type { BuilderContext, BuilderParts } from './builder-parts.ts';
import { ComponentList } from './component-list.ts';
import { OfferList } from './offer-list.ts';
import { doAction, previewSchedule } from './page-actions.ts';
import { parsePageMessage } from './page-message.ts';
import { ShownWorkflow } from './shown-workflow.ts';
import { StepForm } from './step-form.ts';
import { TextEdits } from './text-edits.ts';

/** Shows a document in a panel until that is closed. */
export function openBuilder(
  context: BuilderContext,
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
): void {
  const session = new BuilderSession(context, document, panel);
  panel.onDidDispose(() => session.dispose());
  showPage(panel.webview, vscode.Uri.joinPath(context.extensionUri, 'dist', 'webview'), 'builder');
}

/** An open builder: the text is the truth, and every action of the page is a change of the text. */
class BuilderSession {
  readonly #parts: BuilderParts;
  readonly #panel: vscode.WebviewPanel;
  readonly #shown: ShownWorkflow;
  readonly #edits: TextEdits;
  readonly #form: StepForm;
  readonly #components: ComponentList;
  readonly #offers: OfferList;
  readonly #disposables: vscode.Disposable;
  #isOpen = true;

  constructor(context: BuilderContext, document: vscode.TextDocument, panel: vscode.WebviewPanel) {
    this.#panel = panel;
    this.#parts = {
      context,
      document,
      file: document.uri.fsPath,
      folder: context.folders.of(document.uri.fsPath),
      isOpen: () => this.#isOpen,
      post: (message) => {
        if (this.#isOpen) void panel.webview.postMessage(message);
      },
      copy: copyFor(panel),
    };
    bindPage(panel, context.folders, this.#parts.folder);
    const shown = new ShownWorkflow(this.#parts);
    this.#shown = shown;
    this.#edits = new TextEdits(this.#parts, () => shown.postModel(true));
    this.#form = new StepForm(this.#parts, this.#edits);
    this.#components = new ComponentList(this.#parts);
    this.#offers = new OfferList(this.#parts);
    this.#disposables = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document: changedOne }) => {
        if (changedOne === document) shown.postModel();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => shown.postModel()),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((uri) => uri.toString() === document.uri.toString())) shown.postMarks();
      }),
      context.folders.onDidChange(({ touched }) => {
        if (touched.workflowList) shown.postModel();
        if (touched.executions.size > 0) void shown.postRuns();
        if (touched.emitterList || touched.workflowList) shown.postEmitters();
      }),
      panel.webview.onDidReceiveMessage((sent: unknown) => {
        const message = parsePageMessage(sent);
        if (message === undefined) context.output.warn('A builder sent an unknown message.');
        else this.#receive(message);
      }),
    );
  }

  dispose(): void {
    this.#isOpen = false;
    this.#form.close();
    this.#components.dispose();
    this.#offers.dispose();
    this.#disposables.dispose();
  }

  #receive(message: PageMessage): void {
    switch (message.t) {
      case 'ready':
        this.#shown.postModel();
        this.#shown.postMarks();
        this.#shown.postEmitters();
        return void this.#shown.postRuns();
      case 'look':
        return this.#shown.look(message.path ?? undefined);
      case 'openForm':
        return void this.#form.open(message.form, message.path);
      case 'form':
        return this.#form.receive(message);
      case 'closeForm':
        return this.#form.close();
      case 'preview':
        return void previewSchedule(this.#parts, message);
      case 'components':
        return void this.#components.post();
      case 'search':
        return void this.#offers.post(message.search);
      case 'do':
        return void doAction(this.#parts, this.#panel.viewColumn, this.#shown, message).catch(
          (error: unknown) => reportError(error, this.#parts.context.output),
        );
      case 'begin':
      case 'change':
      case 'insert':
      case 'add':
      case 'move':
      case 'remove':
      case 'duplicate':
      case 'rename':
        return this.#edits.receive(message);
      default:
        return message satisfies never;
    }
  }
}
