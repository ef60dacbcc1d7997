import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Touched } from '../model/mirror-state.ts';
import { Folder } from './folder.ts';
import { PackageQuestion } from './package-question.ts';
import { openRuntime } from './runtime-process.ts';
import { runtimeArguments, runtimeSettings } from './runtime-settings.ts';
import type { RuntimeState } from './runtime-link.ts';

/** Worst first: what the status bar and the welcome views say when folders differ. */
const stateOrder: readonly RuntimeState[] = ['failed', 'starting', 'stopped', 'ready', 'idle'];

/** The folders of this window, each with its own runtime. */
export class Folders implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #changed = new vscode.EventEmitter<{ folder: Folder; touched: Touched }>();
  readonly #state = new vscode.EventEmitter<void>();
  readonly #measured = new vscode.EventEmitter<void>();
  readonly #packages: PackageQuestion;
  #all: Folder[] = [];

  /** What a runtime has changed. */
  readonly onDidChange = this.#changed.event;
  /** The state of a runtime or the list of folders changed. */
  readonly onDidChangeState = this.#state.event;
  /** How fast a runtime answers was measured. */
  readonly onDidMeasure = this.#measured.event;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
    this.#packages = new PackageQuestion(context.workspaceState);
    this.#sync();
    context.subscriptions.push(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        const before = this.#all;
        this.#sync();
        this.startUsed(this.#all.filter((folder) => !before.includes(folder)));
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.startUsed()),
    );
  }

  get all(): readonly Folder[] {
    return this.#all;
  }

  /** The folder a file belongs to; the only (or first) one for a file outside. */
  of(file: string): Folder {
    return this.#all.find((folder) => folder.holds(file)) ?? this.first;
  }

  get first(): Folder {
    const [first] = this.#all;
    if (first === undefined) throw new Error('A window always has a data folder.');
    return first;
  }

  get state(): RuntimeState {
    const states = this.#all.map((folder) => folder.link.state);
    return stateOrder.find((state) => states.includes(state)) ?? 'idle';
  }

  /** Starts the runtimes of folders where something was deployed before: sources wait for ticks. */
  startUsed(folders: readonly Folder[] = this.#all): void {
    if (!vscode.workspace.isTrusted) return;
    for (const folder of folders) {
      if (!existsSync(path.join(folder.dataFolder, 'weir.db'))) continue;
      // The state says how it went; there is nobody to tell.
      folder.link.ready().catch(() => undefined);
    }
  }

  dispose(): void {
    for (const folder of this.#all) folder.dispose();
  }

  #sync(): void {
    const wanted = this.#wanted();
    const kept = this.#all.filter((old) => wanted.some((w) => w.dataFolder === old.dataFolder));
    for (const gone of this.#all.filter((old) => !kept.includes(old))) gone.dispose();
    this.#all = wanted.map(
      (w) => kept.find((old) => old.dataFolder === w.dataFolder) ?? this.#create(w),
    );
    this.#state.fire();
  }

  #wanted(): { name: string; root: string | undefined; dataFolder: string }[] {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(
      (folder) => folder.uri.scheme === 'file',
    );
    if (folders.length === 0) {
      return [{ name: 'Weir', root: undefined, dataFolder: this.#context.globalStorageUri.fsPath }];
    }
    return folders.map((folder) => ({
      name: folder.name,
      root: folder.uri.fsPath,
      dataFolder: path.join(folder.uri.fsPath, '.weir'),
    }));
  }

  #create(wanted: { name: string; root: string | undefined; dataFolder: string }): Folder {
    const folder = new Folder({
      ...wanted,
      log: (line) => this.#log.info(line),
      isWatched: () => vscode.window.state.focused,
      open: (dataFolder) =>
        openRuntime({
          dataFolder,
          runtimeFile: this.#context.asAbsolutePath('dist/runtime.js'),
          isTrusted: () => vscode.workspace.isTrusted,
          settings: () => runtimeSettings(wanted.root),
          arguments: () => runtimeArguments(wanted.root),
          approvePackages: (packages) => this.#packages.approve(packages),
          log: (line) => this.#log.info(line),
        }),
    });
    folder.mirror.onDidChange.on((touched) => this.#changed.fire({ folder, touched }));
    folder.link.onState.on(() => this.#state.fire());
    folder.pulse.onMeasured.on(() => this.#measured.fire());
    return folder;
  }
}
