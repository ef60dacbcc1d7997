import * as vscode from 'vscode';
import type { Result } from '../../protocol/catalogue.ts';
import { invocationHeader } from '../../protocol/invocation-header.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { isGoingOn, outcomeOf } from '../views/invocation-line.ts';
import { answerText } from './answer-text.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { httpLanguage } from './request-files.ts';
import { type Answer, headerOf } from './send-request.ts';

export const answerScheme = 'weir-answer';

/** An answer, and the request that it belongs to. */
export interface ShownAnswer {
  readonly answer: Answer;
  readonly sent: PreparedRequest;
  readonly folder: Folder;
  readonly sourceId: string;
}

/** A request that is found again by its name, else by its place among the others, however its file has changed. */
export interface SentRequest {
  readonly uri: vscode.Uri;
  readonly name: string | undefined;
  /** Among the requests of its file. */
  readonly index: number;
}

type Run = Result<'invocations.get'>;

const uri = vscode.Uri.from({ scheme: answerScheme, path: '/Answer' });

/** The newest answer as a read-only document beside its request: the next answer takes its place. */
export class AnswerDocument
  implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable
{
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;
  #shown: ShownAnswer | undefined;
  #run: Run | undefined;
  /** The request sent last in this window, answered or not. */
  last: SentRequest | undefined;
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;

  constructor(folders: Folders) {
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      this.#lensesChanged,
      vscode.workspace.registerTextDocumentContentProvider(answerScheme, this),
      vscode.languages.registerCodeLensProvider({ scheme: answerScheme }, this),
      folders.onDidChange(({ folder, touched }) => {
        const shown = this.#shown;
        if (shown?.folder !== folder || !touched.emitters.has(shown.sourceId)) return;
        if (this.#run === undefined || isGoingOn(this.#run)) void this.#readRun(shown);
      }),
    );
  }

  /** Keeps the focus where it is, because the user continues to write requests. */
  async show(shown: ShownAnswer): Promise<void> {
    this.#shown = shown;
    this.#run = undefined;
    this.#changed.fire(uri);
    // Lenses of the previous answer lead to that answer's run.
    this.#lensesChanged.fire();
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, httpLanguage);
    await vscode.window.showTextDocument(document, {
      viewColumn: columnOfAnswer(document) ?? vscode.ViewColumn.Beside,
      preserveFocus: true,
      // As a preview the run that one goes to would take its place.
      preview: false,
    });
    await this.#readRun(shown);
  }

  provideTextDocumentContent(): string {
    if (this.#shown === undefined) return '# The answer of a request that is sent shows up here.\n';
    return answerText(this.#shown.answer, this.#shown.sent);
  }

  /** The ways on from an answer. */
  provideCodeLenses(): vscode.CodeLens[] {
    if (this.#shown === undefined) return [];
    const { folder, sourceId } = this.#shown;
    const run = this.#run;
    const lens = (title: string, command: string, ...args: unknown[]): vscode.CodeLens =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: args });
    const emitted = run?.emitted.filter(({ dropped }) => dropped === null) ?? [];
    const [event, another] = emitted;
    return [
      ...(run === undefined
        ? []
        : [
            lens(`Show Run ${run.id}: ${outcomeOf(run)}`, 'weir.showInvocation', {
              kind: 'invocation',
              folder,
              invocation: run,
            }),
          ]),
      ...(event === undefined
        ? []
        : another === undefined
          ? [lens('Inspect Event', 'weir.inspectEvent', { kind: 'event', folder, event })]
          : [lens('Show Events', 'weir.revealSource', sourceId)]),
      ...(vscode.workspace.isTrusted ? [lens('Send Again', 'weir.sendAgain')] : []),
    ];
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Nothing for an answer that was given before there was a run, such as one to a body that is too large. */
  async #readRun(shown: ShownAnswer): Promise<void> {
    const id = headerOf(shown.answer.headers, invocationHeader);
    const { client } = shown.folder.link;
    if (id === undefined || client === undefined) return;
    const of = { id: shown.sourceId, invocation_id: id };
    // A run that no longer exists has no lens.
    const run = await client.call('invocations.get', of).catch(() => undefined);
    if (shown !== this.#shown) return;
    this.#run = run;
    this.#lensesChanged.fire();
  }
}

/** The column that shows the answer, otherwise the column of its tab; never in front of the request it answers. */
function columnOfAnswer(document: vscode.TextDocument): vscode.ViewColumn | undefined {
  const seen = vscode.window.visibleTextEditors.find((one) => one.document === document);
  const waiting = vscode.window.tabGroups.all.find(
    ({ isActive, tabs }) =>
      !isActive &&
      tabs.some(
        ({ input }) =>
          input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
      ),
  );
  return seen?.viewColumn ?? waiting?.viewColumn;
}
