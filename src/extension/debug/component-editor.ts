import * as vscode from 'vscode';
import { componentExtensions, findSource } from '../component-file.ts';
import { setContext } from '../context-keys.ts';

const actionMark = /\btype\s*:\s*["'`]action["'`]/;
const defaultExport = /^(?:export\s+default\b|module\.exports\s*=)/m;

/** Whether a text looks like a source or an action. */
export function isComponent(text: string): boolean {
  return findSource(text) !== undefined || (defaultExport.test(text) && actionMark.test(text));
}

/** The file in the active editor, when it is a component. */
export function activeComponent(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const fits =
    document?.uri.scheme === 'file' &&
    componentExtensions.some((extension) => document.uri.path.endsWith(extension)) &&
    isComponent(document.getText());
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
