import * as vscode from 'vscode';
import type { LaunchConfiguration } from './launch-configuration.ts';

/** Of our launch configurations. */
export const debugType = 'weir';

/** From the lens (a file), the tree (a source), or the palette (the active editor). */
export async function startDebugger(
  configuration: LaunchConfiguration & { readonly name: string },
): Promise<void> {
  const file = configuration.component;
  const folder =
    file === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
  await vscode.debug.startDebugging(folder ?? vscode.workspace.workspaceFolders?.[0], {
    type: debugType,
    request: 'launch',
    ...configuration,
  });
}
