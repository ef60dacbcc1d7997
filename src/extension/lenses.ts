/** Common parts of all lenses: where they are shown, and when the editor has to request them again. */
import * as vscode from 'vscode';

/** Files that may hold a component. */
export const scriptFiles: vscode.DocumentSelector = [
  { scheme: 'file', language: 'javascript' },
  { scheme: 'file', language: 'typescript' },
];

/** Every command behind a lens runs code or sends something, which needs a trusted workspace. */
export function areLensesWanted({ uri }: vscode.TextDocument): boolean {
  const settings = vscode.workspace.getConfiguration('weir', uri);
  return vscode.workspace.isTrusted && settings.get('codeLens.enabled', true);
}

/** @param changed is called when {@link areLensesWanted} may have changed */
export function registerLenses(
  where: vscode.DocumentSelector,
  provider: vscode.CodeLensProvider,
  changed: () => void,
): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(changed),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('weir.codeLens')) changed();
    }),
    vscode.languages.registerCodeLensProvider(where, provider),
  );
}
