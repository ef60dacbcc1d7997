import * as vscode from 'vscode';
import type { RuntimeClient } from '../model/runtime-client.ts';
import type { Command } from './context.ts';
import { pickFolder } from './pick-target.ts';

/** Asks for the name and the keys of an account, which are not shown, and stores it. */
export const addAccount: Command = async (context) => {
  const folder = await pickFolder(context, 'Add Account');
  if (folder === undefined) return;
  const app = await vscode.window.showInputBox({
    title: 'Add Account',
    prompt: "The app's name slug, as the component's app prop has it.",
    placeHolder: 'slack',
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? 'A name slug is required.' : undefined),
  });
  if (app === undefined) return;
  const id = await createAccount(await folder.link.ready(), app.trim());
  if (id !== undefined) vscode.window.setStatusBarMessage(`$(check) Account ${id} added`, 5000);
};

/** @returns its id, or undefined when the user cancelled */
async function createAccount(client: RuntimeClient, app: string): Promise<string | undefined> {
  const title = `Add Account for ${app}`;
  const name = await askText({
    title,
    prompt: 'A name for this account',
    value: app,
    problem: (text) => (text.trim() === '' ? 'A name is required.' : undefined),
  });
  if (name === undefined) return undefined;
  const credentials = await askCredentials(title);
  if (credentials === undefined) return undefined;
  const account = await client.call('accounts.create', { app, name, credentials });
  return account.id;
}

/** Field after field until an empty name: only the component's code knows which ones `$auth` has. */
async function askCredentials(title: string): Promise<Record<string, string> | undefined> {
  const credentials: Record<string, string> = {};
  for (;;) {
    const known = Object.keys(credentials);
    const field = await askText({
      title,
      prompt:
        known.length === 0
          ? 'Name of the first field of $auth, such as api_key or oauth_access_token'
          : `Name of the next field, or Enter to store ${known.join(', ')}`,
      placeholder: known.length === 0 ? 'api_key' : '',
      problem: (text) =>
        text.trim() === '' && known.length === 0 ? 'At least one field is required.' : undefined,
    });
    if (field === undefined) return undefined;
    const name = field.trim();
    if (name === '') return credentials;
    const value = await askText({
      title,
      prompt: `Value of ${name}`,
      password: true,
      problem: (text) => (text === '' ? 'A value is required.' : undefined),
    });
    if (value === undefined) return undefined;
    credentials[name] = value;
  }
}

interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  /** One sentence about what is wrong, undefined when nothing is. */
  readonly problem: (text: string) => string | undefined;
}

/**
 * Unlike `showInputBox`, says what is wrong with an empty text only on Enter.
 * @returns undefined when the user cancelled
 */
function askText(question: TextQuestion): Promise<string | undefined> {
  const { title, prompt, placeholder = '', value = '', password = false, problem } = question;
  const box = vscode.window.createInputBox();
  // A value often has to be fetched from another window, so the box stays when it loses the focus.
  Object.assign(box, { title, prompt, placeholder, value, password, ignoreFocusOut: true });
  return new Promise((resolve) => {
    const end = (text: string | undefined): void => {
      resolve(text);
      disposables.dispose();
    };
    const disposables = vscode.Disposable.from(
      box,
      box.onDidChangeValue((text) => {
        box.validationMessage = text === '' ? undefined : problem(text);
      }),
      box.onDidAccept(() => {
        box.validationMessage = problem(box.value);
        if (box.validationMessage === undefined) end(box.value);
      }),
      box.onDidHide(() => end(undefined)),
    );
    box.show();
  });
}
