/**
 * Enters the secret that an app signs its events with, for an account: from its row, from that of a source, or from a
 * form.
 */
import * as vscode from 'vscode';
import type { Account } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { FormSigningSecret } from '../forms/connect-app.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { isNode } from '../views/nodes.ts';
import { pickAccount } from './account-commands.ts';
import { askField } from './add-account.ts';
import type { Command } from './context.ts';

const title = 'Enter Signing Secret';

export const enterSigningSecret: Command = async (context, arg) => {
  if (isFormSigningSecret(arg)) return arg.ended(enter(arg.client, arg.account));
  if (isNode(arg, 'source')) {
    const client = await arg.folder.link.ready();
    const id = arg.source.webhook?.account;
    if (id === undefined || id === null) {
      throw new WeirError(
        'bad_input',
        `${arg.source.name} has no account: choose one with Configure, then enter what its app signs with.`,
      );
    }
    await enter(client, await client.call('accounts.get', { id }));
    return;
  }
  const target = await pickAccount(context, arg, title, ({ webhook }) => webhook !== undefined);
  if (target !== undefined) await enter(await target.folder.link.ready(), target.account);
};

function isFormSigningSecret(arg: unknown): arg is FormSigningSecret {
  return (arg as Partial<FormSigningSecret> | undefined)?.kind === 'formSigningSecret';
}

/** @returns false when the user cancelled */
async function enter(client: RuntimeClient, { id, name, webhook }: Account): Promise<boolean> {
  if (webhook === undefined) {
    throw new WeirError('bad_input', `No definition says how the app of ${name} sends events.`);
  }
  const { secret_name: secretName, has_secret: hasSecret } = webhook;
  const secret = await askField({
    title: `${title}: ${name}`,
    prompt: `${secretName}: what the app signs its events with. It is kept encrypted and not shown again.`,
    ...(hasSecret && { placeHolder: 'Takes the place of the one that is entered' }),
    password: true,
    validateInput: (text) => (text.trim() === '' ? `The ${secretName} is required.` : undefined),
  });
  if (secret === undefined) return false;
  await client.call('accounts.update', { id, signing_secret: secret });
  vscode.window.setStatusBarMessage(`$(check) ${secretName} of ${name} entered`, 5000);
  return true;
}
