/** The ways in which an account of an app can be connected from the editor, and what each needs of its user first. */
import * as vscode from 'vscode';
import type { App, Params } from '../../protocol/catalogue.ts';
import { editorSession } from '../editor-session.ts';
import type { AccountSharing } from '../account-sharing.ts';
import { pickShared, type Shared } from './ask-sharing.ts';
import { confirm } from './confirm.ts';

export type Way = App['grants'][number];

/** The parameters that a method adds to the request. */
export type WayRequest = Pick<
  Params<'accounts.connect'>,
  'grant' | 'allow_command' | 'editor_session'
>;

/** Methods for which the user has registered a client with the app. */
export function needsClient(way: Way): boolean {
  return way !== 'editor' && way !== 'command';
}

/**
 * A new account is always asked about, as it may be shared. Else it is only where there is a way without a client, or a browser
 * that may not find its way back.
 * @param isElsewhere the browser is on another machine than the runtime
 * @param sharing of a new account, where it can be shared
 * @returns undefined when the user cancelled
 */
export async function chooseWay(
  app: App,
  isElsewhere: boolean,
  sharing: AccountSharing | undefined,
): Promise<Shared<Way> | undefined> {
  const withPerson = app.grants.filter((way) => way !== 'client_credentials');
  const ways: readonly Way[] = withPerson.length > 0 ? withPerson : app.grants;
  const isPlain = ways.every((way) => needsClient(way) && (way !== 'device' || !isElsewhere));
  const [first] = ways;
  if (sharing === undefined && first !== undefined && (isPlain || ways.length === 1))
    return { answer: first, isShared: false };
  const order: readonly Way[] = isElsewhere
    ? ['editor', 'device', 'code', 'oauth1', 'command', 'client_credentials']
    : ['editor', 'code', 'oauth1', 'device', 'command', 'client_credentials'];
  const items = order
    .filter((way) => ways.includes(way))
    .map((way) => ({ ...lookOf(way, app, isElsewhere), way }));
  const title = `Connect ${app.name}`;
  if (sharing === undefined) {
    const chosen = await vscode.window.showQuickPick(items, { title });
    return chosen && { answer: chosen.way, isShared: false };
  }
  const chosen = await pickShared(title, items, sharing);
  return chosen && { ...chosen, answer: chosen.answer.way };
}

function lookOf(
  way: Way,
  { name, command }: App,
  isElsewhere: boolean,
): { label: string; detail: string } {
  if (way === 'editor')
    return {
      label: `$(account) Use VS Code's Session of ${name}`,
      detail: 'No OAuth client is needed. VS Code asks you first.',
    };
  if (way === 'command')
    return {
      label: `$(terminal) Use the Output of "${command?.run.join(' ') ?? ''}"`,
      detail: 'No OAuth client is needed. The command runs again when its token is over.',
    };
  if (way === 'device')
    return {
      label: '$(key) Enter a Code',
      detail: 'In a browser anywhere, with an OAuth client of yours.',
    };
  if (way === 'client_credentials')
    return {
      label: '$(server) Connect as the App Itself',
      detail: 'Nobody signs in; with an OAuth client of yours.',
    };
  return {
    label: '$(globe) Sign In in the Browser',
    detail: isElsewhere
      ? 'With an OAuth client of yours; you may have to paste the address it ends at.'
      : 'It comes back to this machine; with an OAuth client of yours.',
  };
}

/** @returns undefined when the user cancelled */
export async function wayRequest(way: Way, app: App): Promise<WayRequest | undefined> {
  if (way === 'editor' && app.editor !== null) {
    const session = await editorSession(app.editor, { createIfNone: true });
    return session && { grant: way, editor_session: session };
  }
  if (way !== 'command' || app.command === null || app.command.allowed) return { grant: way };
  const { run } = app.command;
  const isAllowed = await confirm(
    `Run "${run.join(' ')}" to connect ${app.name}?`,
    `The definition of the app (${app.file ?? app.from}) names this command. It runs in your name, now and whenever a new token is needed, and may do whatever you may. You are asked once in this workspace.`,
    'Run',
  );
  return isAllowed ? { grant: way, allow_command: run } : undefined;
}
