/** The ways in which an account of an app can be connected from the editor, and what each needs of its user first. */
import * as vscode from 'vscode';
import type { App, Params } from '../../protocol/catalogue.ts';
import { editorSession } from '../editor-session.ts';
import { confirm } from './confirm.ts';

export type Way = App['grants'][number];

/** What a way adds to the request. */
export type WayRequest = Pick<
  Params<'accounts.connect'>,
  'grant' | 'allow_command' | 'editor_session'
>;

/** Those for which the user has registered a client with the app. */
export function needsClient(way: Way): boolean {
  return way !== 'editor' && way !== 'command';
}

/**
 * Asks only where there is a way without a client, or a browser that may not find its way back.
 * @returns undefined when the user cancelled
 */
export async function chooseWay(app: App): Promise<Way | undefined> {
  const isRemote = vscode.env.remoteName !== undefined;
  const ways: readonly Way[] = app.grants.filter((way) => way !== 'client_credentials');
  const isPlain = ways.every((way) => needsClient(way) && (way !== 'device' || !isRemote));
  if (isPlain || ways.length === 1) return ways[0] ?? app.grants[0];
  const order: readonly Way[] = isRemote
    ? ['editor', 'device', 'code', 'oauth1', 'command']
    : ['editor', 'code', 'oauth1', 'device', 'command'];
  const items = order
    .filter((way) => ways.includes(way))
    .map((way) => ({ ...lookOf(way, app), way }));
  const title = `Connect ${app.name}`;
  return (await vscode.window.showQuickPick(items, { title }))?.way;
}

function lookOf(way: Way, { name, command }: App): { label: string; detail: string } {
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
  return way === 'device'
    ? {
        label: '$(key) Enter a Code',
        detail: 'In a browser anywhere, with an OAuth client of yours.',
      }
    : {
        label: '$(globe) Sign In in the Browser',
        detail: 'It comes back to this machine; with an OAuth client of yours.',
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
