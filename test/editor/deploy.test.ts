import { deepStrictEqual, match, strictEqual } from 'node:assert';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { menu, row } from './support/rows.ts';
import {
  isNotified,
  lens,
  lenses,
  notification,
  runCommand,
  screenshot,
  workbench,
} from './support/ui.ts';
import { form, submit } from './support/form.ts';
import {
  edit,
  hello,
  helloFile,
  open,
  post,
  runtimeFile,
  startAfresh,
  weir,
} from './support/weir.ts';

suite('a source from its file to its events', () => {
  suiteSetup(async () => {
    await startAfresh();
    await open(helloFile());
  });

  test('an empty view says what to do', async () => {
    const page = await workbench();
    await page.locator('.welcome-view', { hasText: 'Nothing is deployed here yet' }).waitFor();
    await screenshot('empty');
  });

  test('Deploy shows a form for the props of the component, and checks them', async () => {
    await runCommand('Weir: Deploy Component…');
    const shownForm = await form('Deploy Hello webhook');
    await shownForm.getByText('What the caller gets back.').waitFor();
    await shownForm.getByRole('button', { name: 'Deploy', exact: true }).click();
    await shownForm.getByText('A value is required.').waitFor();
    await screenshot('props');
    await shownForm.getByLabel('Greeting').fill('Ahoy');
    await submit(shownForm);
    const shown = await row('Sources', 'Hello webhook');
    await shown.waitFor();
    const source = await hello();
    match(await shown.innerText(), new RegExp(new URL(source.endpoint_url).pathname));
    strictEqual(source.configured_props['greeting'], 'Ahoy');
  });

  test('a request to the endpoint is a row in Events', async () => {
    const { endpoint_url: endpoint } = await hello();
    const response = await post(endpoint, { id: 7, customer: 'Ada' });
    deepStrictEqual(await response.json(), { greeting: 'Ahoy' });
    await (await row('Events', 'Order 7 from Ada')).waitFor();
  });

  test('an event opens as a read-only JSON document', async () => {
    await post((await hello()).endpoint_url, { id: 8, customer: 'Grace' });
    await menu(await row('Events', 'Order 8 from Grace'), 'Open Event as JSON…');
    const document = await until('the document', () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.uri.scheme === 'weir-event' ? shown : undefined;
    });
    strictEqual(document.languageId, 'json');
    const shown = JSON.parse(document.getText()) as { event: unknown };
    deepStrictEqual(shown.event, { id: 8, customer: 'Grace' });
    const page = await workbench();
    await page.locator('.tab.active', { hasText: 'Order 8 from Grace.json' }).waitFor();
    await page.locator('.editor-instance .view-lines').first().click();
    await page.keyboard.type('x');
    strictEqual(document.isDirty, false);
    deepStrictEqual((JSON.parse(document.getText()) as { event: unknown }).event, shown.event);
  });

  test('the lens says that it is deployed and how many events there are', async () => {
    await open(helloFile());
    const { endpoint_url: endpoint, id } = await hello();
    await post(endpoint, { id: 81, customer: 'Barbara' });
    const { page_info: page } = await (await weir()).runtime.call('events.list', { id });
    const counted = page.total_count === 1 ? '1 event' : `${page.total_count} events`;
    await until('the lenses', async () => {
      const shown = (await lenses()).map((text) => text.trim());
      return shown.some((text) => text.startsWith('deployed') && text.endsWith(counted));
    });
    await (await lens('deployed')).click();
    const view = await workbench();
    await view.locator('.pane-header[aria-label^="Events"]', { hasText: 'Hello' }).waitFor();
  });

  test('Run in the lens runs it; what fails is said in one sentence', async () => {
    await open(helloFile());
    await hello();
    // Run by hand there is no request body to take an id from.
    await (await lens('Run')).first().click();
    await notification(/Hello webhook failed\. TypeError/);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  test('Update in the lens brings the saved code to the endpoint', async () => {
    await open(helloFile());
    const { endpoint_url: endpoint } = await hello();
    await edit(helloFile(), (text) => text.replace('greeting: this.greeting', 'greeting: "Moin"'));
    await (await lens('Update')).click();
    await until('the new code to answer', async () => {
      const response = await post(endpoint, { id: 9, customer: 'Joan' });
      return ((await response.json()) as { greeting: string }).greeting === 'Moin';
    });
  });

  test('a syntax error is a mark in the file and a sentence, and the old code goes on', async () => {
    await open(helloFile());
    const { endpoint_url: endpoint } = await hello();
    await edit(helloFile(), (text) => text.replace('version:', 'version'));
    const line = (await vscode.workspace.openTextDocument(helloFile()))
      .getText()
      .split('\n')
      .findIndex((text) => text.includes("version '"));
    await runCommand('Weir: Update Source');
    // TypeScript finds it as well: whoever is first marks the line, and it is not marked twice.
    await until('the mark', () => {
      const marks = vscode.languages
        .getDiagnostics(vscode.Uri.file(helloFile()))
        .filter(({ range }) => range.start.line === line);
      return new Set(marks.map(({ source }) => source === 'Weir')).size === 1;
    });
    await notification(/hello-webhook\.mjs/);
    await screenshot('syntax-error');
    strictEqual((await post(endpoint, { id: 10, customer: 'Mary' })).status, 200);

    await edit(helloFile(), (text) => text.replace("version '", "version: '"));
    // As the lens runs it; this way its end can be awaited.
    await vscode.commands.executeCommand('weir.update', (await hello()).id);
    const left = vscode.languages.getDiagnostics(vscode.Uri.file(helloFile()));
    deepStrictEqual(
      left.filter(({ source }) => source === 'Weir'),
      [],
    );
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  test('after kill -9 of the runtime everything comes back by itself', async () => {
    const source = await hello();
    await post(source.endpoint_url, { id: 11, customer: 'Hedy' });
    await (await row('Events', 'Order 11 from Hedy')).waitFor();
    const before = await runtimeFile();
    process.kill(before.pid, 'SIGKILL');
    await until('another runtime', async () => {
      const now = await runtimeFile().catch(() => before);
      return now.pid !== before.pid && (await weir()).runtime.url === now.url;
    });
    strictEqual((await runtimeFile()).url, before.url, 'the endpoint stays where it was');
    await (await row('Sources', 'Hello webhook')).waitFor();
    await (await row('Events', 'Order 11 from Hedy')).waitFor();
    await post(source.endpoint_url, { id: 12, customer: 'Rosa' });
    await (await row('Events', 'Order 12 from Rosa')).waitFor();
    strictEqual(await isNotified(/runtime/i), false);
  });
});
