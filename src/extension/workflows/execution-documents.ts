import path from 'node:path';
import * as vscode from 'vscode';
import { isUnfinished } from '../../client/past-executions.ts';
import type { Execution, StepRun } from '../../protocol/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { titleAt } from '../connection/runtime-identity.ts';
import { executionReport, type ExecutionReport } from './execution-report.ts';
import type { ExecutionKey, WholeExecutions } from './whole-executions.ts';

export const executionScheme = 'weir-execution';
/** View type of the page that shows them. */
export const executionViewType = 'weir.execution';

/** Executions as read-only texts with their actions above them; a running one is refreshed. */
export class ExecutionDocuments
  implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable
{
  readonly #folders: Folders;
  readonly #whole: WholeExecutions;
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;
  /** By URI, of open documents. */
  readonly #reports = new Map<string, ExecutionReport>();
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;

  constructor(folders: Folders, whole: WholeExecutions, clock: Clock) {
    this.#folders = folders;
    this.#whole = whole;
    this.#clock = clock;
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      this.#lensesChanged,
      vscode.workspace.registerTextDocumentContentProvider(executionScheme, this),
      vscode.languages.registerCodeLensProvider({ scheme: executionScheme }, this),
      vscode.workspace.onDidCloseTextDocument((document) => {
        // A change of its language closes a document, too, which stays open.
        if (vscode.workspace.textDocuments.includes(document)) return;
        this.#reports.delete(document.uri.toString());
      }),
      // Their names have no ending that says it.
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (document.uri.scheme !== executionScheme || document.languageId === 'log') return;
        void vscode.languages.setTextDocumentLanguage(document, 'log');
      }),
      // Their lines are those of the new text.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === executionScheme) this.#lensesChanged.fire();
      }),
      whole.onDidChange.on(({ folder, id }) => {
        for (const { uri } of vscode.workspace.textDocuments) {
          const shown = executionOf(folders, uri);
          if (shown?.folder === folder && shown.id === id) this.#changed.fire(uri);
        }
      }),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const shown = executionOf(this.#folders, uri);
    if (shown === undefined) return 'This folder is no longer part of the workspace.\n';
    const execution = await this.#whole.of(shown);
    const { mirror } = shown.folder;
    const name = mirror.workflow(execution.workflow_id)?.name ?? execution.workflow_id;
    const report = executionReport(execution, name, this.#clock.now());
    this.#reports.set(uri.toString(), report);
    return report.text;
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const shown = executionOf(this.#folders, uri);
    const execution = shown && this.#whole.last(shown);
    const report = this.#reports.get(uri.toString());
    if (shown === undefined || execution === undefined || report === undefined) return [];
    const lens = (line: number, title: string, command: string, ...args: unknown[]) =>
      new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, arguments: args });
    const workflow = shown.folder.mirror.workflow(execution.workflow_id);
    const top = [
      lens(0, 'Show Timeline', 'vscode.openWith', uri, executionViewType),
      ...(isUnfinished(execution)
        ? [lens(0, '$(debug-stop) Cancel', 'weir.cancelExecution', uri)]
        : []),
      ...(execution.trigger === null ? [] : [lens(0, 'Replay', 'weir.replay', uri)]),
      ...(execution.request === null ? [] : [lens(0, 'Copy as cURL', 'weir.copyCurl', uri)]),
      ...(workflow === undefined ? [] : [lens(0, 'Open Workflow', 'weir.openWorkflow', uri)]),
    ];
    if (!vscode.workspace.isTrusted) return [];
    const steps = execution.steps.flatMap((step, at) => {
      const line = report.stepLines[at];
      if (line === undefined) return [];
      const code = workflow && codeOf(workflow, step);
      return [
        ...(step.status === 'paused' && isUnfinished(execution)
          ? [lens(line, '$(debug-continue) Resume', 'weir.resumeExecution', uri, step.path)]
          : []),
        ...(code === undefined ? [] : [lens(line, 'Open code', 'weir.openStep', code)]),
      ];
    });
    return [...top, ...steps];
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** The file of a step's code; undefined where it has none, as a published component. */
export function codeOf(
  workflow: {
    readonly path: string;
    readonly steps: readonly { namespace: string; uses: string | null }[];
  },
  { namespace }: Pick<StepRun, 'namespace'>,
): string | undefined {
  const uses = workflow.steps.find((step) => step.namespace === namespace)?.uses;
  if (uses === null || uses === undefined) return undefined;
  return uses.startsWith('.') || path.isAbsolute(uses)
    ? path.resolve(workflow.path, uses)
    : undefined;
}

export function executionUri(folder: Folder, execution: Execution): vscode.Uri {
  const query = new URLSearchParams({ folder: folder.key, id: execution.id });
  const workflow = folder.mirror.workflow(execution.workflow_id)?.name ?? execution.workflow_id;
  // A slash would end the name of the tab.
  const name = titleAt(folder, workflow, execution.id).replaceAll('/', '∕');
  return vscode.Uri.from({
    scheme: executionScheme,
    path: `/${name}`,
    query: query.toString(),
  });
}

/** The execution that a document shows. */
export function executionOf(
  folders: Pick<Folders, 'withKey'>,
  uri: vscode.Uri,
): ExecutionKey | undefined {
  if (uri.scheme !== executionScheme) return undefined;
  const query = new URLSearchParams(uri.query);
  const folder = folders.withKey(query.get('folder'));
  const id = query.get('id');
  return folder === undefined || id === null ? undefined : { folder, id };
}
