/** Commands about the runs of sources. */
import * as vscode from 'vscode';
import type { Invocation } from '../../protocol/catalogue.ts';
import type { Command, CommandContext } from '../commands/context.ts';
import type { SourceTarget } from '../commands/pick-target.ts';
import type { Folder } from '../connection/folder.ts';
import { runUri } from '../documents/run-documents.ts';
import { isNode, nodesOf } from '../views/nodes.ts';

/** The run as text: a row of the tree, the run that emitted an event, else one of a list. */
export const showInvocation: Command = async (context, arg) => {
  if (isNode(arg, 'invocation')) return showRun(arg.folder, arg.invocation);
  if (isNode(arg, 'event')) {
    const { folder, event } = arg;
    const client = await folder.link.ready();
    const { emitter_id: id } = event.metadata;
    const { invocation_id } = event;
    return showRun(folder, await client.call('invocations.get', { id, invocation_id }));
  }
  return showChosen(context, 'Show Run', sourceOf(arg), false);
};

/** Asks which failed run, of one source or of all. */
export const showFailedRuns: Command = (context, arg) =>
  showChosen(context, 'Show Failed Runs', sourceOf(arg), true);

/** Takes what failed for looked at, so that nothing counts it any more. */
export const markRunsSeen: Command = (context, arg, selection) => {
  const rows = [...nodesOf(arg, selection, 'source'), ...nodesOf(arg, selection, 'failedRuns')];
  const isUnseen = ({ folder, source }: SourceTarget): boolean =>
    context.seen.unseen(folder, source).length > 0;
  const all = context.folders.all.flatMap((folder) =>
    folder.mirror.sources().map((source) => ({ folder, source })),
  );
  const targets = rows.length > 0 ? rows : all.filter(isUnseen);
  for (const { folder, source } of targets) context.seen.seeAll(folder, source.id);
};

export const showMoreRuns: Command = async (_context, arg) => {
  if (!isNode(arg, 'moreRuns')) return;
  const { folder, source } = arg;
  await folder.mirror.loadMoreRuns(await folder.link.ready(), source.id);
};

function sourceOf(arg: unknown): SourceTarget | undefined {
  return isNode(arg, 'source') || isNode(arg, 'failedRuns') ? arg : undefined;
}

async function showChosen(
  context: CommandContext,
  title: string,
  of: SourceTarget | undefined,
  failed: boolean,
): Promise<void> {
  const { chooseRun } = await import('./choose-run.ts');
  const chosen = await chooseRun(context, { title, of, failed });
  if (chosen !== undefined) await showRun(chosen.folder, chosen.invocation);
}

async function showRun(folder: Folder, run: Invocation): Promise<void> {
  await vscode.window.showTextDocument(runUri(folder, run), { preview: true });
}
