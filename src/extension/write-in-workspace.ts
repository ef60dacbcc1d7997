/** Writes files of the workspace, never through a link that leads out of it. */
import path from 'node:path';
import * as vscode from 'vscode';
import { placeInside, writeInside, type WriteOptions } from '../protocol/write-inside.ts';

/**
 * @param file absolute path
 * @throws WeirError `bad_input` for one behind a link that leads out of its workspace folder; `EEXIST` for one that is
 *   there and not to be replaced
 */
export async function writeInWorkspace(
  file: string,
  content: string | Uint8Array,
  options?: WriteOptions,
): Promise<void> {
  await writeInside(rootOf(file), file, content, options);
}

/** @throws WeirError `bad_input`, as {@link writeInWorkspace} */
export async function requireInWorkspace(file: string): Promise<void> {
  await placeInside(rootOf(file), file);
}

function rootOf(file: string): string {
  return (
    vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))?.uri.fsPath ?? path.dirname(file)
  );
}
