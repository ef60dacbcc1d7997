import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { debounce, type Debounced } from '../timing.ts';
import { isPartOf, updateWorkflow, workflowPartGlob } from './update-workflow.ts';
import type { WorkflowProblems } from './workflow-problems.ts';

/** Another program's write is often several events, and a checkout many. */
const pauseMs = 150;
/** A save in the editor is complete when it is reported; "Save All" is several at once. */
const savePauseMs = 10;

/**
 * Workflows that follow their files: each save of a part is a new deployment. Files that cannot be deployed are
 * marked, and what is deployed stays.
 */
export class WorkflowDevMode implements vscode.Disposable {
  readonly #problems: WorkflowProblems;
  readonly #log: vscode.LogOutputChannel;
  /** By id of the workflow. */
  readonly #followed = new Map<string, Folder>();
  /** Written since the last update. */
  readonly #written = new Set<string>();
  /** The `mtimeMs` that the editor's last save gave a file: the watcher reports that save once more. */
  readonly #saved = new Map<string, number | undefined>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #pause: Debounced;
  readonly #disposables: vscode.Disposable;
  #watcher: vscode.Disposable | undefined;
  /** Updates, one after another. */
  #updates: Promise<void> = Promise.resolve();
  readonly onDidChange = this.#changed.event;

  constructor(
    folders: Folders,
    problems: WorkflowProblems,
    log: vscode.LogOutputChannel,
    clock: Clock,
  ) {
    this.#problems = problems;
    this.#log = log;
    this.#pause = debounce(clock, () => this.#updateSoon());
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      folders.onDidChange(({ touched }) => {
        if (touched.workflowList) this.#forgetDeleted();
      }),
      folders.onDidChangeState(() => this.#forgetDeleted()),
    );
  }

  /** Ids of the workflows that follow their files. */
  get followed(): ReadonlySet<string> {
    return new Set(this.#followed.keys());
  }

  /** Follows a workflow from now on: what is deployed is what its files are at this moment. */
  start(folder: Folder, id: string): void {
    this.#followed.set(id, folder);
    this.#watch();
    this.#changed.fire();
  }

  stop(id: string): void {
    if (!this.#followed.delete(id)) return;
    if (this.#followed.size === 0) this.#unwatch();
    this.#changed.fire();
  }

  dispose(): void {
    this.#unwatch();
    this.#disposables.dispose();
  }

  #watch(): void {
    if (this.#watcher !== undefined) return;
    const watcher = vscode.workspace.createFileSystemWatcher(workflowPartGlob);
    const written = async ({ fsPath }: vscode.Uri): Promise<void> => {
      const isEcho = this.#saved.has(fsPath) && this.#saved.get(fsPath) === (await mtimeOf(fsPath));
      if (!isEcho) this.#wrote(fsPath, pauseMs);
    };
    this.#watcher = vscode.Disposable.from(
      watcher,
      // The watcher reports a save only a tenth of a second later.
      vscode.workspace.onDidSaveTextDocument(async ({ uri: { scheme, fsPath } }) => {
        if (scheme !== 'file') return;
        this.#wrote(fsPath, savePauseMs);
        this.#saved.set(fsPath, await mtimeOf(fsPath));
      }),
      watcher.onDidChange(written),
      watcher.onDidCreate(written),
      watcher.onDidDelete(written),
    );
  }

  #unwatch(): void {
    this.#pause.dispose();
    this.#watcher?.dispose();
    this.#watcher = undefined;
    this.#written.clear();
    this.#saved.clear();
  }

  #wrote(file: string, ms: number): void {
    this.#written.add(file);
    this.#pause.request(ms);
  }

  #updateSoon(): void {
    const update = (): Promise<void> => this.#updateWritten();
    this.#updates = this.#updates.then(update, update);
  }

  async #updateWritten(): Promise<void> {
    const written = [...this.#written];
    this.#written.clear();
    for (const [id, folder] of this.#followed) {
      const workflow = folder.mirror.workflow(id);
      if (workflow === undefined) continue;
      for (const file of written) {
        if (!(await isPartOf(folder, workflow, file))) continue;
        await this.#update(id, folder);
        break;
      }
    }
  }

  async #update(id: string, folder: Folder): Promise<void> {
    const workflow = folder.mirror.workflow(id);
    // Workflows under the debugger are updated by update-on-save.ts.
    if (workflow === undefined || workflow.debug !== null) return;
    try {
      await updateWorkflow(this.#problems, folder, workflow, { debug: false });
      this.#log.info(`Updated ${workflow.name} (${id}).`);
      vscode.window.setStatusBarMessage(`$(check) ${workflow.name} updated`, 3000);
    } catch (error) {
      if (!WeirError.is(error)) throw error;
      // Not as a notification: the next save is on its way. The marks and the log show it.
      this.#log.error(`${workflow.name} could not be updated: ${error.message}`);
      vscode.window.setStatusBarMessage(`$(error) ${workflow.name} could not be updated`, 5000);
    }
  }

  #forgetDeleted(): void {
    for (const [id, { mirror, isCurrent }] of this.#followed) {
      // A workflow of a runtime that is not in use is not deployed by what is saved.
      if (!isCurrent || mirror.workflow(id) === undefined) this.stop(id);
    }
  }
}

/** Undefined for a file that is gone. */
async function mtimeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}
