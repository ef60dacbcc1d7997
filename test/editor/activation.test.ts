import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { WeirApi } from '../../src/extension/api.ts';
import { contributedCommands, internalCommands } from '../../src/extension/commands/ids.ts';
import { until } from '../support/until.ts';
import { workbench } from './support/ui.ts';

/** In a title, and in what becomes a ThemeIcon. */
const namedIcon = /(?:\$\(|ThemeIcon\('|\b(?:icon|http|timer|manual): ')([a-z-]+)/g;

suite('activation', () => {
  test('activates and hands out its versioned API', async () => {
    const extension = vscode.extensions.getExtension<WeirApi>('weir.weir');
    ok(extension, 'the extension is installed');
    const api = await extension.activate();
    strictEqual(api.version, 1);
    strictEqual(typeof api.runtime.call, 'function');
    strictEqual(typeof api.runtime.on, 'function');
  });

  test('registers every command', async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    const wanted = [...contributedCommands, ...internalCommands];
    deepStrictEqual(
      wanted.filter((id) => !known.has(id)),
      [],
    );
  });

  test('shows Deploy above the default export of a source', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, 'components', 'hello-webhook.mjs');
    await vscode.window.showTextDocument(file);
    const page = await workbench();
    await until('the lens', () =>
      page.locator('.codelens-decoration a', { hasText: 'Deploy' }).isVisible(),
    );
  });

  test('every icon that is used is one VS Code has', async () => {
    const root = vscode.extensions.getExtension('weir.weir')?.extensionPath ?? '';
    const manifest = await readFile(path.join(root, 'package.json'), 'utf8');
    const sources = path.join(root, 'src', 'extension');
    const names = await readdir(sources, { recursive: true });
    const files = names.filter((name) => name.endsWith('.ts'));
    const code = await Promise.all(files.map((name) => readFile(path.join(sources, name), 'utf8')));
    const found = [manifest, ...code].join('\n').matchAll(namedIcon);
    const used = new Set([...found].map(([, id]) => id ?? ''));
    ok(used.size > 30, 'icons are found in the sources');
    const page = await workbench();
    const missing = await page.evaluate(`(${withoutGlyph})(${JSON.stringify([...used])})`);
    deepStrictEqual(missing, []);
  });
});

/** Runs in the page, whose types the project does not load: icons that draw nothing. */
const withoutGlyph = `(ids) => {
  const span = document.body.appendChild(document.createElement('span'));
  const without = ids.filter((id) => {
    span.className = 'codicon codicon-' + id;
    return getComputedStyle(span, '::before').content === 'none';
  });
  span.remove();
  return without;
}`;
