import * as vscode from 'vscode';
import type { RuntimeClient } from '../model/runtime-client.ts';
import type { ConnectApp } from './form-accounts.ts';

/** What the command that connects accounts gets from a form, which shows by itself how it ended. */
export interface FormConnection {
  readonly kind: 'formConnection';
  readonly client: RuntimeClient;
  readonly app: string;
  /** One that is there: it keeps its id. */
  readonly account: string | undefined;
  readonly ended: (connected: Promise<string | undefined>) => void;
}

/** Connects an account from a form, as the command does. */
export const connectApp: ConnectApp = (client, app, account) =>
  new Promise((ended) => {
    const request: FormConnection = { kind: 'formConnection', client, app, account, ended };
    void vscode.commands.executeCommand('weir.connectAccount', request);
  });
