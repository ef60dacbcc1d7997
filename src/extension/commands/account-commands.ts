/** Accounts that are there already: renamed, their keys changed, deleted. What is in them is never shown. */
import * as vscode from 'vscode';
import type { Account } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { countOf } from '../count-of.ts';
import type { Folder } from '../connection/folder.ts';
import { inView } from '../notify.ts';
import { isNode, nodesOf } from '../views/nodes.ts';
import { askField } from './add-account.ts';
import { confirm } from './confirm.ts';
import type { Command, CommandContext } from './context.ts';
import { connectedFolders } from './pick-target.ts';

export const renameAccount: Command = async (context, arg) => {
  const target = await pickAccount(context, arg, 'Rename Account');
  if (target === undefined) return;
  const { folder, account } = target;
  const name = await vscode.window.showInputBox({
    title: 'Rename Account',
    prompt: 'The id stays as it is: components go on using the account.',
    value: account.name,
    validateInput: (text) => (text.trim() === '' ? 'A name is required.' : undefined),
  });
  if (name === undefined) return;
  const client = await folder.link.ready();
  await inView(() => client.call('accounts.update', { id: account.id, name: name.trim() }));
};

/** Chooses a field of `$auth` and asks for its new value, or takes it away. */
export const editAccount: Command = async (context, arg) => {
  const target = await pickAccount(context, arg, 'Edit Account');
  if (target === undefined) return;
  const { folder, account } = target;
  const { id, name } = account;
  const client = await folder.link.ready();
  const { fields = [] } = await client.call('accounts.get', { id, include_fields: true });
  const title = `Edit Account: ${name}`;
  const field = await chooseField(title, fields);
  if (field === undefined) return;
  const value = await newValue(title, field, fields);
  if (value === undefined) return;
  const credentials = { [field]: value };
  await inView(() => client.call('accounts.update', { id, credentials }));
  const done = value === null ? 'removed' : 'stored';
  vscode.window.setStatusBarMessage(`$(check) ${field} of ${name} ${done}`, 5000);
};

/** From now on all folders of the user have it; its id stays. */
export const shareAccount: Command = async (context, arg) => {
  const title = 'Share Account with All Your Folders';
  const isOwn = ({ kept_for: kept }: Account): boolean => kept === undefined;
  const target = await pickAccount(context, arg, title, isOwn);
  if (target === undefined) return;
  const { folder, account } = target;
  const client = await folder.link.ready();
  if (client.isRemote) {
    throw new WeirError(
      'conflict',
      `The account ${account.name} is on another machine, and your folders are here: it cannot be shared with them.`,
    );
  }
  const isSure = await confirm(
    `Share ${account.name} with all your folders?`,
    'What uses it goes on, and every folder of yours has it from now on. There is no way back: deleting it deletes it for all of them.',
    'Share',
  );
  if (!isSure) return;
  await inView(() => client.call('accounts.update', { id: account.id, kept_for: 'user' }));
  vscode.window.setStatusBarMessage(`$(check) ${account.name} shared with all your folders`, 5000);
};

export const deleteAccount: Command = async (context, arg, selection) => {
  const rows = nodesOf(arg, selection, 'account');
  const picked = rows.length > 0 ? undefined : await pickAccount(context, arg, 'Delete Account');
  const targets = picked === undefined ? rows : [picked];
  const [first, another] = targets;
  if (first === undefined) return;
  const what =
    another === undefined
      ? `the account ${first.account.name}`
      : countOf(targets.length, 'account');
  const isSure = await confirm(`Delete ${what}?`, await consequenceOf(targets), 'Delete');
  if (!isSure) return;
  for (const { folder, account } of targets) {
    const client = await folder.link.ready();
    await inView(() => client.call('accounts.delete', { id: account.id }));
  }
};

/** Which sources and workflows run without credentials from then on. */
async function consequenceOf(
  targets: readonly { readonly folder: Folder; readonly account: Account }[],
): Promise<string> {
  const users = new Map<string, string>();
  for (const { folder, account } of targets) {
    const client = await folder.link.ready();
    const request = { id: account.id, include_used_by: true };
    const { used_by: found = [] } = await client.call('accounts.get', request);
    for (const { id, name } of found) users.set(id, name);
  }
  return users.size === 0
    ? 'Nothing that is deployed uses it.'
    : `Without credentials from then on: ${[...users.values()].join(', ')}.`;
}

/** @returns the name of a field that is there or new; undefined when the user cancelled */
async function chooseField(title: string, fields: readonly string[]): Promise<string | undefined> {
  const add = { label: '$(add) Add a Field…', description: '', field: undefined };
  const items = [
    ...fields.map((field) => ({ label: `$(key) ${field}`, description: 'stored', field })),
    add,
  ];
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (chosen === undefined) return undefined;
  const name =
    chosen.field ??
    (await askField({
      title,
      prompt: 'Name of the field of $auth, such as api_key',
      validateInput: (text) => (text.trim() === '' ? 'A name is required.' : undefined),
    }));
  return name?.trim();
}

/** @returns null to take it away; undefined when the user cancelled */
async function newValue(
  title: string,
  field: string,
  fields: readonly string[],
): Promise<string | null | undefined> {
  if (fields.includes(field)) {
    const items = [
      { label: `$(edit) Change ${field}…`, isRemoved: false },
      { label: `$(trash) Remove ${field}`, isRemoved: true },
    ];
    const chosen = await vscode.window.showQuickPick(items, { title });
    if (chosen === undefined) return undefined;
    if (chosen.isRemoved) return null;
  }
  return askField({
    title,
    prompt: `New value of ${field}; the one that is stored is not shown`,
    password: true,
    validateInput: (text) => (text === '' ? 'A value is required.' : undefined),
  });
}

/** The account of the row, otherwise one that the user chooses. @param fits the accounts to offer */
export async function pickAccount(
  context: CommandContext,
  arg: unknown,
  title: string,
  fits: (account: Account) => boolean = () => true,
): Promise<{ readonly folder: Folder; readonly account: Account } | undefined> {
  if (isNode(arg, 'account')) return arg;
  const items = (await connectedFolders(context.folders)).flatMap((folder) =>
    [...folder.mirror.state.accounts.values()].filter(fits).map((account) => ({
      label: `$(account) ${account.name}`,
      description: `${account.app.name} · ${account.id}`,
      target: { folder, account },
    })),
  );
  if (items.length === 0) {
    throw new WeirError(
      'not_found',
      'There is no such account here yet; run Weir: Add Account… first.',
    );
  }
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen?.target;
}
