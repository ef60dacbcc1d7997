import * as vscode from 'vscode';
import type { Account } from '../../protocol/catalogue.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import type { ConnectApp, EnterSigningSecret } from './form-accounts.ts';

/** What a form passes to the command that connects accounts; the form shows the result itself. */
export interface FormConnection {
  readonly kind: 'formConnection';
  readonly client: RuntimeClient;
  readonly app: string;
  /** An existing account, which keeps its id. */
  readonly account: string | undefined;
  readonly ended: (connected: Promise<string | undefined>) => void;
}

/** Connects an account from a form, as the command does. */
export const connectApp: ConnectApp = (client, app, account) =>
  new Promise((ended) => {
    const request: FormConnection = { kind: 'formConnection', client, app, account, ended };
    void vscode.commands.executeCommand('weir.connectAccount', request);
  });

/** What a form passes to the command that enters signing secrets. */
export interface FormSigningSecret {
  readonly kind: 'formSigningSecret';
  readonly client: RuntimeClient;
  readonly account: Account;
  readonly ended: (entered: Promise<boolean>) => void;
}

/** Enters a signing secret from a form, as the command does. */
export const enterSecret: EnterSigningSecret = (client, account) =>
  new Promise((ended) => {
    const request: FormSigningSecret = { kind: 'formSigningSecret', client, account, ended };
    void vscode.commands.executeCommand('weir.enterSigningSecret', request);
  });
