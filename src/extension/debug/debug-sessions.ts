import * as vscode from 'vscode';
import type { DebuggedProcess } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { attachConfiguration, keyOf, type DebugKey } from './attach-configuration.ts';
import { followSession, type SessionEnd } from './session-tracker.ts';

/** What this window debugs: told when one of its processes waits for a debugger. */
interface Followed {
  readonly key: DebugKey;
  readonly name: string;
  /** Takes the first process, whose session VS Code starts itself. */
  first: ((process: DebuggedProcess) => void) | undefined;
}

/**
 * The debugging sessions of this window. The runtime says which processes wait; each gets a session of
 * the built-in debugger. One that the user ends ends the debugging; one whose process ended (an
 * update, a crash) is followed by the next process's.
 */
export class DebugSessions implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #ownCode: string;
  readonly #output: vscode.LogOutputChannel;
  readonly #followed = new Map<string, Followed>();
  /** Targets whose code stands still, by session id. */
  readonly #stopped = new Map<string, string>();
  readonly #following = new Map<Folder, vscode.Disposable>();
  readonly #tracker: vscode.Disposable;

  /** @param ownCode folder of Weir's own bundles */
  constructor(folders: Folders, ownCode: string, output: vscode.LogOutputChannel) {
    this.#folders = folders;
    this.#ownCode = ownCode;
    this.#output = output;
    this.#tracker = followSession(keyOf, {
      stopped: (session, key, stopped) => this.#tellStopped(session, key, stopped),
      ended: (session, key, end) => this.#ended(session, key, end),
    });
  }

  /**
   * Debugs what `start` puts under the debugger.
   * @param target id of a source, or the path of a file (of a source that is deployed by `start`, too)
   * @param start resolves when the component is loaded, which is after the debugger has attached
   * @returns the configuration of the first session, for VS Code to start
   */
  async begin(
    folder: Folder,
    target: string,
    name: string,
    start: () => Promise<unknown>,
  ): Promise<vscode.DebugConfiguration> {
    this.#follow(folder);
    const followed: Followed = {
      key: { dataFolder: folder.dataFolder, target },
      name,
      first: undefined,
    };
    const first = new Promise<DebuggedProcess>((resolve) => {
      followed.first = resolve;
    });
    this.#followed.set(textOf(followed.key), followed);
    const started = start();
    try {
      const process = await Promise.race([first, started.then(nothingToAttachTo)]);
      const key = this.#rename(followed, process);
      return attachConfiguration(name, process, key, this.#ownCode);
    } catch (error) {
      this.#followed.delete(textOf(followed.key));
      throw error;
    }
  }

  isDebugging(folder: Folder, target: string): boolean {
    return this.#followed.has(textOf({ dataFolder: folder.dataFolder, target }));
  }

  /** The sources that are debugged in this window. */
  get sources(): { readonly folder: Folder; readonly sourceId: string }[] {
    return [...this.#followed.values()].flatMap(({ key: { dataFolder, target } }) => {
      const folder = this.#folders.all.find((one) => one.dataFolder === dataFolder);
      return folder?.mirror.source(target) === undefined ? [] : [{ folder, sourceId: target }];
    });
  }

  /** Ends the debugging of a target; what runs goes on. */
  async end(folder: Folder, target: string): Promise<void> {
    this.#followed.delete(textOf({ dataFolder: folder.dataFolder, target }));
    const client = await folder.link.ready();
    await client.call('debug.stop', { id: target });
  }

  dispose(): void {
    this.#tracker.dispose();
    for (const following of this.#following.values()) following.dispose();
  }

  #follow(folder: Folder): void {
    if (this.#following.has(folder)) return;
    const changes = folder.mirror.onChanges.on((batch) => {
      for (const change of batch) {
        if (change.type === 'debug') void this.#waits(folder, change.process);
      }
    });
    const states = folder.link.onState.on((state) => {
      // The runtime is gone, and with it what it knew of debugging.
      if (state === 'ready') return;
      for (const [text, { key }] of this.#followed) {
        if (key.dataFolder === folder.dataFolder) this.#followed.delete(text);
      }
    });
    this.#following.set(folder, vscode.Disposable.from(changes, states));
  }

  /** A process waits: it gets a session of its own. */
  async #waits(folder: Folder, process: DebuggedProcess): Promise<void> {
    const { dataFolder } = folder;
    const targets = [process.source_id, process.path].filter((target) => target !== null);
    const followed = targets
      .map((target) => this.#followed.get(textOf({ dataFolder, target })))
      .find((found) => found !== undefined);
    if (followed === undefined) return;
    if (followed.first !== undefined) {
      followed.first(process);
      followed.first = undefined;
      return;
    }
    const { key, name } = followed;
    const configuration = attachConfiguration(name, process, key, this.#ownCode);
    const workspaceFolder = vscode.workspace.getWorkspaceFolder(
      vscode.Uri.file(process.path ?? folder.root ?? ''),
    );
    try {
      await vscode.debug.startDebugging(workspaceFolder, configuration);
    } catch (error) {
      this.#output.error(`The debugger did not attach: ${messageOf(error)}`);
    }
  }

  /** A source that was being deployed has an id now. */
  #rename(followed: Followed, process: DebuggedProcess): DebugKey {
    if (process.source_id === null) return followed.key;
    this.#followed.delete(textOf(followed.key));
    const key = { ...followed.key, target: process.source_id };
    this.#followed.set(textOf(key), { ...followed, key });
    return key;
  }

  #tellStopped(session: string, key: DebugKey, stopped: boolean): void {
    const text = textOf(key);
    const before = [...this.#stopped.values()].includes(text);
    if (stopped) this.#stopped.set(session, text);
    else this.#stopped.delete(session);
    const paused = [...this.#stopped.values()].includes(text);
    if (paused !== before) void this.#call(key, 'debug.paused', { id: key.target, paused });
  }

  #ended(session: string, key: DebugKey, end: SessionEnd): void {
    this.#tellStopped(session, key, false);
    if (end === 'process' || !this.#followed.delete(textOf(key))) return;
    void this.#call(key, 'debug.stop', { id: key.target });
  }

  async #call(
    key: DebugKey,
    ...[method, params]:
      | ['debug.stop', { id: string }]
      | ['debug.paused', { id: string; paused: boolean }]
  ): Promise<void> {
    const folder = this.#folders.all.find(({ dataFolder }) => dataFolder === key.dataFolder);
    try {
      await folder?.link.client?.call(method, params);
    } catch (error) {
      this.#output.warn(`${method}: ${messageOf(error)}`);
    }
  }
}

function nothingToAttachTo(): never {
  throw new WeirError('conflict', 'It ran to its end before a debugger was attached; try again.');
}

function textOf({ dataFolder, target }: DebugKey): string {
  return `${dataFolder}\n${target}`;
}
