import * as vscode from 'vscode';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import type { Invocation } from '../../protocol/catalogue.ts';
import { titleOfRun } from '../views/invocation-line.ts';
import { runReport } from './run-report.ts';

export const runScheme = 'weir-run';

/** Runs as read-only texts; one that goes on is read again when it has ended. */
export class RunDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #folders: Folders;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #disposables: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor(folders: Folders) {
    this.#folders = folders;
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(runScheme, this),
      folders.onDidChange(({ folder, touched }) => {
        if (touched.sources.size > 0) this.#refresh(folder, touched.sources);
      }),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const asked = new URLSearchParams(uri.query);
    const folder = this.#folders.all.find((one) => one.dataFolder === asked.get('folder'));
    if (folder === undefined) return 'This folder is no longer part of the workspace.\n';
    const id = asked.get('source') ?? '';
    const client = await folder.link.ready();
    const run = await client.call('invocations.get', {
      id,
      invocation_id: asked.get('id') ?? '',
    });
    return runReport(run, folder.mirror.source(id)?.name ?? id);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** What was read before its end. */
  #refresh(folder: Folder, sourceIds: ReadonlySet<string>): void {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme !== runScheme) continue;
      const asked = new URLSearchParams(document.uri.query);
      const isOf = asked.get('folder') === folder.dataFolder;
      const unfinished = /^.*\n.*(?:queued|running)$/m.test(document.getText());
      if (isOf && unfinished && sourceIds.has(asked.get('source') ?? '')) {
        this.#changed.fire(document.uri);
      }
    }
  }
}

export function runUri(folder: Folder, run: Invocation): vscode.Uri {
  const query = new URLSearchParams({
    folder: folder.dataFolder,
    source: run.source_id,
    id: run.id,
  });
  const path = `/${titleOfRun(run)} ${run.id}.log`;
  return vscode.Uri.from({ scheme: runScheme, path, query: query.toString() });
}
