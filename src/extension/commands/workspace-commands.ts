import path from 'node:path';
import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { Folder } from '../connection/folder.ts';
import { writeInWorkspace } from '../write-in-workspace.ts';
import {
  newComponent as createComponent,
  templates,
  type Template,
} from './component-templates.ts';
import { placesFor } from './component-places.ts';
import type { Command, CommandContext } from './context.ts';
import { activeComponent } from './pick-file.ts';

/** Writes a small component that works as it is, and opens it. A folder of the explorer is where it goes. */
export const newComponent: Command = async (context, arg) => {
  const roots = context.folders.all.flatMap(({ root }) => root ?? []);
  if (roots.length === 0) {
    throw new WeirError('not_found', 'Open a folder first: the new component is written into it.');
  }
  const items = Object.values(templates).map((template: Template) => ({
    label: template.label,
    detail: template.detail,
    template,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'New Component: what is it?',
    matchOnDetail: true,
  });
  if (chosen === undefined) return;
  const name = await vscode.window.showInputBox({
    title: 'New Component: its name',
    value: chosen.template.name,
    validateInput: (text) => (text.trim() === '' ? 'A name is required.' : undefined),
  });
  if (name === undefined) return;
  const made = createComponent(name.trim(), chosen.template);
  const folder = arg instanceof vscode.Uri ? arg : await choosePlace(context, roots, made.file);
  if (folder === undefined) return;
  const uri = vscode.Uri.joinPath(folder, made.file);
  if (await exists(uri)) {
    const file = vscode.workspace.asRelativePath(uri);
    throw new WeirError('conflict', `${file} already exists; choose another name.`);
  }
  await writeInWorkspace(uri.fsPath, made.text, { replace: false });
  await context.memory.update(lastPlaceKey, folder.fsPath);
  await vscode.window.showTextDocument(uri);
};

const lastPlaceKey = 'newComponent.folder';

async function choosePlace(
  { memory }: CommandContext,
  roots: readonly string[],
  file: string,
): Promise<vscode.Uri | undefined> {
  const last: unknown = memory.get(lastPlaceKey);
  const places = placesFor({
    roots,
    last: typeof last === 'string' ? last : undefined,
    edited: activeComponent(),
  });
  const items = places.map(({ folder, why }) => ({
    label: `$(folder) ${shownFolder(folder)}`,
    folder,
    ...(why === undefined ? {} : { description: why }),
  }));
  const another = { label: '$(folder-opened) Another Folder…', folder: undefined };
  const chosen = await vscode.window.showQuickPick([...items, another], {
    title: `New Component: where does ${file} go?`,
    matchOnDescription: true,
  });
  if (chosen === undefined) return undefined;
  if (chosen.folder !== undefined) return vscode.Uri.file(chosen.folder);
  const [first = ''] = roots;
  const opened = await vscode.window.showOpenDialog({
    title: 'New Component: Its Folder',
    openLabel: 'Write Here',
    canSelectFiles: false,
    canSelectFolders: true,
    defaultUri: vscode.Uri.file(first),
  });
  return opened?.[0];
}

/** As the explorer names it: from its workspace folder on. */
function shownFolder(folder: string): string {
  const workspaceFolder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder));
  if (workspaceFolder === undefined) return folder;
  const inside = path.relative(workspaceFolder.uri.fsPath, folder);
  const isOnly = (vscode.workspace.workspaceFolders ?? []).length === 1;
  if (isOnly && inside !== '') return inside;
  return path.join(workspaceFolder.name, inside);
}

export const restartRuntime: Command = ({ folders }) =>
  inEach(folders.all, async ({ link }) => {
    if (link.client !== undefined) await link.stop();
    await link.ready();
  });

export const stopRuntime: Command = ({ folders }) => inEach(folders.all, ({ link }) => link.stop());

/** In one folder after the other, whatever happens in one. Throws what went wrong first. */
async function inEach(
  folders: readonly Folder[],
  act: (folder: Folder) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const folder of folders) {
    await act(folder).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

export const showOutput: Command = (context) => context.output.show();

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
