import * as vscode from 'vscode';
import type { Invocation } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { titleOfRun } from '../views/invocation-line.ts';
import { runReport } from './run-report.ts';

export const runScheme = 'weir-run';

/** Runs as read-only texts; one that has not ended is read again when it has. */
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
        if (touched.emitters.size > 0) this.#refresh(folder, touched.emitters);
      }),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const folder = this.#folders.withData(query.get('folder'));
    if (folder === undefined) return 'This folder is no longer part of the workspace.\n';
    const id = query.get('emitter') ?? '';
    const client = await folder.link.ready();
    const run = await client.call('invocations.get', {
      id,
      invocation_id: query.get('id') ?? '',
    });
    return runReport(run, folder.mirror.emitter(id)?.name ?? id);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Documents of these emitters that were read before their run ended. */
  #refresh(folder: Folder, emitterIds: ReadonlySet<string>): void {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme !== runScheme) continue;
      const query = new URLSearchParams(document.uri.query);
      const isOfFolder = query.get('folder') === folder.dataFolder;
      const isUnfinished = /^.*\n.*(?:queued|running)$/m.test(document.getText());
      if (isOfFolder && isUnfinished && emitterIds.has(query.get('emitter') ?? '')) {
        this.#changed.fire(document.uri);
      }
    }
  }
}

export function runUri(folder: Folder, run: Invocation): vscode.Uri {
  const query = new URLSearchParams({
    folder: folder.dataFolder,
    emitter: run.source_id,
    id: run.id,
  });
  const path = `/${titleOfRun(run)} ${run.id}.log`;
  return vscode.Uri.from({ scheme: runScheme, path, query: query.toString() });
}
