import * as vscode from 'vscode';
import type { Account } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';

/** Says once that an account has to be connected again, until it was. */
export class AccountNotifications implements vscode.Disposable {
  readonly #told = new Set<string>();
  readonly #changes: vscode.Disposable;

  constructor(folders: Folders) {
    const look = (): void => {
      for (const folder of folders.all) {
        for (const account of folder.mirror.state.accounts.values()) this.#look(folder, account);
      }
    };
    this.#changes = folders.onDidChange(({ touched }) => {
      if (touched.accountList) look();
    });
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #look(folder: Folder, account: Account): void {
    if (account.dead !== true) {
      this.#told.delete(account.id);
    } else if (!this.#told.has(account.id)) {
      this.#told.add(account.id);
      void offer(folder, account);
    }
  }
}

async function offer(folder: Folder, account: Account): Promise<void> {
  const again = 'Connect Again';
  const why = account.error ?? 'Connect the account again.';
  const message = `The account ${account.name} of ${account.app.name} does not work any more. ${why}`;
  if ((await vscode.window.showWarningMessage(message, again)) !== again) return;
  await vscode.commands.executeCommand('weir.connectAccount', { kind: 'account', folder, account });
}
