import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import type { Touched } from '../model/mirror-state.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { Folder, type FolderOptions } from './folder.ts';
import { PackageQuestion } from './package-question.ts';
import { openRuntime } from './runtime-process.ts';
import { runtimeArguments, runtimeSettings } from './runtime-settings.ts';
import { parseRuntimeKey, runtimeKey } from './runtime-identity.ts';
import type { RuntimeState } from './runtime-link.ts';
import { Runtimes } from '../remote/runtimes.ts';

/** Worst first: what the status bar and the welcome views show when folders differ. */
const stateOrder: readonly RuntimeState[] = ['failed', 'starting', 'stopped', 'ready', 'idle'];

/** The facts that make a folder; two with the same data folder are the same. */
type Wanted = Pick<FolderOptions, 'name' | 'root' | 'dataFolder'>;

/** The folders of this window, each with a runtime of its own, or one on another machine. */
export class Folders implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<{ folder: Folder; touched: Touched }>();
  readonly #state = new vscode.EventEmitter<void>();
  readonly #measured = new vscode.EventEmitter<void>();
  readonly #packages: PackageQuestion;
  /** Runtimes on other machines. */
  readonly runtimes: Runtimes;
  #all: Folder[] = [];
  /** By key: folders in use, and folders with something opened before a switch. */
  readonly #known = new Map<string, Folder>();
  #browsing: Folder | undefined;

  /** Changes of a runtime. */
  readonly onDidChange = this.#changed.event;
  /** The state of a runtime or the list of folders changed. */
  readonly onDidChangeState = this.#state.event;
  /** A health check has ended. */
  readonly onDidMeasure = this.#measured.event;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel, clock: Clock) {
    this.#context = context;
    this.#log = log;
    this.#clock = clock;
    this.#packages = new PackageQuestion(context.workspaceState);
    this.runtimes = new Runtimes(context.workspaceState, context.secrets);
    this.#sync();
    context.subscriptions.push(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        const before = this.#all;
        this.#sync();
        this.startUsed(this.#all.filter((folder) => !before.includes(folder)));
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.#browsing?.dispose();
        this.startUsed();
      }),
    );
  }

  get all(): readonly Folder[] {
    return this.#all;
  }

  /** The innermost folder a file belongs to; the first one for a file outside of all. */
  of(file: string): Folder {
    const holding = this.#all.filter((folder) => folder.holds(file));
    const byDepth = holding.sort((a, b) => (b.root?.length ?? 0) - (a.root?.length ?? 0));
    return byDepth[0] ?? this.first;
  }

  /**
   * The folder whose runtime searches the registries, for a file or the whole window. While the workspace is not
   * trusted, that is a separate runtime with a data folder of its own, which has only the user's registries and no file
   * of the workspace.
   */
  forBrowsing(file: string): Folder {
    if (vscode.workspace.isTrusted) return this.of(file);
    return (this.#browsing ??= this.#make({
      name: 'Weir',
      root: undefined,
      dataFolder: path.join(this.#context.globalStorageUri.fsPath, 'browse'),
    }));
  }

  /**
   * The folder at the runtime that a key names, in use or not (runtime-identity.ts); undefined when the folder is no longer part
   * of the window.
   */
  withKey(key: string | null | undefined): Folder | undefined {
    const known = this.#known.get(key ?? '');
    if (known !== undefined || key === null || key === undefined) return known;
    const { dataFolder, remote } = parseRuntimeKey(key);
    const wanted = this.#wanted().find((one) => one.dataFolder === dataFolder);
    if (wanted === undefined) return undefined;
    const folder = this.#create(wanted, remote);
    folder.leave();
    return folder;
  }

  /**
   * Leaves a folder's runtime, which keeps running, for another one. Pages that were opened with the old one stay with
   * it.
   * @param name undefined for the folder's own
   * @returns the folder at that runtime, connected
   */
  async use(left: Folder, name: string | undefined): Promise<Folder> {
    const { dataFolder } = left;
    await this.runtimes.choose(dataFolder, name);
    const next = this.withKey(runtimeKey({ dataFolder, remote: name }));
    if (next === undefined)
      throw new WeirError('conflict', 'This folder is no longer part of the workspace.');
    for (const one of this.#known.values()) {
      if (one.dataFolder === dataFolder && one !== next) one.leave();
    }
    this.#all = this.#all.map((one) => (one.dataFolder === dataFolder ? next : one));
    next.enter();
    this.#state.fire();
    await next.link.ready();
    return next;
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

  /**
   * Starts the runtimes of folders where something was deployed before, as timers have to tick, and connects to those on
   * other machines.
   */
  startUsed(folders: readonly Folder[] = this.#all): void {
    if (!vscode.workspace.isTrusted) return;
    for (const folder of folders) {
      const isRemote = folder.remote !== undefined;
      if (!isRemote && !existsSync(path.join(folder.dataFolder, 'weir.db'))) continue;
      // A failure shows in the state; nobody waits for this call.
      folder.link.ready().catch(() => undefined);
    }
  }

  /** Another runtime is known. */
  readonly chosenChanged = (): void => this.#state.fire();

  dispose(): void {
    for (const folder of this.#known.values()) folder.dispose();
    this.#browsing?.dispose();
  }

  #sync(): void {
    const wanted = this.#wanted();
    const kept = this.#all.filter((old) => wanted.some((w) => w.dataFolder === old.dataFolder));
    for (const gone of this.#known.values()) {
      if (wanted.some((w) => w.dataFolder === gone.dataFolder)) continue;
      gone.dispose();
      this.#known.delete(gone.key);
    }
    this.#all = wanted.map(
      (w) =>
        kept.find((old) => old.dataFolder === w.dataFolder) ??
        this.#create(w, this.runtimes.chosen(w.dataFolder)),
    );
    this.#state.fire();
  }

  #wanted(): Wanted[] {
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

  #create(wanted: Wanted, remote: string | undefined): Folder {
    const folder = this.#make(wanted, remote, untrusted);
    this.#known.set(folder.key, folder);
    folder.mirror.onDidChange.on((touched) => this.#changed.fire({ folder, touched }));
    folder.link.onState.on(() => this.#state.fire());
    folder.health.onMeasured.on(() => this.#measured.fire());
    return folder;
  }

  #make(wanted: Wanted, remote?: string, refused?: FolderOptions['refused']): Folder {
    const log = (line: string): void => this.#log.info(line);
    return new Folder({
      ...wanted,
      log,
      clock: this.#clock,
      isFocused: () => vscode.window.state.focused,
      ...(refused !== undefined && { refused }),
      remote,
      openRemote: (name) => this.#openRemote(wanted, name),
      openLocal: () =>
        openRuntime({
          dataFolder: wanted.dataFolder,
          runtimeFile: this.#context.asAbsolutePath('dist/runtime.js'),
          settings: () => runtimeSettings(wanted.root),
          arguments: () => runtimeArguments(wanted.root),
          approvePackages: (packages) => this.#packages.approve(packages),
          // Asked once in a while: not worth its part of the activation.
          approveComponents: async (questions) =>
            (await import('./trust-question.ts')).approveComponents(questions),
          log,
          clock: this.#clock,
        }),
    });
  }

  async #openRemote({ root, dataFolder }: Wanted, name: string): Promise<RuntimeClient> {
    const known = await this.runtimes.list(dataFolder);
    const runtime = known.find((one) => one.name === name);
    if (runtime === undefined) {
      throw new WeirError(
        'not_found',
        `The key of ${name} is not in this machine's secret storage: run Weir: Connect to Runtime… again, or choose the local one with Weir: Switch Runtime….`,
      );
    }
    const { openRemote } = await loadRemote();
    return openRemote(runtime, root ?? dataFolder, vscode.env.machineId);
  }
}

/** A bundle of its own (scripts/bundles.mts). */
const loadRemote = () => import('../remote/remote.ts');

/** A component is code of the folder: looking at one is running it. */
function untrusted(): WeirError | undefined {
  if (vscode.workspace.isTrusted) return undefined;
  return new WeirError('conflict', 'Weir runs nothing until you trust this workspace.');
}
