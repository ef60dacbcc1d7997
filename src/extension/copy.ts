import * as vscode from 'vscode';
import type { CopiedMessage } from '../webview/shared/page-runtime.ts';

/** Copies what a page asks for, and has the page say so. */
export function copyFor(panel: vscode.WebviewPanel): (text: string) => Promise<void> {
  let isOpen = true;
  panel.onDidDispose(() => {
    isOpen = false;
  });
  return async (text) => {
    await vscode.env.clipboard.writeText(text);
    const message: CopiedMessage = { t: 'copied' };
    // A panel that was closed meanwhile throws.
    if (isOpen) void panel.webview.postMessage(message);
  };
}
