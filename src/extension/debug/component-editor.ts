import * as vscode from 'vscode';
import { componentExtensions, findComponent } from '../component-file.ts';
import { setContext } from '../context-keys.ts';

/** The file in the active editor, when it is a component. */
export function activeComponent(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const fits =
    document?.uri.scheme === 'file' &&
    componentExtensions.some((extension) => document.uri.path.endsWith(extension)) &&
    findComponent(document.getText()) !== undefined;
  return fits ? document.uri.fsPath : undefined;
}

/** Keeps the context key that lets F5 mean the component in the active editor. */
export function followComponentEditor(): vscode.Disposable {
  const set = (): void => setContext('weir.componentEditor', activeComponent() !== undefined);
  set();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(set),
    vscode.workspace.onDidSaveTextDocument(set),
  );
}
