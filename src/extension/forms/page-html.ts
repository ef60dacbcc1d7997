export interface PageParts {
  /** `webview.cspSource` */
  readonly cspSource: string;
  /** Fresh for every page. */
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
