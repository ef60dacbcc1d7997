import * as vscode from 'vscode';
import type { Params, Source } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { chooseAddress } from '../external-url.ts';
import { inView } from '../notify.ts';
import { nodesOf } from '../views/nodes.ts';
import { confirm } from './confirm.ts';
import type { Command, CommandContext } from './context.ts';
import { pickSource, type SourceTarget } from './pick-target.ts';
import { reportRun } from './report-run.ts';

/** Runs a source now. Throws `component_failed` when the run fails. */
export const invoke: Command = async (context, arg) => {
  const target = await pickSource(context, arg, 'Run Source Now');
  if (target === undefined) return;
  const { folder, source } = target;
  const client = await folder.link.ready();
  const run = await inView(() => client.call('sources.invoke', { id: source.id }));
  reportRun(context, source, run);
};

export const activate: Command = (context, arg) => setActive(context, arg, true);
export const deactivate: Command = (context, arg) => setActive(context, arg, false);

async function setActive(context: CommandContext, arg: unknown, active: boolean): Promise<void> {
  const title = active ? 'Activate Source' : 'Deactivate Source';
  const target = await pickSource(context, arg, title, (one) => one.active !== active);
  if (target !== undefined) await change(target, { active });
}

export const rename: Command = async (context, arg) => {
  const target = await pickSource(context, arg, 'Rename Source');
  if (target === undefined) return;
  const name = await vscode.window.showInputBox({
    title: 'Rename Source',
    prompt: 'The id and the endpoint stay as they are.',
    value: target.source.name,
    validateInput: (text) => (text.trim() === '' ? 'A name is required.' : undefined),
  });
  if (name !== undefined) await change(target, { name: name.trim() });
};

/** Asks first, because its events are deleted with it. Offers to continue if its deactivate hook fails. */
export const remove: Command = async (context, arg, selection) => {
  const chosen = nodesOf(arg, selection, 'source');
  const picked = chosen.length > 0 ? undefined : await pickSource(context, arg, 'Delete Source');
  const targets: readonly SourceTarget[] = picked === undefined ? chosen : [picked];
  const [first, another] = targets;
  if (first === undefined) return;
  const what = another === undefined ? first.source.name : `${targets.length} sources`;
  const count = targets.reduce(
    (sum, { folder, source }) => sum + folder.mirror.eventCount(source.id),
    0,
  );
  const sure = await confirm(
    `Delete ${what}?`,
    `Events (${count}), state and endpoints are deleted with ${another === undefined ? 'it' : 'them'}.`,
    'Delete',
  );
  if (!sure) return;
  for (const target of targets) await removeOne(target);
};

async function removeOne({ folder, source }: SourceTarget): Promise<void> {
  const client = await folder.link.ready();
  try {
    await inView(() => client.call('sources.delete', { id: source.id }));
  } catch (error) {
    if (!WeirError.is(error, 'component_failed')) throw error;
    const anyway = await confirm(`${source.name} was not deleted.`, error.message, 'Delete Anyway');
    if (!anyway) return;
    await inView(() => client.call('sources.delete', { id: source.id, ignore_hook_errors: true }));
  }
}

/** The URL as it works where it is pasted. */
export const copyEndpoint: Command = async (context, arg) => {
  const target = await pickSource(context, arg, 'Copy Endpoint URL', hasAddress);
  const { endpoint_url: endpoint = null, webhook } = target?.source ?? {};
  const url = endpoint ?? webhook?.url ?? null;
  if (url === null) return;
  const address = await chooseAddress(url, 'Copy Endpoint URL');
  if (address === undefined) return;
  await vscode.env.clipboard.writeText(address);
  vscode.window.setStatusBarMessage('$(check) Endpoint URL copied', 3000);
  if (endpoint === null && webhook !== undefined) await sayWhere(webhook, target);
};

/** Tells a user who has to enter an address at an app what it is for. */
async function sayWhere(
  { register, has_secret: hasSecret, secret_name: secret }: NonNullable<Source['webhook']>,
  target: SourceTarget | undefined,
): Promise<void> {
  const enter = `Enter the ${secret}…`;
  const chosen = await vscode.window.showInformationMessage(
    `The address is copied. ${register}`,
    ...(hasSecret ? [] : [enter]),
  );
  if (chosen === enter && target !== undefined)
    await vscode.commands.executeCommand('weir.enterSigningSecret', { kind: 'source', ...target });
}

export const showLogs: Command = async (context, arg) => {
  const target = await pickSource(context, arg, 'Show Logs of Source');
  if (target !== undefined) await context.logs.show(target.folder, target.source);
};

/** Shows a source in the tree and its events beside it; run by the lens. */
export const revealSource: Command = async (context, arg) => {
  const target = await pickSource(context, arg, 'Show Source');
  if (target === undefined) return;
  await vscode.commands.executeCommand('weir.sources.focus');
  await context.sources.reveal(target.folder, target.source.id);
  await context.events.show(target.folder, target.source.id);
};

export function hasEndpoint(source: Source): boolean {
  return source.endpoint_url !== null;
}

/** Its own, or that of the app that sends it events. */
function hasAddress({ endpoint_url: endpoint, webhook }: Source): boolean {
  return endpoint !== null || (webhook !== undefined && webhook.url !== null);
}

async function change(
  { folder, source }: SourceTarget,
  what: Omit<Params<'sources.update'>, 'id'>,
): Promise<void> {
  const client = await folder.link.ready();
  await inView(() => client.call('sources.update', { id: source.id, ...what }));
}
