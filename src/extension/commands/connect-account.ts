/** An account that connects by OAuth: new, or one that needs its person again. The browser does the rest. */
import * as vscode from 'vscode';
import type { App, Params } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { allPages } from '../../client/pages.ts';
import type { FormConnection } from '../forms/connect-app.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import type { AccountSharing } from '../account-sharing.ts';
import { isNode } from '../views/nodes.ts';
import { addAccount, askField } from './add-account.ts';
import { chooseWay, needsClient, wayRequest } from './connect-methods.ts';
import type { Command } from './context.ts';
import { type Begun, followConnection } from './follow-connection.ts';
import { pickFolder } from './pick-target.ts';
import { isElsewhere } from './redirect-uri.ts';

/** From an account's row that account again, from an app's row one more of that app, else one of a chosen app. */
export const connectAccount: Command = async (context, arg) => {
  const { sharing } = context;
  if (isFormConnection(arg)) return arg.ended(connectForForm(arg, sharing));
  const row = isNode(arg, 'account') ? arg : undefined;
  const folder =
    row?.folder ??
    (isNode(arg, 'app') ? arg.folder : undefined) ??
    (await pickFolder(context, 'Connect Account'));
  if (folder === undefined) return;
  const client = await folder.link.ready();
  const known = row?.account.app.id ?? (isNode(arg, 'app') ? arg.app.id : undefined);
  const app = known === undefined ? await chooseApp(client) : await findApp(client, known);
  if (known !== undefined && (app === undefined || app.grants.length === 0)) {
    await addAccount(context, arg);
  } else if (app !== undefined) await connectInBrowser(client, app, row?.account.id, sharing);
};

/** Undefined of one that nobody defines: it takes keys. */
async function findApp(client: RuntimeClient, slug: string): Promise<App | undefined> {
  try {
    return await client.call('apps.get', { slug });
  } catch (error) {
    if (WeirError.is(error, 'not_found')) return undefined;
    throw error;
  }
}

/** For the app of a prop. */
async function connectForForm(
  { client, app, account }: FormConnection,
  sharing: AccountSharing,
): Promise<string | undefined> {
  return connectInBrowser(client, await client.call('apps.get', { slug: app }), account, sharing);
}

function isFormConnection(arg: unknown): arg is FormConnection {
  return (arg as Partial<FormConnection> | undefined)?.kind === 'formConnection';
}

/** @param account one that is there: it keeps its id */
async function connectInBrowser(
  client: RuntimeClient,
  app: App,
  account: string | undefined,
  sharing: AccountSharing,
): Promise<string | undefined> {
  const isFar = isElsewhere(client);
  // An existing account stays where it is, and accounts of a remote runtime are not this user's to share.
  const mayShare = account === undefined && !client.isRemote;
  const chosen = await chooseWay(app, isFar, mayShare ? sharing : undefined);
  if (chosen === undefined) return undefined;
  const { answer: way, isShared } = chosen;
  if (needsClient(way) && !(await hasClient(client, app))) return undefined;
  const fields = needsClient(way) ? await askFields(app) : {};
  const more = fields && (await wayRequest(way, app));
  if (fields === undefined || more === undefined) return undefined;
  const request: Params<'accounts.connect'> = {
    app: app.name_slug,
    ...more,
    ...(account !== undefined && { account }),
    ...(isShared && { kept_for: 'user' }),
    ...(Object.keys(fields).length > 0 && { fields }),
  };
  const ended = await followConnection(client, app, await begin(client, request, isFar));
  if (ended.account === null) {
    if (ended.status === 'cancelled') return undefined;
    throw new WeirError(
      'bad_input',
      `${app.name} was not connected: ${ended.error ?? 'no reason'}`,
    );
  }
  const whose = isShared ? ' for all your folders' : '';
  vscode.window.setStatusBarMessage(`$(check) ${app.name} connected${whose}`, 5000);
  return ended.account;
}

/** A browser elsewhere does without the port that the app knows, where another program has it. */
async function begin(
  client: RuntimeClient,
  request: Params<'accounts.connect'>,
  isFar: boolean,
): Promise<Begun> {
  try {
    return { started: await client.call('accounts.connect', request), mustPaste: false };
  } catch (error) {
    const comesBack = request.grant === 'code' || request.grant === 'oauth1';
    if (!isFar || !comesBack || !WeirError.is(error, 'conflict')) throw error;
    const started = await client.call('accounts.connect', { ...request, pasted: true });
    return { started, mustPaste: true };
  }
}

async function chooseApp(client: RuntimeClient): Promise<App | undefined> {
  const all = await allPages((page) => client.call('apps.list', page));
  const items = all
    .filter(({ grants }) => grants.length > 0)
    .map((app) => ({
      label: app.name,
      description: app.name_slug,
      ...detailOf(app),
      app,
    }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'Connect Account',
    matchOnDescription: true,
  });
  return chosen?.app;
}

function detailOf({ unverified, package: of }: App): { detail?: string } {
  if (of !== null) return { detail: `Its definition came with ${of}.` };
  return unverified ? { detail: 'Its definition is unverified.' } : {};
}

/** The first time, the user enters the client that was registered with the app. @returns false when cancelled */
async function hasClient(client: RuntimeClient, app: App): Promise<boolean> {
  const { name_slug: slug, name, setup, redirect_uri: redirect } = app;
  const { data } = await client.call('oauthClients.list', { app: slug, limit: 1 });
  if (data.length > 0) return true;
  const title = `OAuth Client of ${name}`;
  const where = [
    ...(setup === null ? [] : [`Register a client at ${setup}`]),
    ...(redirect === null ? [] : [`with the redirect URI ${redirect}`]),
  ].join(' ');
  const clientId = await askField({
    title,
    prompt: `${where === '' ? 'Register a client with the app' : where}. Its client id`,
    validateInput: (text) => (text.trim() === '' ? 'A client id is required.' : undefined),
  });
  if (clientId === undefined) return false;
  const secret = await askField({
    title,
    prompt: 'Its client secret, which is kept encrypted and not shown again; empty without one',
    password: true,
  });
  if (secret === undefined) return false;
  const given = { app: slug, client_id: clientId, client_secret: secret };
  await client.call('oauthClients.create', given);
  return true;
}

interface Asked {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly default: string;
  readonly optional: boolean;
  readonly type: string;
}

/** @returns undefined when the user cancelled */
async function askFields(app: App): Promise<Record<string, string> | undefined> {
  const given = new Map<string, string>();
  for (const field of JSON.parse(app.custom_fields_json) as readonly Asked[]) {
    const value = await askField({
      title: `Connect ${app.name}`,
      prompt: field.description === '' ? field.label : `${field.label}: ${field.description}`,
      value: field.default,
      password: field.type === 'password',
      validateInput: (text) =>
        text === '' && !field.optional ? `${field.label} is required.` : undefined,
    });
    if (value === undefined) return undefined;
    if (value !== '') given.set(field.name, value);
  }
  return Object.fromEntries(given);
}
