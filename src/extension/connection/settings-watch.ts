import * as vscode from 'vscode';
import type { Folders } from './folders.ts';
import { isForRuntime } from './runtime-settings.ts';

/** A runtime takes its settings when it is started: says so when one is changed. */
export function watchSettings(folders: Folders): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration(async (change) => {
    const runs = folders.all.some(({ link }) => link.client !== undefined);
    if (!runs || !isForRuntime(change)) return;
    const restart = 'Restart Runtime';
    const chosen = await vscode.window.showInformationMessage(
      'The runtime takes the changed setting when it is restarted.',
      restart,
    );
    if (chosen === restart) await vscode.commands.executeCommand('weir.runtime.restart');
  });
}
