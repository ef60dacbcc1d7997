import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { KeyForm } from '../../protocol/key-forms.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import type { AccountSharing } from '../account-sharing.ts';
import { isNode } from '../views/nodes.ts';
import { askShared, type Shared } from './ask-sharing.ts';
import type { Command } from './context.ts';
import { pickFolder } from './pick-target.ts';

/** Asks for the name and the keys of an account, which are not shown, and stores it; from an app's row one more of that app. */
export const addAccount: Command = async (context, arg) => {
  const row = isNode(arg, 'app') ? arg : undefined;
  const folder = row?.folder ?? (await pickFolder(context, 'Add Account'));
  if (folder === undefined) return;
  const app =
    row?.app.id ??
    (await askField({
      title: 'Add Account',
      prompt: "The app's name slug, as the component's app prop has it.",
      placeHolder: 'slack',
      validateInput: (text) => (text.trim() === '' ? 'A name slug is required.' : undefined),
    }));
  if (app === undefined) return;
  const id = await createAccount(await folder.link.ready(), app.trim(), context.sharing);
  if (id !== undefined) vscode.window.setStatusBarMessage(`$(check) Account ${id} added`, 5000);
};

/** @returns its id, or undefined when the user cancelled */
async function createAccount(
  client: RuntimeClient,
  app: string,
  sharing: AccountSharing,
): Promise<string | undefined> {
  const title = `Add Account for ${app}`;
  const named = await askName(title, app, client.isRemote ? undefined : sharing);
  if (named === undefined) return undefined;
  const { answer: name, isShared } = named;
  const form = await keyFormOf(client, app);
  const credentials =
    form === undefined
      ? await askCredentials(title)
      : await askKeys(`${title}${form.name === null ? '' : `: ${form.name}`}`, form);
  if (credentials === undefined) return undefined;
  const kept = isShared && ({ kept_for: 'user' } as const);
  const account = await client.call('accounts.create', { app, name, credentials, ...kept });
  return account.id;
}

/** @param sharing where the account can be shared */
async function askName(
  title: string,
  app: string,
  sharing: AccountSharing | undefined,
): Promise<Shared<string> | undefined> {
  const question = { title, prompt: 'A name for this account', value: app };
  const problemOf = (text: string): string | undefined =>
    text.trim() === '' ? 'A name is required.' : undefined;
  if (sharing !== undefined) return askShared(question, problemOf, sharing);
  const answer = await askField({ ...question, validateInput: problemOf });
  return answer === undefined ? undefined : { answer, isShared: false };
}

/** Undefined for an app that has no definition, and of which no component was looked at. */
async function keyFormOf(client: RuntimeClient, slug: string): Promise<KeyForm | undefined> {
  try {
    return (await client.call('apps.get', { slug })).key_forms[0];
  } catch (error) {
    if (WeirError.is(error, 'not_found')) return undefined;
    throw error;
  }
}

/** The keys that the app is known to need. */
async function askKeys(
  title: string,
  { fields }: KeyForm,
): Promise<Record<string, string> | undefined> {
  const credentials: Record<string, string> = {};
  for (const { name, label, description, default: usual, optional, secret } of fields) {
    const value = await askField({
      title,
      prompt: `${label} (${name})${optional ? ', which may stay empty' : ''}${description === '' ? '' : `. ${description}`}`,
      value: usual,
      password: secret,
      validateInput: (text) => (text === '' && !optional ? 'A value is required.' : undefined),
    });
    if (value === undefined) return undefined;
    if (value !== '') credentials[name] = value;
  }
  return credentials;
}

/** Field after field until an empty name: only the component's code knows which ones `$auth` has. */
async function askCredentials(title: string): Promise<Record<string, string> | undefined> {
  const credentials: Record<string, string> = {};
  for (;;) {
    const known = Object.keys(credentials);
    const field = await askField({
      title,
      prompt:
        known.length === 0
          ? 'Name of the first field of $auth, such as api_key or oauth_access_token'
          : `Name of the next field, or Enter to store ${known.join(', ')}`,
      placeHolder: known.length === 0 ? 'api_key' : '',
      validateInput: (text) =>
        text.trim() === '' && known.length === 0 ? 'At least one field is required.' : undefined,
    });
    if (field === undefined) return undefined;
    const name = field.trim();
    if (name === '') return credentials;
    const value = await askField({
      title,
      prompt: `Value of ${name}`,
      password: true,
      validateInput: (text) => (text === '' ? 'A value is required.' : undefined),
    });
    if (value === undefined) return undefined;
    credentials[name] = value;
  }
}

/** A value often has to be fetched from another window, so the box stays when it loses the focus. */
export function askField(question: vscode.InputBoxOptions): Thenable<string | undefined> {
  return vscode.window.showInputBox({ ...question, ignoreFocusOut: true });
}
