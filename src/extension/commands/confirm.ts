import * as vscode from 'vscode';

/** A question before something is lost. Resolves with whether the user said yes. */
export async function confirm(question: string, detail: string, yes: string): Promise<boolean> {
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, yes);
  return chosen === yes;
}
