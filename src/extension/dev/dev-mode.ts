import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { ComponentChecks } from '../checks/component-checks.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';

/** Files that may be part of a component. */
const parts = '**/*.{js,mjs,cjs,ts,mts,cts,json}';
const part = /\.(?:[cm]?[jt]s|json)$/;
const foreign = /[\\/](?:node_modules|\.weir|\.git)[\\/]/;
/** What another program writes is often several events, and a checkout many. */
const pauseMs = 150;
/** A save in the editor is whole when it is told; "Save All" is several at once. */
const savePauseMs = 10;

interface Followed {
  readonly folder: Folder;
  readonly file: string;
}

/**
 * Sources that follow their file: each save of it, or of what it imports, is an update. What does not
 * compile is marked in its place, and the old code goes on.
 */
export class DevMode implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #checks: ComponentChecks;
  readonly #log: vscode.LogOutputChannel;
  readonly #followed = new Map<string, Followed>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;
  #watcher: vscode.Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The updates of all sources one after another. */
  #work: Promise<void> = Promise.resolve();
  readonly onDidChange = this.#changed.event;

  constructor(folders: Folders, checks: ComponentChecks, log: vscode.LogOutputChannel) {
    this.#folders = folders;
    this.#checks = checks;
    this.#log = log;
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      folders.onDidChange(({ touched }) => {
        if (touched.sourceList) this.#forgetDeleted();
      }),
    );
  }

  /** Ids of the sources. */
  get followed(): ReadonlySet<string> {
    return new Set(this.#followed.keys());
  }

  /** Follows a source from now on, and brings it up to its file at once. */
  async start(folder: Folder, id: string, file: string): Promise<void> {
    this.#followed.set(id, { folder, file });
    this.#watch();
    this.#changed.fire();
    await this.#updateAll();
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
    const watcher = vscode.workspace.createFileSystemWatcher(parts);
    const changed = ({ fsPath }: vscode.Uri): void => this.#soon(fsPath, pauseMs);
    this.#watcher = vscode.Disposable.from(
      watcher,
      // The watcher tells of it a tenth of a second later.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#soon(uri.fsPath, savePauseMs)),
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
    );
  }

  #soon(file: string, inMs: number): void {
    if (!part.test(file) || foreign.test(file)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#updateAll(), inMs);
  }

  #unwatch(): void {
    clearTimeout(this.#timer);
    this.#watcher?.dispose();
    this.#watcher = undefined;
  }

  #updateAll(): Promise<void> {
    const update = async (): Promise<void> => {
      for (const [id, followed] of this.#followed) await this.#update(id, followed);
    };
    this.#work = this.#work.then(update, update);
    return this.#work;
  }

  /** Updates one whose code is another now. */
  async #update(id: string, { folder, file }: Followed): Promise<void> {
    const check = await this.#checks.look(file);
    const source = folder.mirror.source(id);
    if (check?.hash === undefined || source === undefined || check.hash === source.code_hash) {
      return;
    }
    // The debugger follows its sources itself.
    if (source.debug !== null) return;
    try {
      const client = await folder.link.ready();
      const updated = await client.call('sources.update', { id, component_path: file });
      this.#log.info(`Updated ${updated.name} (${id}).`);
      vscode.window.setStatusBarMessage(`$(check) ${updated.name} updated`, 3000);
    } catch (error) {
      if (!WeirError.is(error)) throw error;
      // Not in a notification: the next save is on its way. The lens and the log say it.
      this.#log.error(`${source.name} could not be updated: ${error.message}`);
      vscode.window.setStatusBarMessage(`$(error) ${source.name} could not be updated`, 5000);
    }
  }

  #forgetDeleted(): void {
    const all = new Set(
      this.#folders.all.flatMap(({ mirror }) => mirror.sources().map(({ id }) => id)),
    );
    for (const id of this.#followed.keys()) if (!all.has(id)) this.stop(id);
  }
}
