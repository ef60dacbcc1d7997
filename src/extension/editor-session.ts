import * as vscode from 'vscode';
import type { App, Params } from '../protocol/catalogue.ts';
import { messageOf } from '../protocol/errors.ts';

type EditorSession = NonNullable<Params<'accounts.connect'>['editor_session']>;

/**
 * Texts that errors have in common if a user declines: VS Code's own errors, and those of its providers. They have no
 * code. https://github.com/microsoft/vscode/blob/main/src/vs/workbench/api/browser/mainThreadAuthentication.ts
 */
const refused = /did not consent|cancell?ed/i;

/** A session of one of VS Code's authentication providers; undefined without one, and when the user refuses. */
export async function editorSession(
  { provider, scopes }: NonNullable<App['editor']>,
  how: { readonly createIfNone: true } | { readonly silent: true },
): Promise<EditorSession | undefined> {
  const session = await sessionOf(provider, scopes, how);
  if (session === undefined) return undefined;
  const { id, label } = session.account;
  return { access_token: session.accessToken, account: { id, label } };
}

async function sessionOf(
  ...question: Parameters<typeof vscode.authentication.getSession>
): Promise<vscode.AuthenticationSession | undefined> {
  try {
    return await vscode.authentication.getSession(...question);
  } catch (error) {
    if (refused.test(messageOf(error))) return undefined;
    throw error;
  }
}
