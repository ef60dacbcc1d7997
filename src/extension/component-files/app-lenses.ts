import * as vscode from 'vscode';
import type { Account } from '../../protocol/catalogue.ts';
import { accountHealth } from '../../protocol/account-health.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { coalesce } from '../timing.ts';
import type { AppNode } from '../views/nodes.ts';
import { areLensesWanted, registerLenses, scriptFiles } from '../lenses.ts';
import { findAppProps } from './app-props.ts';

const refreshMs = 1000;

/** Above `type: "app"`: which accounts of the app there are, and the way to one more. */
export class AppLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #folders: Folders;
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(folders: Folders, clock: Clock) {
    this.#folders = folders;
    this.#clock = clock;
    const refresh = coalesce(clock, refreshMs, () => this.#changed.fire());
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      refresh,
      folders.onDidChangeState(refresh.request),
      folders.onDidChange(({ touched }) => {
        if (touched.accountList) refresh.request();
      }),
      registerLenses(scriptFiles, this, () => this.#changed.fire()),
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!areLensesWanted(document)) return [];
    const folder = this.#folders.of(document.uri.fsPath);
    return findAppProps(document.getText()).flatMap(({ line, app }) => {
      const range = new vscode.Range(line, 0, line, 0);
      return lensesOf(folder, app, this.#clock.now()).map(
        (command) => new vscode.CodeLens(range, command),
      );
    });
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function lensesOf(folder: Folder, app: string, now: number): vscode.Command[] {
  const accounts = [...folder.mirror.state.accounts.values()].filter(
    (account) => account.app.id === app,
  );
  const node: AppNode = { kind: 'app', folder, app: { id: app, name: app } };
  const connect = { title: 'Connect…', command: 'weir.connectAccount', arguments: [node] };
  if (accounts.length === 0) return [{ ...connect, title: `Connect ${app}…` }];
  return [
    { title: accounts.map((one) => shown(one, now)).join(', '), command: 'weir.accounts.focus' },
    connect,
  ];
}

function shown(account: Account, now: number): string {
  const state = accountHealth(account, now)?.state;
  if (state === 'dead') return `$(error)\u00a0${account.name} (needs you)`;
  return state === 'failing'
    ? `$(warning)\u00a0${account.name} (failing)`
    : `$(account)\u00a0${account.name}`;
}
