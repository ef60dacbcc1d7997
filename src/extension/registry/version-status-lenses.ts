import * as vscode from 'vscode';
import type { Clock } from '../clock.ts';
import { findComponent } from '../component-files/find-component.ts';
import type { Folders } from '../connection/folders.ts';
import { workflowFileName } from '../workflows/workflow-files.ts';
import type { ReviewRequest } from './review.ts';
import {
  type VersionStatus,
  findVersionStatus,
  formatVersionStatus,
  usesInText,
} from './version-status-text.ts';
import { VersionStatuses } from './version-statuses.ts';

/** The lenses of a document that names a component of others, or is one. */
export class VersionStatusLenses implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #standings: VersionStatuses;
  readonly #disposables: vscode.Disposable;

  /** @param changed is called when they may have changed */
  constructor(folders: Folders, clock: Clock, changed: () => void) {
    this.#folders = folders;
    this.#standings = new VersionStatuses(clock, changed);
    const lock = vscode.workspace.createFileSystemWatcher('**/weir.lock.json');
    const forget = (): void => this.#standings.forget();
    this.#disposables = vscode.Disposable.from(
      lock,
      lock.onDidChange(forget),
      lock.onDidCreate(forget),
      lock.onDidDelete(forget),
    );
  }

  lensesOf(document: vscode.TextDocument): vscode.CodeLens[] {
    const settings = vscode.workspace.getConfiguration('weir', document.uri);
    if (!settings.get('codeLens.enabled', true)) return [];
    return document.fileName.endsWith(workflowFileName)
      ? this.#ofWorkflow(document)
      : this.#ofComponent(document);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #ofWorkflow(document: vscode.TextDocument): vscode.CodeLens[] {
    const used = usesInText(document.getText());
    if (used.length === 0) return [];
    const file = document.uri.fsPath;
    const folder = this.#folders.of(file);
    const standings = this.#standings.of(folder);
    return used.flatMap(({ line, uses }) => {
      const standing = findVersionStatus(standings, uses);
      const { key: runtime } = folder;
      return standing ? lensOf(line, standing, { runtime, standing, used: { file, uses } }) : [];
    });
  }

  #ofComponent(document: vscode.TextDocument): vscode.CodeLens[] {
    const component = findComponent(document.getText());
    if (component === undefined) return [];
    for (const folder of this.#folders.all) {
      const standings = this.#standings.of(folder);
      const standing = standings.find(({ path }) => path === document.uri.fsPath);
      if (standing === undefined) continue;
      return lensOf(component.line, standing, { runtime: folder.key, standing });
    }
    return [];
  }
}

function lensOf(line: number, standing: VersionStatus, request: ReviewRequest): vscode.CodeLens[] {
  const title = formatVersionStatus(standing);
  if (title === undefined) return [];
  const command = 'weir.reviewComponent';
  const tooltip =
    standing.newer === null ? 'What can be done about it.' : 'What the newer version changes.';
  const range = new vscode.Range(line, 0, line, 0);
  return [new vscode.CodeLens(range, { title, command, arguments: [request], tooltip })];
}
