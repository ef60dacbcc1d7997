import * as vscode from 'vscode';
import type { App, Params } from '../protocol/catalogue.ts';

type EditorSession = NonNullable<Params<'accounts.connect'>['editor_session']>;

/** A session of one of VS Code's authentication providers. Undefined without one; rejects when the user refuses. */
export async function editorSession(
  { provider, scopes }: NonNullable<App['editor']>,
  how: { readonly createIfNone: true } | { readonly silent: true },
): Promise<EditorSession | undefined> {
  const session = await vscode.authentication.getSession(provider, scopes, how);
  if (session === undefined) return undefined;
  const { id, label } = session.account;
  return { access_token: session.accessToken, account: { id, label } };
}
