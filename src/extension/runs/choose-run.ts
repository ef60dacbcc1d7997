import * as vscode from 'vscode';
import type { Invocation, InvocationStatus } from '../../protocol/catalogue.ts';
import type { CommandContext } from '../commands/context.ts';
import { connectedFolders, type SourceTarget } from '../commands/pick-target.ts';
import type { Folder } from '../connection/folder.ts';
import { runItems, type RunOfSource } from './run-items.ts';

/** Runs of each source that are listed at first, and that "Load more" adds; the runtime gives no more at once than 100. */
const pageRows = 30;
const mostRows = 100;

export interface RunQuestion {
  readonly title: string;
  /** Whose runs; those of all sources without one. */
  readonly of?: SourceTarget | undefined;
  /** Leaves out what did not fail. */
  readonly failed?: boolean;
}

export interface ChosenRun extends RunOfSource {
  readonly folder: Folder;
  readonly invocation: Invocation;
}

/**
 * Asks for one of the newest runs.
 * @returns undefined if the user cancelled, and if there is none, which a message says
 */
export async function chooseRun(
  { folders, clock }: Pick<CommandContext, 'folders' | 'clock'>,
  { title, of, failed = false }: RunQuestion,
): Promise<ChosenRun | undefined> {
  const sources =
    of === undefined
      ? (await connectedFolders(folders)).flatMap((folder) =>
          folder.mirror.sources().map((source) => ({ folder, source })),
        )
      : [of];
  for (let limit = pageRows; ; limit = mostRows) {
    const lists = await Promise.all(sources.map((one) => runsOf(one, failed, limit)));
    const items = runItems(
      lists.flatMap(({ runs }) => runs),
      clock.now(),
    );
    if (items.length === 0) {
      void vscode.window.showInformationMessage(
        failed ? 'No failed runs are kept.' : 'No source has run yet.',
      );
      return undefined;
    }
    const more = limit < mostRows && lists.some(({ hasMore }) => hasMore);
    const chosen = await vscode.window.showQuickPick(
      [...items, ...(more ? [{ label: '$(ellipsis) Load more…', run: undefined }] : [])],
      { title, matchOnDescription: true, matchOnDetail: true },
    );
    if (chosen === undefined || chosen.run !== undefined) return chosen?.run;
  }
}

async function runsOf(
  { folder, source }: SourceTarget,
  failed: boolean,
  limit: number,
): Promise<{ readonly runs: ChosenRun[]; readonly hasMore: boolean }> {
  const client = await folder.link.ready();
  const statuses: (InvocationStatus | undefined)[] = failed ? ['failed', 'crashed'] : [undefined];
  const pages = await Promise.all(
    statuses.map((status) =>
      client.call('invocations.list', {
        id: source.id,
        limit,
        ...(status === undefined ? {} : { status }),
      }),
    ),
  );
  const runs = pages.flatMap(({ data }) =>
    data.map((invocation) => ({ folder, source: source.name, invocation })),
  );
  return { runs, hasMore: pages.some(({ data }) => data.length >= limit) };
}
