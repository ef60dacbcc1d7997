import * as vscode from 'vscode';
import type { Change } from '../../protocol/rpc.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import type { ExecutionEditors } from '../execution/execution-editors.ts';

type ErrorNotification = Extract<Change, { type: 'notification' }>;

/** Says that an execution has failed: the runtime tells of each error of a workflow once a day (P25.75). */
export class ErrorNotifications implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #executions: ExecutionEditors;
  readonly #following = new Map<Folder, vscode.Disposable>();
  readonly #states: vscode.Disposable;

  constructor(folders: Folders, executions: ExecutionEditors) {
    this.#folders = folders;
    this.#executions = executions;
    this.#states = folders.onDidChangeState(() => this.#follow());
    this.#follow();
  }

  dispose(): void {
    this.#states.dispose();
    for (const following of this.#following.values()) following.dispose();
  }

  #follow(): void {
    const { all } = this.#folders;
    for (const [folder, following] of this.#following) {
      if (all.includes(folder)) continue;
      following.dispose();
      this.#following.delete(folder);
    }
    for (const folder of all) {
      if (this.#following.has(folder)) continue;
      const following = folder.mirror.onChanges.on((batch) => {
        for (const change of batch) {
          if (change.type === 'notification') void this.#show(folder, change);
        }
      });
      this.#following.set(folder, following);
    }
  }

  async #show(folder: Folder, { message, execution }: ErrorNotification): Promise<void> {
    const look = 'Show Execution';
    if ((await vscode.window.showErrorMessage(message, look)) === look) {
      await this.#executions.show(folder, execution);
    }
  }
}
