import { match, ok, strictEqual } from 'node:assert';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { menu, row, unfoldRow } from './support/rows.ts';
import {
  lens,
  lenses,
  notification,
  runCommand,
  screenshot,
  themes,
  useTheme,
  workbench,
} from './support/ui.ts';
import { hello, helloFile, inWorkspace, open, startAfresh, weir } from './support/weir.ts';
import { canOpenWindows, inWindow } from './support/windows.ts';

suite('requests', () => {
  const file = (): string => inWorkspace('components', 'hello-webhook.http');
  setup(async () => {
    await startAfresh();
    await rm(file(), { force: true });
    await hello();
  });
  suiteTeardown(async () => {
    await useTheme(undefined);
    await rm(file(), { force: true });
  });

  /** A file of requests as Compose Request writes it for an endpoint. */
  const composed = (endpoint: string): string =>
    `@endpoint = ${endpoint}\n\n### Hello webhook\nPOST {{endpoint}}/\ncontent-type: application/json\n\n{\n  "hello": "weir"\n}\n`;

  /** On the left, where a person has it; the answer stands on the right. */
  const openRequests = async (): Promise<vscode.TextEditor> => {
    const isNew = !existsSync(file());
    const text = composed((await hello()).endpoint_url);
    if (isNew) await writeFile(file(), text);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file()), {
      preview: false,
      viewColumn: vscode.ViewColumn.One,
    });
    // VS Code may still know the file as an earlier test left it.
    await until('the file as it is', () => !isNew || editor.document.getText() === text);
    return editor;
  };

  /** Sends an order, and waits for its answer. */
  const sendOrder = async (document: vscode.TextDocument): Promise<string> => {
    await type(document, (text) =>
      text
        .replace('}}/\n', '}}/orders?from=editor\n')
        .replace('"hello": "weir"', '"id": 7, "customer": "Ada"'),
    );
    await (await lens('Send with Weir')).click();
    return answer((one) => one.includes('/orders?from=editor'));
  };

  test('Compose Request writes a file beside the component, and opens it', async () => {
    const { endpoint_url: endpoint } = await hello();
    await open(helloFile());
    await (await lens('Compose Request')).click();
    const { document } = await shown(file());
    strictEqual(document.getText(), composed(endpoint));
    strictEqual(document.languageId, 'http');
    strictEqual(document.isDirty, false);
    await until('the lens', async () => (await lenses()).join() === 'Send with Weir');
  });

  test('Send with Weir shows the answer of what is typed, its run and its event', async () => {
    const { document } = await openRequests();
    const text = await sendOrder(document);
    match(
      text,
      /^# POST http:\/\/127\.0\.0\.1:\d+\/h\/hi_\w+\/orders\?from=editor\n# answered after \d+/,
    );
    match(text, /\nHTTP\/1\.1 200 OK\n/);
    ok(text.endsWith('\n\n{\n  "greeting": "hello"\n}\n'), text);
    // One goes on where one was.
    strictEqual(vscode.window.activeTextEditor?.document.uri.fsPath, file());
    await (await answerLens(/^Show Run inv_\d+: 1 event$/)).waitFor();
    for (const theme of themes) {
      await useTheme(theme);
      await (await answerLens(/^Show Run inv_\d+: 1 event$/)).waitFor();
      // High Contrast Light colours no meanings, unless a language asks for it.
      await until('the colours', isMethodColoured);
      await screenshot(`request-${theme}`);
    }
    await useTheme(undefined);
    await (await answerLens(/^Show Run inv_\d+: 1 event$/)).click();
    const run = await until('the run', () =>
      vscode.window.visibleTextEditors.find(({ document: one }) => one.uri.scheme === 'weir-run'),
    );
    match(run.document.getText(), /\n {2}POST http:\S+\/orders\?from=editor\n/);
    await (await row('Events', 'Order 7 from Ada')).waitFor();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('Inspect Event leads from the answer to what was emitted', async () => {
    const { runtime } = await weir();
    const { id } = await hello();
    const runs = async (): Promise<number> =>
      (await runtime.call('invocations.list', { id })).page_info.total_count;
    const { document } = await openRequests();
    const before = { text: await sendOrder(document), runs: await runs() };
    await open(helloFile());
    await runCommand('Weir: Send Last Request Again');
    await until('another run', async () => (await runs()) === before.runs + 1);
    const page = await workbench();
    await openRequests();
    before.text = await answer((one) => one !== before.text);
    await type(document, (text) => text.replace('"id": 7', '"id": 8'));
    await (await lens('Send with Weir')).click();
    await (await row('Events', 'Order 8 from Ada')).waitFor();
    const text = await answer((one) => one !== before.text);
    const [, run = ''] = /\nx-weir-invocation: (\w+)\n/.exec(text) ?? [];
    await (await answerLens(`Show Run ${run}: 1 event`)).waitFor();
    await (await answerLens('Inspect Event')).click();
    await page.locator('.tab.active', { hasText: 'Order 8 from Ada' }).waitFor();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('requests to other hosts have no lens and are not sent', async () => {
    const { document } = await openRequests();
    await type(document, (text) => `${text}\n### Elsewhere\nGET https://example.com/h/hi_1\n`);
    await until('one lens', async () => (await lenses()).join() === 'Send with Weir');
    const line = document.lineCount - 2;
    await vscode.commands.executeCommand('weir.sendRequest', { uri: document.uri, line });
    await notification('No source has the endpoint https://example.com/h/hi_1');
    await type(document, (text) => text.replace('{{endpoint}}', '{{endpiont}}'));
    await vscode.commands.executeCommand('weir.sendRequest', { uri: document.uri, line: 3 });
    await notification('{{endpiont}} is not defined in this file');
    await type(document, (text) => text.replace('{{endpiont}}', '{{endpoint}}'));
    await document.save();
  });

  test('a source that is switched off says so', async () => {
    const { runtime } = await weir();
    const { id } = await hello();
    await runtime.call('sources.update', { id, active: false });
    await (await row('Sources', 'inactive')).waitFor();
    await openRequests();
    await (await lens('Send with Weir')).click();
    await notification('Hello webhook is switched off and answers nothing');
    await runtime.call('sources.update', { id, active: true });
  });

  test('an address that has moved is mended in the file, and one that is lost when it is sent', async () => {
    const { endpoint_url: endpoint } = await hello();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await writeFile(file(), composed(endpoint.replace(/:\d+/, ':1')));
    await openRequests();
    await until('the mended file', async () => (await readFile(file(), 'utf8')).includes(endpoint));

    const { runtime } = await weir();
    await runtime.call('sources.delete', { id: (await hello()).id });
    const { endpoint_url: another } = await hello();
    ok(another !== endpoint);
    await (await row('Sources', 'Hello webhook')).waitFor();
    await (await lens('Send with Weir')).click();
    await answer((one) => one.includes(another) && one.includes('HTTP/1.1 200'));
    ok((await readFile(file(), 'utf8')).includes(another));
  });

  test('a window that opens mends an address that moved before, in a file that nobody opened', async function () {
    if (!canOpenWindows) this.skip();
    const component = inWorkspace('components', 'beside.mjs');
    const requests = inWorkspace('components', 'beside.http');
    await writeFile(
      component,
      'export default { name: "Beside", key: "beside", version: "0.0.1", type: "source", props: { http: "$.interface.http" }, run() {} };\n',
    );
    const { runtime } = await weir();
    const { endpoint_url: endpoint } = await runtime.call('sources.deploy', {
      component_path: component,
    });
    ok(endpoint);
    await writeFile(requests, composed(endpoint.replace(/:\d+/, ':1')));
    await inWindow({ folder: inWorkspace() }, async () => {
      await until('the mended file', async () =>
        (await readFile(requests, 'utf8')).includes(endpoint),
      );
    });
    await rm(component);
    await rm(requests);
  });

  test('Save as HTTP Request writes down what a run got, a binary body beside it', async () => {
    const { endpoint_url: endpoint } = await hello();
    const body = Buffer.from([0x89, 0x50, 0xff, 0x00]);
    const headers = { 'content-type': 'image/png', 'x-name': 'weir' };
    await openRequests();
    await fetch(`${endpoint}/picture`, { method: 'PUT', headers, body });
    const source = await row('Sources', 'Hello webhook');
    const run = (await row('Sources', 'PUT /picture')).first();
    await unfoldRow(source);
    await menu(run, 'Save as HTTP Request');
    const { document } = await shown(file());
    const saved = await until(
      'the request',
      () => /### PUT \/picture[^]*/.exec(document.getText())?.[0],
    );
    match(saved, /^### PUT \/picture\nPUT \{\{endpoint\}\}\/picture\n/);
    match(saved, /\nx-name: weir\n/);
    const [, name = ''] = /\n\n< \.\/(\S+)\n$/.exec(saved) ?? [];
    const kept = inWorkspace('components', name);
    ok(existsSync(kept), saved);
    strictEqual(Buffer.compare(await readFile(kept), body), 0);
    await rm(kept);
  });

  test('long waits can be cancelled', async () => {
    const component = inWorkspace('components', 'waits.mjs');
    await writeFile(
      component,
      `export default { name: 'Waits', props: { http: { type: '$.interface.http', customResponse: true } },
        run() { return new Promise((done) => setTimeout(done, 60_000)); } };`,
    );
    const { runtime } = await weir();
    const { id } = await runtime.call('sources.deploy', { component_path: component });
    await (await row('Sources', 'Waits')).waitFor();
    await vscode.commands.executeCommand('weir.composeRequest', id);
    await shown(inWorkspace('components', 'waits.http'));
    await (await lens('Send with Weir')).click();
    const waiting = await notification('Sending Waits');
    const page = await workbench();
    await waiting.hover();
    await page.getByRole('button', { name: 'Cancel', exact: true }).first().click();
    await waiting.waitFor({ state: 'detached' });
    await runtime.call('sources.delete', { id, ignore_hook_errors: true });
    await rm(component);
    await rm(inWorkspace('components', 'waits.http'));
  });
});

async function shown(file: string): Promise<vscode.TextEditor> {
  return until(`${file} to be shown`, () => {
    const editor = vscode.window.activeTextEditor;
    return editor?.document.uri.fsPath === file && editor;
  });
}

/** Changes a document as somebody does who types, and does not save it. */
async function type(
  document: vscode.TextDocument,
  change: (text: string) => string,
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(document.uri, all, change(document.getText()));
  ok(await vscode.workspace.applyEdit(edit));
}

async function answer(fits: (text: string) => boolean): Promise<string> {
  const { document } = await until('the answer', () =>
    vscode.window.visibleTextEditors.find(
      ({ document: one }) => one.uri.scheme === 'weir-answer' && fits(one.getText()),
    ),
  );
  return document.getText();
}

/** Whether `POST` has another colour than a text without one. */
async function isMethodColoured(): Promise<boolean> {
  const page = await workbench();
  const method = page.locator('.view-line span span', { hasText: /^POST$/ }).first();
  if ((await method.count()) === 0) return false;
  return !((await method.getAttribute('class')) ?? '').split(' ').includes('mtk1');
}

async function answerLens(text: string | RegExp) {
  const page = await workbench();
  return page
    .locator('.editor-instance', { hasText: 'answered after' })
    .locator('.codelens-decoration a', { hasText: text });
}
