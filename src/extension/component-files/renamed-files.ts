import * as vscode from 'vscode';
import type { CommandContext } from '../commands/context.ts';
import { reportError } from '../notify.ts';

/** Has sources follow their files when those are renamed in the editor. */
export function followRenamedFiles(context: CommandContext): vscode.Disposable {
  return vscode.workspace.onDidRenameFiles(async ({ files }) => {
    if (context.folders.all.every(({ mirror }) => mirror.sources().length === 0)) return;
    try {
      const { followRenames } = await import('./move-source.ts');
      await followRenames(context, files);
    } catch (error) {
      reportError(error, context.output);
    }
  });
}
