import * as vscode from 'vscode';
import type { EmittedEvent, Source } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { titleOf } from '../views/event-line.ts';
import { relativeTime } from '../views/line.ts';
import { isNode } from '../views/nodes.ts';
import type { CommandContext } from './context.ts';
import { sourceItem } from './pick-items.ts';

type Context = Pick<CommandContext, 'folders' | 'clock'>;

export interface SourceTarget {
  readonly folder: Folder;
  readonly source: Source;
}

/**
 * The folders of the window, connected to their runtimes, so that there is something to choose from. One whose
 * runtime cannot be had is left out: the others are not hindered by it.
 * Throws why not, when none can be had.
 */
export async function connectedFolders({ all }: Pick<Folders, 'all'>): Promise<readonly Folder[]> {
  const connected: Folder[] = [];
  const failures: unknown[] = [];
  await Promise.all(
    all.map((folder) =>
      folder.link.ready().then(
        () => connected.push(folder),
        (error: unknown) => failures.push(error),
      ),
    ),
  );
  if (connected.length === 0 && failures.length > 0) throw failures[0];
  return all.filter((folder) => connected.includes(folder));
}

/**
 * The source a command is about: the tree's row, the id or file a lens gave, the only source of the
 * file in the active editor, else chosen from a list.
 * @param fits leaves out sources the command cannot work with
 * @returns undefined when the user cancelled
 */
export async function pickSource(
  { folders }: Context,
  arg: unknown,
  title: string,
  fits: (source: Source) => boolean = () => true,
): Promise<SourceTarget | undefined> {
  if (isNode(arg, 'source')) return arg;
  const all = (await connectedFolders(folders)).flatMap((folder) =>
    folder.mirror.sources().map((source) => ({ folder, source })),
  );
  const named = all.filter(({ source }) => arg === undefined || isNamed(source, arg));
  const fitting = named.filter(({ source }) => fits(source));
  if (fitting.length === 0) throw new WeirError('not_found', nothingFits(all.length, arg));

  const edited = vscode.window.activeTextEditor?.document.uri.fsPath;
  const ofEdited = fitting.filter(({ source }) => source.path === edited);
  const [only, another] = arg === undefined ? ofEdited : fitting;
  if (only !== undefined && another === undefined) return only;
  const items = fitting.map((target) => {
    const { path } = target.source;
    const file = path === null ? undefined : vscode.workspace.asRelativePath(path);
    return { ...sourceItem(target.source, file), target };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.target;
}

function isNamed(source: Source, arg: unknown): boolean {
  return arg === source.id || arg === source.name_slug || arg === source.path;
}

function nothingFits(deployed: number, arg: unknown): string {
  if (typeof arg === 'string') return `There is no source "${arg}".`;
  return deployed === 0
    ? 'No source is deployed here yet; run Weir: Deploy Component… first.'
    : 'No deployed source fits this command.';
}

export interface EventTarget {
  readonly folder: Folder;
  readonly event: EmittedEvent;
}

/** The event a command is about: the tree's row, else chosen among the newest. */
export async function pickEvent(
  { folders, clock }: Context,
  arg: unknown,
  title: string,
): Promise<EventTarget | undefined> {
  if (isNode(arg, 'event')) return arg;
  const all = await connectedFolders(folders);
  const now = clock.now();
  const items = all.flatMap((folder) =>
    folder.mirror.events().map((event) => ({
      label: titleOf(event),
      description: [
        folder.mirror.emitter(event.metadata.emitter_id)?.name,
        relativeTime(event.indexed_at_ms, now),
      ].join(' · '),
      target: { folder, event },
    })),
  );
  if (items.length === 0) throw new WeirError('not_found', 'No event was emitted here yet.');
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen?.target;
}

/** The folder a command without a row is about. */
export async function pickFolder({ folders }: Context, title: string): Promise<Folder | undefined> {
  if (folders.all.length === 1) return folders.first;
  const items = folders.all.map((folder) => ({ label: folder.name, folder }));
  return (await vscode.window.showQuickPick(items, { title }))?.folder;
}
