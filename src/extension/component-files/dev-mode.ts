import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { debounce, type Debounced } from '../timing.ts';
import type { ComponentChecks } from './component-checks.ts';
import { mayBePart, partGlob } from './find-component.ts';

const ignored = /[\\/](?:node_modules|\.weir|\.git)[\\/]/;
/** Another program's write is often several events, and a checkout many. */
const pauseMs = 150;
/** A save in the editor is complete when it is reported; "Save All" is several at once. */
const savePauseMs = 10;

interface Followed {
  readonly folder: Folder;
  readonly file: string;
}

/**
 * Sources that follow their file: each save of it, or of what it imports, is an update. Code that does
 * not compile is marked in the file, and what is deployed stays.
 */
export class DevMode implements vscode.Disposable {
  readonly #checks: ComponentChecks;
  readonly #log: vscode.LogOutputChannel;
  /** By source. */
  readonly #followed = new Map<string, Followed>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;
  readonly #pause: Debounced;
  #watcher: vscode.Disposable | undefined;
  /** The updates of all sources, one after another. */
  #updates: Promise<void> = Promise.resolve();
  readonly onDidChange = this.#changed.event;

  constructor(
    folders: Folders,
    checks: ComponentChecks,
    log: vscode.LogOutputChannel,
    clock: Clock,
  ) {
    this.#checks = checks;
    this.#log = log;
    this.#pause = debounce(clock, () => void this.#updateAll());
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      folders.onDidChange(({ touched }) => {
        if (touched.emitterList) this.#forgetDeleted();
      }),
      folders.onDidChangeState(() => this.#forgetDeleted()),
    );
  }

  /** Ids of the sources that follow their file. */
  get followed(): ReadonlySet<string> {
    return new Set(this.#followed.keys());
  }

  /** Follows a source from now on, and updates it to its file at once. */
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
    const watcher = vscode.workspace.createFileSystemWatcher(partGlob);
    const changed = ({ fsPath }: vscode.Uri): void => this.#updateSoon(fsPath, pauseMs);
    this.#watcher = vscode.Disposable.from(
      watcher,
      // The watcher reports a save only a tenth of a second later.
      vscode.workspace.onDidSaveTextDocument(({ uri }) =>
        this.#updateSoon(uri.fsPath, savePauseMs),
      ),
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
    );
  }

  #updateSoon(file: string, ms: number): void {
    if (mayBePart(file) && !ignored.test(file)) this.#pause.request(ms);
  }

  #unwatch(): void {
    this.#pause.dispose();
    this.#watcher?.dispose();
    this.#watcher = undefined;
  }

  #updateAll(): Promise<void> {
    const update = async (): Promise<void> => {
      for (const [id, followed] of this.#followed) await this.#update(id, followed);
    };
    this.#updates = this.#updates.then(update, update);
    return this.#updates;
  }

  /** Updates a source if the code of its file differs from what is deployed. */
  async #update(id: string, { folder, file }: Followed): Promise<void> {
    const check = await this.#checks.check(file);
    const source = folder.mirror.source(id);
    if (check?.hash === undefined || source === undefined || check.hash === source.code_hash) {
      return;
    }
    // Sources that are debugged are updated by debug/update-on-save.ts.
    if (source.debug !== null) return;
    try {
      const client = await folder.link.ready();
      const updated = await client.call('sources.update', { id, component_path: file });
      this.#log.info(`Updated ${updated.name} (${id}).`);
      vscode.window.setStatusBarMessage(`$(check) ${updated.name} updated`, 3000);
    } catch (error) {
      if (!WeirError.is(error)) throw error;
      // Not as a notification: the next save is on its way. The lens and the log show it.
      this.#log.error(`${source.name} could not be updated: ${error.message}`);
      vscode.window.setStatusBarMessage(`$(error) ${source.name} could not be updated`, 5000);
    }
  }

  #forgetDeleted(): void {
    for (const [id, { folder }] of this.#followed) {
      // A source of a runtime that is not in use is not updated by what is saved.
      if (!folder.isCurrent || folder.mirror.source(id) === undefined) this.stop(id);
    }
  }
}
