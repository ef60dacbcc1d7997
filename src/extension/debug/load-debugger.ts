import * as vscode from 'vscode';

/** Loads the JavaScript debugger while the component is built, instead of after it. */
export function loadDebugger(): void {
  const loaded = vscode.extensions.getExtension('ms-vscode.js-debug')?.activate();
  // If it fails, VS Code says so itself when the session starts.
  loaded?.then(undefined, () => undefined);
}
