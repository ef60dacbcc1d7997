import * as vscode from 'vscode';
import type { DebuggedProcess, Workflow } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Folder } from '../connection/folder.ts';
import { reportError } from '../notify.ts';
import type { Folders } from '../connection/folders.ts';
import { attachConfiguration, keyOf, type DebugKey } from './attach-configuration.ts';
import { followSession, type SessionEnd } from './session-tracker.ts';

/** Something this window debugs. */
interface Debugged {
  readonly key: DebugKey;
  readonly name: string;
  /** Receives the first process, whose session VS Code starts itself. */
  first: ((process: DebuggedProcess) => void) | undefined;
}

/**
 * The debugging sessions of this window. The runtime reports which processes wait for a debugger; each
 * gets a session of the built-in one. A session that the user ends is the end of the debugging; after
 * one whose process ended (an update, a crash) comes a session for the next process.
 */
export class DebugSessions implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #ownCode: string;
  readonly #output: vscode.LogOutputChannel;
  readonly #debugged = new Map<string, Debugged>();
  /** Targets that have stopped at a breakpoint, by session id. */
  readonly #stopped = new Map<string, string>();
  readonly #following = new Map<Folder, vscode.Disposable>();
  readonly #tracker: vscode.Disposable;

  /** @param ownCode folder of Weir's own bundles */
  constructor(folders: Folders, ownCode: string, output: vscode.LogOutputChannel) {
    this.#folders = folders;
    this.#ownCode = ownCode;
    this.#output = output;
    this.#tracker = followSession(keyOf, {
      stopped: (session, key, stopped) => this.#setStopped(session, key, stopped),
      ended: (session, key, end) => this.#ended(session, key, end),
    });
  }

  /**
   * Debugs what `start` puts under the debugger. What `start` rejects with after the debugger was
   * given a process is reported here, because nobody waits for it any more.
   * @param target id of a source, or path of a file, also of one that `start` deploys
   * @param start resolves when the component is loaded, which is after the debugger has attached
   * @returns the configuration of the first session, for VS Code to start
   */
  async begin(
    folder: Folder,
    target: string,
    name: string,
    start: () => PromiseLike<unknown>,
  ): Promise<vscode.DebugConfiguration> {
    this.#follow(folder);
    let hasProcess = false;
    const debugged: Debugged = {
      key: { runtime: folder.key, target },
      name,
      first: undefined,
    };
    const first = new Promise<DebuggedProcess>((resolve) => {
      debugged.first = (process) => {
        hasProcess = true;
        resolve(process);
      };
    });
    this.#debugged.set(keyText(debugged.key), debugged);
    const started = Promise.resolve(start());
    started.catch((error: unknown) => {
      if (hasProcess) reportError(error, this.#output);
    });
    try {
      const process = await Promise.race([first, started.then(endedTooSoon)]);
      const key = this.#rename(debugged, process);
      return attachConfiguration(name, process, key, this.#ownCode);
    } catch (error) {
      this.#debugged.delete(keyText(debugged.key));
      throw error;
    }
  }

  /**
   * Debugs what is not deployed, for as long as `work`, which runs it under the debugger, takes. Errors are reported as
   * {@link begin} does it.
   * @param target path of a file, or id of the workflow that a test runs
   */
  beginWhile(
    folder: Folder,
    target: string,
    name: string,
    work: () => PromiseLike<unknown>,
  ): Promise<vscode.DebugConfiguration> {
    const { key: runtime } = folder;
    return this.begin(folder, target, name, async () => {
      try {
        await work();
      } finally {
        // Its target may be another one by now.
        const over = [...this.#debugged.values()].filter(
          ({ key, name: of }) => key.runtime === runtime && of === name,
        );
        for (const { key } of over) {
          this.#debugged.delete(keyText(key));
          await this.#call(key, 'debug.stop', { id: key.target });
        }
      }
    });
  }

  /** The same for a file: each process that runs it meanwhile waits for a debugger. */
  beginFile(
    folder: Folder,
    file: string,
    name: string,
    work: () => PromiseLike<unknown>,
  ): Promise<vscode.DebugConfiguration> {
    return this.beginWhile(folder, file, name, async () => {
      const client = await folder.link.ready();
      await client.call('debug.start', { id: file });
      await work();
    });
  }

  isDebugging(folder: Folder, target: string): boolean {
    return this.#debugged.has(keyText({ runtime: folder.key, target }));
  }

  /** The sources that are debugged in this window. */
  get sources(): { readonly folder: Folder; readonly sourceId: string }[] {
    return [...this.#debugged.values()].flatMap(({ key: { runtime, target } }) => {
      const folder = this.#folders.withKey(runtime);
      return folder?.mirror.source(target) === undefined ? [] : [{ folder, sourceId: target }];
    });
  }

  /** The workflows that are debugged in this window. */
  get workflows(): { readonly folder: Folder; readonly workflow: Workflow }[] {
    return [...this.#debugged.values()].flatMap(({ key: { runtime, target } }) => {
      const folder = this.#folders.withKey(runtime);
      const workflow = folder?.mirror.workflow(target);
      return folder === undefined || workflow === undefined ? [] : [{ folder, workflow }];
    });
  }

  dispose(): void {
    this.#tracker.dispose();
    for (const following of this.#following.values()) following.dispose();
  }

  #follow(folder: Folder): void {
    if (this.#following.has(folder)) return;
    const changes = folder.mirror.onChanges.on((batch) => {
      for (const change of batch) {
        if (change.type === 'debug') void this.#attach(folder, change.process);
      }
    });
    const states = folder.link.onState.on((state) => {
      // A runtime that has ended no longer debugs anything.
      if (state === 'ready') return;
      for (const [text, { key }] of this.#debugged) {
        if (key.runtime === folder.key) this.#debugged.delete(text);
      }
    });
    this.#following.set(folder, vscode.Disposable.from(changes, states));
  }

  /** A process waits for a debugger: it gets a session of its own. */
  async #attach(folder: Folder, process: DebuggedProcess): Promise<void> {
    const { key: runtime } = folder;
    const targets = [process.source_id, process.path].filter((target) => target !== null);
    const debugged = targets
      .map((target) => this.#debugged.get(keyText({ runtime, target })))
      .find((found) => found !== undefined);
    if (debugged === undefined) return;
    if (debugged.first !== undefined) {
      debugged.first(process);
      debugged.first = undefined;
      return;
    }
    const { key, name } = debugged;
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

  /** The target of a source that was being deployed is its id from now on. */
  #rename(debugged: Debugged, process: DebuggedProcess): DebugKey {
    if (process.source_id === null) return debugged.key;
    this.#debugged.delete(keyText(debugged.key));
    const key = { ...debugged.key, target: process.source_id };
    this.#debugged.set(keyText(key), { ...debugged, key });
    return key;
  }

  #setStopped(session: string, key: DebugKey, stopped: boolean): void {
    const text = keyText(key);
    const before = [...this.#stopped.values()].includes(text);
    if (stopped) this.#stopped.set(session, text);
    else this.#stopped.delete(session);
    const paused = [...this.#stopped.values()].includes(text);
    if (paused !== before) void this.#call(key, 'debug.paused', { id: key.target, paused });
  }

  #ended(session: string, key: DebugKey, end: SessionEnd): void {
    this.#setStopped(session, key, false);
    if (end === 'process' || !this.#debugged.delete(keyText(key))) return;
    void this.#call(key, 'debug.stop', { id: key.target });
  }

  async #call(
    key: DebugKey,
    ...[method, params]:
      | ['debug.stop', { id: string }]
      | ['debug.paused', { id: string; paused: boolean }]
  ): Promise<void> {
    const folder = this.#folders.withKey(key.runtime);
    try {
      await folder?.link.client?.call(method, params);
    } catch (error) {
      this.#output.warn(`${method}: ${messageOf(error)}`);
    }
  }
}

function endedTooSoon(): never {
  throw new WeirError('conflict', 'The run ended before a debugger was attached; try again.');
}

function keyText({ runtime, target }: DebugKey): string {
  return `${runtime}\n${target}`;
}
