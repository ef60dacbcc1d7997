import * as vscode from 'vscode';
import type { Invocation, Result } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { titleAt } from '../connection/runtime-identity.ts';
import { hasFailed } from '../../client/past-executions.ts';
import type { SeenRuns } from '../runs/seen-runs.ts';
import { isGoingOn, titleOfRun } from '../views/invocation-line.ts';
import { notHere } from './json-documents.ts';
import { runReport } from './run-report.ts';

export const runScheme = 'weir-run';

/** Runs as read-only texts; one that has not ended is read again when it has. */
export class RunDocuments
  implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable
{
  readonly #folders: Folders;
  readonly #seen: SeenRuns;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;
  /** The runs of the open documents as they were last read, by URI. */
  readonly #read = new Map<string, Invocation>();
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;

  constructor(folders: Folders, seen: SeenRuns) {
    this.#folders = folders;
    this.#seen = seen;
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      this.#lensesChanged,
      vscode.workspace.registerTextDocumentContentProvider(runScheme, this),
      vscode.languages.registerCodeLensProvider({ scheme: runScheme }, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#read.delete(uri.toString())),
      folders.onDidChange(({ folder, touched }) => {
        if (touched.emitters.size > 0) this.#refresh(folder, touched.emitters);
      }),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const folder = this.#folderOf(uri);
    if (folder === undefined) return notHere;
    const { sourceId: id, invocationId } = runAddressOf(uri);
    const run = await this.#readRun(folder, uri);
    if (hasFailed(run)) this.#seen.see(folder, id, invocationId);
    this.#lensesChanged.fire();
    return runReport(run, folder.mirror.emitter(id)?.name ?? id);
  }

  /** Above the text: what can be done with the run. */
  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const folder = this.#folderOf(uri);
    if (folder === undefined || !vscode.workspace.isTrusted) return [];
    // VS Code may report that a document has closed after it was opened and read again.
    const run = this.#read.get(uri.toString()) ?? (await this.#readRun(folder, uri));
    const lens = (title: string, command: string): vscode.CodeLens =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [uri] });
    return [
      ...(isGoingOn(run) ? [lens('$(debug-stop) Stop Run', 'weir.stopRun')] : []),
      ...(run.hook === null && hasFailed(run) ? [lens('$(refresh) Retry', 'weir.retryRun')] : []),
      ...(run.hook === null
        ? [lens('$(debug-alt) Debug This Run', 'weir.debugRun'), lens('Replay…', 'weir.replay')]
        : []),
      ...(run.request === null
        ? []
        : [
            lens('Copy as cURL', 'weir.copyCurl'),
            lens('Save as HTTP Request', 'weir.saveRequest'),
          ]),
    ];
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #folderOf(uri: vscode.Uri): Folder | undefined {
    return this.#folders.withKey(runAddressOf(uri).runtime);
  }

  async #readRun(folder: Folder, uri: vscode.Uri): Promise<Result<'invocations.get'>> {
    const { sourceId: id, invocationId: invocation_id } = runAddressOf(uri);
    const client = await folder.link.ready();
    const run = await client.call('invocations.get', { id, invocation_id });
    this.#read.set(uri.toString(), run);
    return run;
  }

  /** Documents of these emitters that were read before their run ended. */
  #refresh(folder: Folder, emitterIds: ReadonlySet<string>): void {
    for (const document of vscode.workspace.textDocuments) {
      const { uri } = document;
      if (uri.scheme !== runScheme) continue;
      const { runtime, sourceId } = runAddressOf(uri);
      const run = this.#read.get(uri.toString());
      const isUnfinished = run !== undefined && isGoingOn(run);
      if (runtime === folder.key && isUnfinished && emitterIds.has(sourceId)) {
        this.#changed.fire(uri);
      }
    }
  }
}

export function runUri(folder: Folder, run: Invocation): vscode.Uri {
  const query = new URLSearchParams({
    folder: folder.key,
    emitter: run.source_id,
    id: run.id,
  });
  // A slash would end the name of the tab.
  const title = titleAt(folder, `${titleOfRun(run)} ${run.id}`);
  const path = `/${title.replaceAll('/', '∕')}.log`;
  return vscode.Uri.from({ scheme: runScheme, path, query: query.toString() });
}

export interface RunAddress {
  /** Key of the runtime. */
  readonly runtime: string | null;
  readonly sourceId: string;
  readonly invocationId: string;
}

/** The run that a document of `runUri` shows. */
export function runAddressOf(uri: vscode.Uri): RunAddress {
  const query = new URLSearchParams(uri.query);
  return {
    runtime: query.get('folder'),
    sourceId: query.get('emitter') ?? '',
    invocationId: query.get('id') ?? '',
  };
}
