/** Actions are offered to agents as tools, offered otherwise, and withdrawn. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { allPages } from '../../client/pages.ts';
import type { AgentOffer, OfferedAction } from '../../protocol/catalogue.ts';
import { appOf } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Command, CommandContext } from '../commands/context.ts';
import { fileItem } from '../commands/pick-items.ts';
import { componentFiles } from '../commands/pick-file.ts';
import { connectedFolders, pickFolder } from '../commands/pick-target.ts';
import type { Folder } from '../connection/folder.ts';
import { countOf } from '../count-of.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { withProgress } from '../notify.ts';
import { isNode, nodesOf } from '../views/nodes.ts';
import { labelOf } from './agent-rows.ts';

const title = 'Offer Actions to Agents';

export const offerActions: Command = async (context) => {
  const folder = await pickFolder(context, title);
  if (folder === undefined) return;
  const client = await folder.link.ready();
  const chosen = await chooseActions(folder, client);
  if (chosen === undefined || chosen.length === 0) return;
  await offer(context, client, chosen);
};

/** The accounts and what runs for real are asked for once more. */
export const changeOffer: Command = async (context, arg) => {
  const [chosen] = isNode(arg, 'agentOffer') ? [arg] : await pickOffer(context, 'Change Offer');
  if (chosen === undefined) return;
  await offer(context, await chosen.folder.link.ready(), [chosen.offer.what]);
};

export const withdrawOffer: Command = async (context, arg, selection) => {
  const rows = nodesOf(arg, selection, 'agentOffer');
  const chosen = rows.length > 0 ? rows : await pickOffer(context, 'Withdraw Offer');
  for (const { folder, offer: known } of chosen) {
    const client = await folder.link.ready();
    await client.call('agent_offers.delete', { what: known.what });
  }
};

interface OfferTarget {
  readonly folder: Folder;
  readonly offer: AgentOffer;
}

/** Lets the user pick an offer from a list; returns none if the user cancelled. */
async function pickOffer(
  { folders }: CommandContext,
  question: string,
): Promise<readonly OfferTarget[]> {
  const all = await Promise.all(
    (await connectedFolders(folders)).map(async (folder) =>
      [...(await offersOf(await folder.link.ready())).values()].map((one) => ({
        label: labelOf(one.what),
        description: folders.all.length > 1 ? folder.name : '',
        target: { folder, offer: one },
      })),
    ),
  );
  if (all.flat().length === 0) {
    throw new WeirError('not_found', 'Nothing is offered to agents yet.');
  }
  const chosen = await vscode.window.showQuickPick(all.flat(), { title: question });
  return chosen === undefined ? [] : [chosen.target];
}

export const dryRunOff: Command = (_context, arg, selection) => setLive(arg, selection, true);
export const dryRunOn: Command = (_context, arg, selection) => setLive(arg, selection, false);

async function setLive(arg: unknown, selection: unknown, isLive: boolean): Promise<void> {
  for (const { folder, offer: shown, action } of nodesOf(arg, selection, 'offeredAction')) {
    const client = await folder.link.ready();
    // Another row of the same offer may have changed it meanwhile.
    const now = (await offersOf(client)).get(shown.what);
    if (now === undefined) continue;
    const others = now.live.filter((name) => name !== action.name);
    const live = isLive ? [...others, action.name] : others;
    await client.call('agent_offers.put', { ...now, live });
  }
}

async function offersOf(client: RuntimeClient): Promise<ReadonlyMap<string, AgentOffer>> {
  const { data } = await client.call('agent_offers.list', {});
  return new Map(data.map((one) => [one.what, one]));
}

/** Asks for the rest, and offers them. Cancelling a question offers nothing. */
async function offer(
  context: CommandContext,
  client: RuntimeClient,
  chosen: readonly string[],
): Promise<void> {
  const known = await offersOf(client);
  const before = chosen.map((what) => known.get(what) ?? { what, accounts: {}, live: [] });
  const looked = await withProgress('Looking at the actions', (options) =>
    client.call('agent_offers.describe', { offers: before }, options),
  );
  const { data: actions, problems } = looked;
  if (actions.length === 0) {
    throw new WeirError('bad_input', problems[0] ?? 'There is no action to offer.');
  }
  const accounts = await chooseAccounts(client, actions, before);
  const live = accounts && (await chooseLive(actions));
  if (accounts === undefined || live === undefined) return;
  for (const { what } of before) {
    const own = actions.filter((action) => action.what === what);
    // An offer without actions is not kept, because it would only be reported as a problem.
    if (own.length === 0) continue;
    const apps = own.flatMap((action) => action.apps);
    await client.call('agent_offers.put', {
      what,
      accounts: Object.fromEntries([...accounts].filter(([app]) => apps.includes(app))),
      live: own.map(({ name }) => name).filter((name) => live.has(name)),
    });
  }
  await vscode.commands.executeCommand('weir.agents.focus');
  say(context, actions.length, live.size, problems);
}

function say(
  { output }: CommandContext,
  offered: number,
  live: number,
  problems: readonly string[],
): void {
  const many = `${countOf(offered, 'action')} ${offered === 1 ? 'is' : 'are'} offered to agents`;
  const real = live === 0 ? 'as dry runs' : live === offered ? 'for real' : `${live} for real`;
  const done = `${many}, ${real}`;
  if (problems.length === 0) {
    vscode.window.setStatusBarMessage(`$(check) ${done}`, 5000);
    return;
  }
  for (const problem of problems) output.warn(problem);
  const missing = `${done}; ${problems.length} could not be.`;
  void vscode.window.showWarningMessage(missing, 'Show Output').then((pressed) => {
    if (pressed !== undefined) output.show(true);
  });
}

interface Choice extends vscode.QuickPickItem {
  readonly what: string;
}

async function chooseActions(
  folder: Folder,
  client: RuntimeClient,
): Promise<readonly string[] | undefined> {
  const choosing = choices(folder, client);
  const chosen = await vscode.window.showQuickPick(choosing, {
    title,
    placeHolder: 'Actions, and apps with all of their actions, that agents get as tools',
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.map(({ what }) => what);
}

/** Files of the folder, what is published in its runtime, and apps that have actions. */
async function choices(folder: Folder, client: RuntimeClient): Promise<Choice[]> {
  const [offered, components, files, packages] = await Promise.all([
    offersOf(client),
    allPages((page) => client.call('components.list', page)),
    folder.remote === undefined ? componentFiles('action') : [],
    folder.remote === undefined ? installedApps(folder) : [],
  ]);
  const published = components.flatMap(({ type, key, name, configurable_props: props }) => {
    if (type !== 'action' || key === null) return [];
    const apps = props.filter((prop) => prop.type === 'app').map(appOf);
    return [{ key, name, apps }];
  });
  const apps = new Set([...packages, ...published.flatMap(({ apps: some }) => some)]);
  const all = [
    ...files
      .filter(({ uri }) => folder.holds(uri.fsPath))
      .map(({ uri, name }): Choice => {
        const file = vscode.workspace.asRelativePath(uri);
        return { ...fileItem(name, 'action', file, []), what: uri.fsPath };
      }),
    ...published.map(({ key, name }): Choice => ({
      label: `$(zap) ${name}`,
      description: `published · ${key}`,
      what: key,
    })),
    ...[...apps].toSorted().map((app): Choice => ({
      label: `$(plug) ${app}`,
      description: 'app · all of its actions',
      what: app,
    })),
  ];
  if (all.length === 0) {
    throw new WeirError(
      'not_found',
      'There is no action here to offer; write one with Weir: New Component…, or install @pipedream/<app>.',
    );
  }
  return all.map((one) => (offered.has(one.what) ? { ...one, detail: 'Offered already' } : one));
}

/** The platform's packages in this folder, or in a parent of it. */
async function installedApps({ projectRoot }: Folder): Promise<readonly string[]> {
  for (let folder = projectRoot; ; folder = path.dirname(folder)) {
    const names = await namesIn(path.join(folder, 'node_modules', '@pipedream'));
    const withActions = await Promise.all(
      names.map(async (name) => {
        const actions = path.join(folder, 'node_modules', '@pipedream', name, 'actions');
        return (await namesIn(actions)).length > 0 ? [name] : [];
      }),
    );
    const apps = withActions.flat();
    if (apps.length > 0 || path.dirname(folder) === folder) return apps;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((): string[] => []);
}

/**
 * One account for each app that an action has a prop of. @returns by app, null for none; undefined when the user
 * cancelled
 */
async function chooseAccounts(
  client: RuntimeClient,
  actions: readonly OfferedAction[],
  before: readonly AgentOffer[],
): Promise<ReadonlyMap<string, string | null> | undefined> {
  const apps = [...new Set(actions.flatMap((action) => action.apps))].toSorted();
  const chosen = new Map<string, string | null>();
  for (const app of apps) {
    const known = before.map(({ accounts }) => accounts[app]).find((id) => id !== undefined);
    const account = await chooseAccount(client, app, known);
    if (account === undefined) return undefined;
    chosen.set(app, account);
  }
  return chosen;
}

async function chooseAccount(
  client: RuntimeClient,
  app: string,
  known: string | null | undefined,
): Promise<string | null | undefined> {
  for (;;) {
    const all = await allPages((page) => client.call('accounts.list', page));
    const own = all.filter((account) => account.app.id === app);
    const row = (label: string, description: string, id: string | null | undefined) => ({
      label,
      description: id === known && known !== undefined ? `${description} · now` : description,
      id,
    });
    const chosen = await vscode.window.showQuickPick(
      [
        ...own.map(({ id, name }) => row(`$(account) ${name}`, id, id)),
        row('$(circle-slash) No Account', `actions of ${app} run without one`, null),
        { label: '$(add) Add Account…', description: '', id: undefined },
      ],
      {
        title: `${title}: Account of ${app}`,
        placeHolder: 'Agents use it, and are never asked for one',
      },
    );
    if (chosen === undefined) return undefined;
    if (chosen.id !== undefined) return chosen.id;
    await vscode.commands.executeCommand('weir.addAccount');
  }
}

/** @returns the names of the actions that run for real; undefined if the user cancelled */
async function chooseLive(
  actions: readonly OfferedAction[],
): Promise<ReadonlySet<string> | undefined> {
  const items = actions.map(({ name, title: label, live, destructive, what }) => ({
    label: name,
    description: label,
    detail: [labelOf(what), destructive ? 'may destroy something' : 'destroys nothing, as it says']
      .filter((part) => part !== name)
      .join(' · '),
    picked: live,
    name,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: `${title}: Run for Real`,
    placeHolder:
      'Select the tools that run for real. All others are dry runs: checked, but not run',
    canPickMany: true,
    matchOnDescription: true,
  });
  return chosen && new Set(chosen.map(({ name }) => name));
}
