/** Sources whose file was renamed or moved. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Source } from '../../protocol/catalogue.ts';
import type { CommandContext } from '../commands/context.ts';
import { componentFiles } from '../commands/pick-file.ts';
import type { SourceTarget } from '../commands/pick-target.ts';
import { withProgress } from '../notify.ts';
import { movedPath } from './moved-path.ts';

type Context = Pick<CommandContext, 'folders' | 'problems' | 'dev'>;

/** Moves the sources of renamed files to their new paths. Asks first if that would deploy a change. */
export async function followRenames(
  context: Context,
  files: readonly { readonly oldUri: vscode.Uri; readonly newUri: vscode.Uri }[],
): Promise<void> {
  for (const folder of context.folders.all) {
    if (folder.remote !== undefined) continue;
    for (const source of folder.mirror.sources()) {
      const { path: file } = source;
      if (file === null) continue;
      const moved = files
        .map(({ oldUri, newUri }) => movedPath(file, oldUri.fsPath, newUri.fsPath))
        .find((to) => to !== undefined);
      if (moved !== undefined) await move(context, { folder, source }, moved);
    }
  }
}

async function move(context: Context, target: SourceTarget, file: string): Promise<void> {
  const { name } = target.source;
  if ((await deployedCode(target)) !== (await textOf(file))) {
    const update = 'Update Source';
    const chosen = await vscode.window.showInformationMessage(
      `${path.basename(file)} has changes that are not deployed. Update ${name} to use it?`,
      update,
    );
    if (chosen !== update) return;
  }
  await relink(context, target, file);
}

/** Finds the file of a source again: the only one with its code, else one that is chosen. */
export async function locateFile(context: Context, target: SourceTarget): Promise<void> {
  const files = await componentFiles('source');
  const code = await deployedCode(target);
  const texts = await Promise.all(files.map(({ uri }) => textOf(uri.fsPath)));
  const alike = files.filter((_, at) => code !== undefined && texts[at] === code);
  const [only, another] = alike;
  const file =
    only !== undefined && another === undefined ? only.uri.fsPath : await chooseFile(target, files);
  if (file !== undefined) await relink(context, target, file);
}

async function chooseFile(
  { source }: SourceTarget,
  files: Awaited<ReturnType<typeof componentFiles>>,
): Promise<string | undefined> {
  const title = `Locate File of ${source.name}`;
  const items = files.map(({ uri, name }) => ({
    label: `$(file-code) ${name ?? path.basename(uri.fsPath)}`,
    description: vscode.workspace.asRelativePath(uri),
    file: uri.fsPath,
  }));
  const other = { label: '$(folder-opened) Another File…', description: '', file: undefined };
  const chosen = await vscode.window.showQuickPick([...items, other], {
    title,
    matchOnDescription: true,
  });
  if (chosen === undefined || chosen.file !== undefined) return chosen?.file;
  return (await vscode.window.showOpenDialog({ title, openLabel: 'Use This File' }))?.[0]?.fsPath;
}

async function relink(
  { problems, dev }: Context,
  { folder, source }: SourceTarget,
  file: string,
): Promise<void> {
  const client = await folder.link.ready();
  await withProgress(`Updating ${source.name}`, (options) =>
    problems.during(file, () =>
      client.call('sources.update', { id: source.id, component_path: file }, options),
    ),
  );
  if (dev.followed.has(source.id)) await dev.start(folder, source.id, file);
  const shown = vscode.workspace.asRelativePath(vscode.Uri.file(file));
  vscode.window.setStatusBarMessage(`$(check) ${source.name} runs ${shown} now`, 5000);
}

/** The text of its own file, as it was deployed; undefined where that is not kept. */
async function deployedCode({ folder, source }: SourceTarget): Promise<string | undefined> {
  const client = await folder.link.ready();
  const found: Source & { readonly code?: string | undefined } = await client.call('sources.get', {
    id: source.id,
    include_code: true,
  });
  return found.code;
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
