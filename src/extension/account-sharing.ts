import type { Memento } from 'vscode';

const lastKey = 'accounts.shared';

/** Whether the user wants new accounts for all folders: what was chosen last, in any workspace, is offered first. */
export class AccountSharing {
  readonly #memory: Memento;

  /** @param memory of the user, for all workspaces */
  constructor(memory: Memento) {
    this.#memory = memory;
  }

  get last(): boolean {
    return this.#memory.get<boolean>(lastKey) === true;
  }

  chosen(isShared: boolean): void {
    if (isShared !== this.last) void this.#memory.update(lastKey, isShared);
  }
}
