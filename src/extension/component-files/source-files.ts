import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Source } from '../../protocol/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { Signal } from '../signal.ts';
import { debounce } from '../timing.ts';
import { partGlob } from './find-component.ts';

/** A checkout is many events. */
const pauseMs = 200;

/** Which sources have lost the file that they were deployed from. */
export class SourceFiles implements vscode.Disposable {
  readonly #folders: Folders;
  #missing: ReadonlySet<string> = new Set();
  readonly onDidChange = new Signal<void>();
  readonly #disposables: vscode.Disposable;

  constructor(folders: Folders, clock: Clock) {
    this.#folders = folders;
    const check = debounce(clock, () => void this.#check());
    const soon = (): void => check.request(pauseMs);
    const watcher = vscode.workspace.createFileSystemWatcher(partGlob, false, true, false);
    this.#disposables = vscode.Disposable.from(
      check,
      watcher,
      watcher.onDidCreate(soon),
      watcher.onDidDelete(soon),
      // Files outside the workspace are not watched.
      vscode.window.onDidChangeWindowState(({ focused }) => focused && soon()),
      folders.onDidChange(({ touched }) => {
        if (touched.emitterList) soon();
      }),
    );
  }

  /** Nothing is known about the file of a source on another machine. */
  isMissing({ remote }: Folder, { path }: Pick<Source, 'path'>): boolean {
    return remote === undefined && path !== null && this.#missing.has(path);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #check(): Promise<void> {
    const paths = this.#folders.all
      .filter(({ remote }) => remote === undefined)
      .flatMap(({ mirror }) => mirror.sources().flatMap(({ path }) => path ?? []));
    const found = await Promise.all(
      [...new Set(paths)].map((file) =>
        access(file).then(
          () => undefined,
          () => file,
        ),
      ),
    );
    const missing = new Set(found.filter((file) => file !== undefined));
    const isSame =
      missing.size === this.#missing.size && [...missing].every((file) => this.#missing.has(file));
    this.#missing = missing;
    if (!isSame) this.onDidChange.fire();
  }
}
