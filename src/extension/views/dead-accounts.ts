import * as vscode from 'vscode';
import { accountHealth } from '../../protocol/account-health.ts';
import type { Clock } from '../clock.ts';
import type { Folders } from '../connection/folders.ts';
import { countOf } from '../count-of.ts';

/** Shows in the status bar how many accounts do not work until their user reconnects them. Hidden if there are none. */
export function showDeadAccounts(folders: Folders, clock: Clock): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'weir.deadAccounts',
    vscode.StatusBarAlignment.Left,
  );
  item.name = 'Weir Accounts';
  item.command = 'weir.accounts.focus';
  item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
  const show = (): void => {
    const now = clock.now();
    const dead = folders.all
      .flatMap(({ mirror }) => [...mirror.state.accounts.values()])
      .filter((account) => accountHealth(account, now)?.state === 'dead');
    const text = `${countOf(dead.length, 'account')} ${dead.length === 1 ? 'needs' : 'need'} you`;
    item.text = `$(account) Weir: ${text}`;
    item.tooltip = dead
      .map(
        (account) =>
          `${account.name} (${account.app.name}): ${account.error ?? 'connect it again'}`,
      )
      .join('\n');
    item.accessibilityInformation = { label: `Weir: ${text}` };
    if (dead.length === 0) item.hide();
    else item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    folders.onDidChangeState(show),
    folders.onDidChange(({ touched }) => {
      if (touched.accountList) show();
    }),
  );
}
