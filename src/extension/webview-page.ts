import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';

export interface PageParts {
  /** `webview.cspSource` */
  readonly cspSource: string;
  /** Unique to every page. */
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
}

/** The page around a webview's bundle; it may load that bundle and reach nothing else. */
export function pageHtml({ cspSource, nonce, script, style }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `img-src ${cspSource} data:`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Weir</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

/**
 * Loads a bundle of `dist/webview` into a webview.
 * @param folder `dist/webview` of the extension
 * @param name of the bundle, such as `inspector`
 */
export function showPage(webview: vscode.Webview, folder: vscode.Uri, name: string): void {
  const asset = (file: string): string =>
    webview.asWebviewUri(folder.with({ path: `${folder.path}/${file}` })).toString();
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = pageHtml({
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('base64'),
    script: asset(`${name}.js`),
    style: asset(`${name}.css`),
  });
}

/** For every panel that shows a page of ours: Ctrl+F finds text in it. */
export const findable: vscode.WebviewPanelOptions = { enableFindWidget: true };

/** The subject that a page left with VS Code for a reload of the window, not yet checked. */
export function keptSubject(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'subject' in state
    ? state.subject
    : undefined;
}
