import { match, strictEqual } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { menu, row, unfoldRow, unfoldView } from './support/rows.ts';
import { confirm, screenshot, themes, useTheme, workbench } from './support/ui.ts';
import { inWorkspace, startAfresh, weir } from './support/weir.ts';

const keeper = `export default {
  name: 'Keeper', props: { http: '$.interface.http', db: '$.service.db' },
  run(event) { for (const [key, value] of Object.entries(event)) this.db.set(key, value); },
}`;

suite('what sources and data stores keep', () => {
  let id: string;
  suiteSetup(async () => {
    await startAfresh();
    const { runtime } = await weir();
    const file = inWorkspace('components', 'keeper.mjs');
    await writeFile(file, keeper);
    ({ id } = await runtime.call('sources.deploy', { component_path: file }));
    await run({ cursor: '2026-11-20T22:04:14Z', count: 5, seen: { orders: [7, 8], more: true } });
    await runtime.call('data_stores.create', { name: 'Shared' });
    const store = { id: 'Shared', ttl: 3600 };
    await runtime.call('data_store_records.set', { ...store, key: 'order-7', value: { n: 7 } });
    await runtime.call('accounts.create', { app: 'slack', name: 'Work', credentials: { a: 'b' } });
    for (const view of ['Accounts', 'Data Stores']) await unfoldView(view);
    await unfoldRow(await row('Sources', 'Keeper'));
    await unfoldRow(await row('Sources', 'what the source keeps'));
    await unfoldRow(await row('Data Stores', 'Shared'));
    await (await row('Data Stores', 'order-7')).waitFor();
  });

  test('a value opens as JSON; an ordinary save writes it', async () => {
    const editor = await openRow('cursor');
    strictEqual(editor.document.languageId, 'json');
    strictEqual(editor.document.getText(), '"2026-11-20T22:04:14Z"\n');
    await replace(editor, '"2026-11-21"');
    strictEqual(await editor.document.save(), true);
    strictEqual(await inDb('cursor'), '2026-11-21');
    await (await row('Sources', '"2026-11-21"')).waitFor();
  });

  test('an open value follows what runs write', async () => {
    const editor = await openRow('count');
    await run({ count: 6 });
    await until('the new value', () => editor.document.getText() === '6\n');
  });

  test('what is not JSON is not saved, and says why', async () => {
    const editor = await openRow('seen');
    await replace(editor, '{ "orders": [7, }');
    strictEqual(await editor.document.save(), false);
    await notification('is not JSON');
    await screenshot('value-not-json');
    strictEqual(editor.document.isDirty, true);
    strictEqual(JSON.stringify(await inDb('seen')), '{"orders":[7,8],"more":true}');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    match(editor.document.getText(), /"more": true/);
  });

  test('what a run has changed meanwhile is overwritten only by whoever says so', async () => {
    const editor = await openRow('count');
    await replace(editor, '9');
    // As long as before, then longer: VS Code sees only the latter by itself.
    await run({ count: 7 });
    strictEqual(await editor.document.save(), false);
    const message = await notification('it is 7 now');
    await screenshot('value-changed-meanwhile');
    strictEqual(await inDb('count'), 7);
    const page = await workbench();
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    await until('it to be written', async () => (await inDb('count')) === 9);
    match(message, /Retry to write yours over it, or Revert to read it/);
    await replace(editor, '10');
    await run({ count: 12_345 });
    strictEqual(await editor.document.save(), false);
    await notification('content of the file is newer');
    strictEqual(await inDb('count'), 12_345);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    strictEqual(editor.document.getText(), '12345\n');
  });

  test('a key is deleted from its row', async function () {
    if (process.env['WEIR_TEST_MODALS'] !== '1') this.skip();
    await menu(await row('Sources', 'cursor'), 'Delete Keys…');
    await confirm('Delete "cursor" of Keeper db?', 'Delete');
    await until(
      'the row to go',
      async () => (await (await row('Sources', 'cursor')).count()) === 0,
    );
  });

  for (const theme of themes) {
    test(`the rows and a value in ${theme}`, async () => {
      await vscode.commands.executeCommand('notifications.clearAll');
      await openRow('seen');
      await useTheme(theme);
      const page = await workbench();
      await page.mouse.move(700, 400);
      await screenshot(`values-${theme}`);
    });
  }

  suiteTeardown(async () => {
    await useTheme(undefined);
    const { runtime } = await weir();
    await runtime.call('data_stores.delete', { id: 'Shared' });
    await runtime.call('accounts.delete', { id: 'Work' });
    for (const view of ['Accounts', 'Data Stores']) await unfoldView(view, false);
  });

  async function run(event: unknown): Promise<void> {
    await (await weir()).runtime.call('sources.invoke', { id, event });
  }

  async function inDb(key: string): Promise<unknown> {
    return (await (await weir()).runtime.call('service_db.get', { id, key })).value;
  }
});

async function openRow(key: string): Promise<vscode.TextEditor> {
  await (await row('Sources', key)).first().click();
  return until(`${key} to be shown`, () =>
    vscode.window.visibleTextEditors.find(({ document: { uri } }) =>
      uri.path.endsWith(`/${key}.json`),
    ),
  );
}

async function replace(editor: vscode.TextEditor, text: string): Promise<void> {
  const { document } = editor;
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  await editor.edit((edit) => edit.replace(all, text));
}

async function notification(text: string): Promise<string> {
  const shown = (await workbench()).locator('.notification-list-item', { hasText: text }).first();
  await shown.waitFor();
  return shown.innerText();
}
