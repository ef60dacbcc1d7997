import type * as vscode from 'vscode';

/** The session that was asked for; the JavaScript debugger starts others below it. */
export function rootOf(session: vscode.DebugSession): vscode.DebugSession {
  return session.parentSession === undefined ? session : rootOf(session.parentSession);
}
