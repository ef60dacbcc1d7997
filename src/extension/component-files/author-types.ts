import * as vscode from 'vscode';
import { needsTypes, writeAuthorTypes } from '../../client/author-types.ts';
import { messageOf } from '../../protocol/errors.ts';

/**
 * Makes the types of `weir/component` found in each workspace folder where a file that is shown imports
 * it, without an install.
 * @param types folder of the declarations
 */
export function provideAuthorTypes(
  types: string,
  output: vscode.LogOutputChannel,
): vscode.Disposable {
  const provided = new Set<string>();
  const look = (document: vscode.TextDocument): void => {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath;
    const isScript = ['typescript', 'javascript'].includes(document.languageId);
    if (!vscode.workspace.isTrusted || !isScript || document.uri.scheme !== 'file') return;
    if (folder === undefined || provided.has(folder) || !needsTypes(document.getText())) return;
    provided.add(folder);
    provide(folder, types).catch((error: unknown) =>
      output.warn(`The editor does not find the types of weir/component: ${messageOf(error)}.`),
    );
  };
  for (const { document } of vscode.window.visibleTextEditors) look(document);
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor((editor) => editor && look(editor.document)),
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      for (const { document } of vscode.window.visibleTextEditors) look(document);
    }),
  );
}

async function provide(folder: string, types: string): Promise<void> {
  if ((await writeAuthorTypes(folder, types)) !== 'new') return;
  // TypeScript does not look again for a package that was not there. Without it there is no such command.
  const reload = 'typescript.reloadProjects';
  const commands = await vscode.commands.getCommands();
  if (commands.includes(reload)) await vscode.commands.executeCommand(reload);
}
