import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ComponentProblems } from '../problems/component-problems.ts';
import type { Folder } from '../connection/folder.ts';
import { reportError } from '../notify.ts';

export interface UpdateOnSaveOptions {
  readonly problems: ComponentProblems;
  readonly output: vscode.LogOutputChannel;
  /** The sources that are debugged in this window. */
  readonly debugged: () => readonly { readonly folder: Folder; readonly sourceId: string }[];
}

/**
 * Saving a file updates the sources built from it that are being debugged; the debugger follows. Code
 * that does not compile is marked in the file, and what is deployed stays.
 */
export function updateOnSave(options: UpdateOnSaveOptions): vscode.Disposable {
  return vscode.workspace.onDidSaveTextDocument(async ({ uri }) => {
    const debugged = options.debugged();
    if (uri.scheme !== 'file' || debugged.length === 0) return;
    try {
      const saved = await realpath(uri.fsPath);
      await Promise.all(debugged.map((one) => update(options, one.folder, one.sourceId, saved)));
    } catch (error) {
      reportError(error, options.output);
    }
  });
}

async function update(
  { problems, output }: UpdateOnSaveOptions,
  folder: Folder,
  id: string,
  saved: string,
): Promise<void> {
  const client = await folder.link.ready();
  const {
    path: file,
    name,
    inputs = [],
  } = await client.call('sources.get', {
    id,
    include_code: true,
  });
  if (file === null || !inputs.includes(saved)) return;
  await problems.during(file, () => client.call('sources.update', { id, component_path: file }));
  output.info(`Updated ${name} (${id}) from ${file}.`);
}
