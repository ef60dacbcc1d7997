import * as vscode from 'vscode';
import type { Invocation } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Folder } from '../connection/folder.ts';
import { runAddressOf, runScheme } from '../documents/run-documents.ts';
import { chooseAddress } from '../external-url.ts';
import { curlOf, sampleCurl, sentTo } from '../inspector/curl.ts';
import { inView } from '../notify.ts';
import { isGoingOn, titleOfRun } from '../views/invocation-line.ts';
import { relativeTime } from '../views/line.ts';
import { isNode, nodesOf } from '../views/nodes.ts';
import type { Command, CommandContext } from './context.ts';
import { connectedFolders, pickSource, type SourceTarget } from './pick-target.ts';
import { hasEndpoint } from './source-commands.ts';

export interface RunTarget {
  readonly folder: Folder;
  readonly sourceId: string;
  readonly invocationId: string;
}

/** Ends runs: the selected rows, that of a document, those of a source, else one that is chosen. */
export const stopRun: Command = async (context, arg, selection) => {
  const rows = nodesOf(arg, selection, 'invocation').filter(({ invocation }) =>
    isGoingOn(invocation),
  );
  const chosen = rows.length > 0 ? rows.map(targetOf) : await chooseRun(context, arg);
  for (const { folder, sourceId: id, invocationId: invocation_id } of chosen) {
    const client = await folder.link.ready();
    await inView(() => client.call('invocations.stop', { id, invocation_id }));
  }
};

/** The request of a run, or of the newest one of a source: what is pasted sends it once more. */
export const copyCurl: Command = async (context, arg) => {
  const found = await requestTarget(context, arg, copyTitle);
  const endpoint = found?.target.source.endpoint_url ?? undefined;
  const address = endpoint && (await chooseAddress(endpoint, copyTitle));
  if (found === undefined || address === undefined) return;
  const { target, invocationId } = found;
  const request = await storedRequest(target, invocationId);
  if (request === undefined && invocationId !== undefined) {
    throw new WeirError('not_found', 'The request of this run is no longer kept.');
  }
  const text = request === undefined ? sampleCurl(address) : curlOf(sentTo(address, request));
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage('$(check) curl command copied', 3000);
};

const copyTitle = 'Copy as cURL';

/** The run that a document shows: the one a lens was clicked in, or without an argument the active one. */
export function runOfDocument({ folders }: CommandContext, arg: unknown): RunTarget | undefined {
  const uri = arg ?? vscode.window.activeTextEditor?.document.uri;
  if (!(uri instanceof vscode.Uri) || uri.scheme !== runScheme) return undefined;
  const { runtime, ...run } = runAddressOf(uri);
  const folder = folders.withKey(runtime);
  return folder && { ...run, folder };
}

/** Whose request a command is about: that of a run in a row or a document, else the newest of a source that is chosen. */
export async function requestTarget(
  context: CommandContext,
  arg: unknown,
  title: string,
): Promise<{ target: SourceTarget; invocationId: string | undefined } | undefined> {
  const run = isNode(arg, 'invocation') ? targetOf(arg) : runOfDocument(context, arg);
  const target =
    run === undefined
      ? await pickSource(context, arg, title, hasEndpoint)
      : sourceOf(run.folder, run.sourceId);
  return target && { target, invocationId: run?.invocationId };
}

/** The only running run of a source, otherwise one from a list. */
async function chooseRun(context: CommandContext, arg: unknown): Promise<readonly RunTarget[]> {
  const shown = runOfDocument(context, arg);
  // From the palette the document may just be in front; the run it shows may be over long since.
  if (shown !== undefined && (arg !== undefined || (await goesOn(shown)))) return [shown];
  const sources = isNode(arg, 'source') ? [arg] : await allSources(context);
  const goingOn = (await Promise.all(sources.map(runsGoingOn))).flat();
  const [only, another] = goingOn;
  if (only === undefined) throw new WeirError('not_found', 'No run is going on.');
  if (isNode(arg, 'source') && another === undefined) return [targetOf(only)];
  const now = context.clock.now();
  const items = goingOn.map((one) => {
    const { status, started_at: started, created_at: created } = one.invocation;
    return {
      label: titleOfRun(one.invocation),
      description: `${one.source.name} · ${status} · ${relativeTime(started ?? created, now)}`,
      target: targetOf(one),
    };
  });
  const options = { title: 'Stop Run', matchOnDescription: true };
  const chosen = await vscode.window.showQuickPick(items, options);
  return chosen === undefined ? [] : [chosen.target];
}

async function goesOn({ folder, sourceId: id, invocationId }: RunTarget): Promise<boolean> {
  const client = await folder.link.ready();
  return isGoingOn(await client.call('invocations.get', { id, invocation_id: invocationId }));
}

async function allSources({ folders }: CommandContext): Promise<readonly SourceTarget[]> {
  return (await connectedFolders(folders)).flatMap((folder) =>
    folder.mirror.sources().map((source) => ({ folder, source })),
  );
}

/** Only the newest runs are read: a running run began after all ended ones, except for parallel requests. */
async function runsGoingOn({ folder, source }: SourceTarget) {
  const client = await folder.link.ready();
  const { data } = await client.call('invocations.list', { id: source.id, limit: 100 });
  return data.filter(isGoingOn).map((invocation) => ({ folder, source, invocation }));
}

/** @param id of the run; without one the newest that a request made, of the last hundred */
export async function storedRequest(
  { folder, source: { id: source } }: SourceTarget,
  id?: string,
  shareable = false,
) {
  const client = await folder.link.ready();
  const of = { id: source, limit: 100 };
  const newest = async () =>
    (await client.call('invocations.list', of)).data.find(({ request }) => request !== null)?.id;
  const invocation_id = id ?? (await newest());
  if (invocation_id === undefined) return undefined;
  const { trigger } = await client.call('invocations.get', {
    id: source,
    invocation_id,
    ...(shareable && { shareable }),
  });
  return trigger?.kind === 'http' ? trigger : undefined;
}

/** Throws `not_found` for one that was deleted. */
function sourceOf(folder: Folder, id: string): SourceTarget {
  const source = folder.mirror.source(id);
  if (source === undefined) throw new WeirError('not_found', 'The source of this run was deleted.');
  return { folder, source };
}

function targetOf({
  folder,
  invocation,
}: {
  readonly folder: Folder;
  readonly invocation: Invocation;
}): RunTarget {
  return { folder, sourceId: invocation.source_id, invocationId: invocation.id };
}
