import { strictEqual, ok, deepStrictEqual } from 'node:assert';
import * as vscode from 'vscode';
import type { WeirApi } from '../../src/extension/api.ts';
import {
  contributedCommands,
  internalCommands,
  plannedCommands,
} from '../../src/extension/commands/ids.ts';
import { waitFor, workbench } from './support/ui.ts';

suite('activation', () => {
  test('activates and hands out its versioned API', async () => {
    const extension = vscode.extensions.getExtension<WeirApi>('weir.weir');
    ok(extension, 'the extension is installed');
    const api = await extension.activate();
    strictEqual(api.version, 1);
    strictEqual(typeof api.runtime.call, 'function');
    strictEqual(typeof api.runtime.on, 'function');
  });

  test('registers every command, the ones of later versions too', async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    const wanted = [...contributedCommands, ...internalCommands, ...Object.keys(plannedCommands)];
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
    await waitFor('the lens', () =>
      page.locator('.codelens-decoration a', { hasText: 'Deploy' }).isVisible(),
    );
  });
});
