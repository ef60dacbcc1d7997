import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { screenshot, workbench } from './support/ui.ts';
import { inWorkspace, open } from './support/weir.ts';

/** A component without types, with a cursor at each `|`. */
const text = `export default {
  name: 'Orders',
  type: 'source',
  |
  props: {
    db: '$.service.db',
    limit: { type: '|', | },
  },
  async run() {
    this.|
  },
};
`;

suite('help for authors', () => {
  let uri: vscode.Uri;
  let cursors: readonly vscode.Position[];

  suiteSetup(async () => {
    const file = inWorkspace('components', 'orders.mjs');
    await writeFile(file, text.replaceAll('|', ''));
    const { document } = await open(file);
    uri = document.uri;
    cursors = [...text.matchAll(/\|/g)].map(({ index }, at) => document.positionAt(index - at));
  });

  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('keys, prop types, keys of a prop and what this has are completed', async () => {
    const [component, type, prop, self] = await Promise.all(cursors.map(ours));
    deepStrictEqual(component?.slice(0, 4), ['key', 'version', 'description', 'dedupe']);
    deepStrictEqual(type?.slice(0, 3), ['string', 'string[]', 'integer']);
    ok(prop?.includes('label'));
    deepStrictEqual(self, ['db', 'limit', '$emit']);
  });

  test('one types, chooses, and the next list is there', async () => {
    const editor = await vscode.window.showTextDocument(uri, { selection: cursorAt(0) });
    const page = await workbench();
    await until('the cursor', () => editor.selection.isEqual(cursorAt(0)));
    await vscode.commands.executeCommand('type', { text: 'ded' });
    await vscode.commands.executeCommand('editor.action.triggerSuggest');
    const list = page.locator('.suggest-widget.visible');
    await list.locator('.monaco-list-row', { hasText: 'dedupe' }).waitFor();
    await vscode.commands.executeCommand('acceptSelectedSuggestion');
    await list.locator('.monaco-list-row', { hasText: 'greatest' }).waitFor();
    await vscode.commands.executeCommand('toggleSuggestionDetails');
    await page.locator('.suggest-details', { hasText: 'Drops an event' }).waitFor();
    await screenshot('completion');
    await vscode.commands.executeCommand('acceptSelectedSuggestion');
    await until('the key', () => editor.document.getText().includes("  dedupe: 'unique',\n"));
    await vscode.commands.executeCommand('leaveSnippet');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('the file as it was', () => editor.document.getText() === text.replaceAll('|', ''));
  });

  test('a type is explained', async () => {
    const editor = await vscode.window.showTextDocument(uri);
    const at = editor.document.positionAt(editor.document.getText().indexOf('$.service') + 4);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      uri,
      at,
    );
    const shown = hovers.flatMap(({ contents }) =>
      contents.map((one) => (one as vscode.MarkdownString).value),
    );
    match(shown.join('\n'), /`\$\.service\.db` · prop type\s+A store for a few values/);
    const selection = new vscode.Selection(at, at);
    await vscode.window.showTextDocument(uri, { selection });
    await until('the cursor', () => editor.selection.isEqual(selection));
    await vscode.commands.executeCommand('editor.action.showHover');
    const page = await workbench();
    await page.locator('.monaco-hover', { hasText: 'A store for a few values' }).waitFor();
    await screenshot('hover');
    await page.keyboard.press('Escape');
  });

  test('a slip of the keyboard is marked and mended', async () => {
    const editor = await vscode.window.showTextDocument(uri);
    const start = editor.document.getText().indexOf("type: ''");
    const value = editor.document.positionAt(start + "type: '".length);
    await editor.edit((change) => change.insert(value, 'interger'));
    const slip = await until('the mark', () =>
      vscode.languages.getDiagnostics(uri).find(({ code }) => code === 'unknown-type'),
    );
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      slip.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const fix = fixes.find(({ title }) => title === 'Change to "integer"');
    strictEqual(fix?.isPreferred, true);
    await vscode.workspace.applyEdit(fix.edit ?? new vscode.WorkspaceEdit());
    ok(editor.document.getText().includes('type: "integer"'));
  });

  /** Labels of what Weir offers at a cursor, in the order of the list. */
  async function ours(at: vscode.Position): Promise<string[]> {
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      uri,
      at,
    );
    return items
      .filter(({ sortText }) => sortText?.startsWith('!') === true)
      .sort((a, b) => ((a.sortText ?? '') < (b.sortText ?? '') ? -1 : 1))
      .map(({ label }) => (typeof label === 'string' ? label : label.label));
  }

  function cursorAt(index: number): vscode.Selection {
    const at = cursors[index] ?? new vscode.Position(0, 0);
    return new vscode.Selection(at, at);
  }
});

/** With the types of `weir/component` Weir adds only what TypeScript does not offer. */
suite('help for authors with types', () => {
  test('no key is offered twice', async () => {
    const file = inWorkspace('typed-orders.ts');
    const typed = `import { defineSource } from 'weir/component';
export default defineSource({
  name: 'Orders',

  props: { limit: { type: 'integer',  }, other: { type: '' } },
});
`;
    await writeFile(file, typed);
    const editor = await open(file);
    const { document } = editor;
    const labelsAt = async (offset: number): Promise<string[]> => {
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        document.positionAt(offset),
      );
      return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    const count = (labels: readonly string[], wanted: string): number =>
      labels.filter((label) => label.replace(/\?$/, '') === wanted).length;
    const empty = typed.indexOf('\n\n') + 1;
    await until(
      'TypeScript to know the types',
      async () => count(await labelsAt(empty), 'dedupe') > 0,
    );
    strictEqual(count(await labelsAt(empty), 'dedupe'), 1);
    strictEqual(count(await labelsAt(typed.indexOf("''") + 1), '$.service.db'), 1);
    // Of a definition without a mistake TypeScript offers no further keys of a prop.
    const value = document.positionAt(typed.indexOf("''") + 1);
    await editor.edit((change) => change.insert(value, 'string'));
    strictEqual(count(await labelsAt(typed.indexOf(',  }') + 2), 'label'), 1);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
