import { match, ok, strictEqual } from 'node:assert';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Execution } from '../../src/protocol/catalogue.ts';
import { until } from '../support/until.ts';
import { menu, row, rows, unfoldRow } from './support/rows.ts';
import {
  answer,
  confirm,
  lens,
  notification,
  pick,
  runCommand,
  screenshot,
  themes,
  useTheme,
  workbench,
} from './support/ui.ts';
import { inWorkspace, open, post, startAfresh, weir } from './support/weir.ts';
import { fold, pageTitled, unfold } from './support/workflows.ts';

suite('what has run, once more', () => {
  const file = (...parts: string[]): string => inWorkspace('orders', ...parts);
  let endpoint = '';

  setup(async () => {
    await startAfresh();
    await rm(file(), { recursive: true, force: true });
    const fixtures = path.resolve(process.env['WEIR_TEST_FIXTURES'] ?? '', '..', 'workflows');
    await cp(fixtures, inWorkspace(), { recursive: true });
    const { runtime } = await weir();
    const deployed = await runtime.call('workflows.deploy', { workflow_path: file() });
    endpoint = deployed.triggers[0]?.endpoint_url ?? '';
    await post(endpoint, { customer: 'Ada' });
    await post(endpoint, { customer: 'Hedy' });
    for (let n = 0; n < 2; n += 1) await post(endpoint, {});
    await until('four executions', async () => (await newest(10)).every((one) => one.ended_at));
  });
  suiteTeardown(async () => {
    await useTheme(undefined);
    await startAfresh();
  });
  teardown(() => vscode.commands.executeCommand('notifications.clearAll'));

  test('a workflow has a page that follows it, from its row, its lens and the palette', async () => {
    await menu(await row('Workflows', 'Orders'), 'Show Workflow Page');
    const shown = await pageTitled('Orders');
    const points = shown.getByRole('group', { name: /^Durations/ }).getByRole('button');
    await points.nth(3).waitFor();
    await shown.getByText('50 % of the last executions succeeded').waitFor();
    const failure = /^check: Error: An order has a customer\., shows exec_/;
    await shown.getByRole('button', { name: failure }).waitFor();
    await shown.getByText('2 ×').waitFor();
    for (const theme of themes) {
      await useTheme(theme);
      await screenshot(`workflow-page-${theme}`);
    }
    await useTheme(undefined);
    await post(endpoint, { customer: 'Grace' });
    await points.nth(4).waitFor();
    await points.nth(4).click();
    await pageTitled('POST /');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await open(file('workflow.yaml'));
    await (await lens('Show Page')).click();
    await pageTitled('Orders');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await runCommand('Weir: Show Workflow Page');
    await pick('Show Workflow Page', 'Orders');
    const again = await pageTitled('Orders');
    await again.getByRole('button', { name: failure }).click();
    await pageTitled('POST /');
  });

  test('failed ones are retried: those that are selected, and all, once', async () => {
    await unfold('Orders');
    const failed = await row('Workflows', 'An order has a customer');
    await failed.nth(1).waitFor();
    await failed.nth(0).click();
    // The page that it shows takes the focus, and with it a menu that is open.
    await pageTitled('POST /');
    await failed.nth(1).click({ modifiers: ['ControlOrMeta'] });
    await menu(failed.nth(1), 'Retry Failed…');
    await pick('Retry Failed: Orders', 'From the Failed Step');
    await notification('2 executions of Orders were retried: 2 failed again.');
    await vscode.commands.executeCommand('notifications.clearAll');
    // The cause is found.
    const check = await readFile(file('check', 'entry.ts'), 'utf8');
    await writeFile(
      file('check', 'entry.ts'),
      check.replace(/if \(.*$/m, "this.customer ??= 'you';"),
    );
    const { runtime } = await weir();
    await runtime.call('workflows.deploy', { workflow_path: file() });
    await menu(await row('Workflows', 'Orders'), 'Show Workflow Page');
    const shown = await pageTitled('Orders');
    await shown.getByRole('button', { name: 'Retry Failed…' }).click();
    await pick('Retry Failed: Orders', 'Of the Last Hour');
    await pick('Retry Failed: Orders', 'From the Trigger');
    await notification('2 executions of Orders were retried: 2 succeeded.');
    await shown.getByText('fixed by a retry').waitFor();
    strictEqual(await shown.getByRole('button', { name: 'Retry Failed…' }).count(), 0);
    await menu(await row('Workflows', 'Orders'), 'Retry Failed…');
    await notification('Orders has no failed executions left to retry.');
    await writeFile(file('check', 'entry.ts'), check);
    await runtime.call('workflows.deploy', { workflow_path: file() });
  });

  test('a retry of many, begun on the page of one of them, is cancelled on its way', async () => {
    const { runtime } = await weir();
    const folder = inWorkspace('slow');
    await mkdir(path.join(folder, 'wait'), { recursive: true });
    const yaml =
      'schema: workflow/2022.04\nname: Slow\nsteps:\n- namespace: wait\n  uses: ./wait/entry.mjs\n';
    await writeFile(path.join(folder, 'workflow.yaml'), yaml);
    const code = (body: string): Promise<void> =>
      writeFile(
        path.join(folder, 'wait', 'entry.mjs'),
        `export default { async run() { ${body} } };`,
      );
    await code("throw new Error('not yet');");
    const { id } = await runtime.call('workflows.deploy', { workflow_path: folder });
    for (let n = 0; n < 2; n += 1) await runtime.call('executions.start', { id, wait: true });
    await code('await new Promise(() => setTimeout(() => undefined, 1e9));');
    await runtime.call('workflows.deploy', { workflow_path: folder });
    await fold('Orders');
    await menu(await row('Workflows', 'Slow'), 'Show Workflow Page');
    await (await pageTitled('Slow')).getByRole('button', { name: 'Retry Failed…' }).click();
    await pick('Retry Failed: Slow', 'All That Failed');
    await pick('Retry Failed: Slow', 'From the Failed Step');
    const page = await workbench();
    const progress = await notification('Retrying Slow: 1 of 2');
    await progress.hover();
    await page.getByRole('button', { name: 'Cancel', exact: true }).first().click();
    await notification('Cancelled: 0 of 2 executions of Slow were retried.');
    // What had begun goes on, and the second one never began.
    const { data } = await runtime.call('executions.list', { id });
    strictEqual(data.filter(({ cause }) => cause === 'replay').length, 1);
    await runtime.call('workflows.delete', { id });
    await unfold('Orders');
  });

  test('a result is stale once something before it has changed, until it runs again', async () => {
    await post(endpoint, { customer: 'Ada' });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await fold('Orders');
    await unfold('Orders');
    // Until it is there, one that failed stands on top.
    await until('its row', async (seen) => {
      const [, newestRow = 'customer'] = seen(await rows('Workflows'));
      return !newestRow.includes('customer');
    });
    const top = (await row('Workflows', 'POST /')).and(
      (await workbench()).locator('[data-index="1"]'),
    );
    await unfoldRow(top);
    await (await row('Workflows', 'an order of Ada')).first().waitFor();
    await save(file('lib', 'greeting.ts'), (text) => text.replace('Hello', 'Servus'));
    await (await row('Workflows', 'stale: its code has changed since')).first().waitFor();
    match((await rows('Workflows')).join('\n'), /stale: greet has changed since/);
    await top.click();
    const shown = await pageTitled('POST /');
    await shown.getByRole('treeitem', { name: /^greet, stale/ }).click();
    await shown.getByText('Out of date: its code has changed since.').waitFor();
    await screenshot('execution-stale');
    await shown.getByRole('button', { name: 'Run This Step', exact: true }).click();
    const tested = await pageTitled('Test of POST /');
    await tested.getByRole('treeitem', { name: /^greet, .*Servus Ada/ }).waitFor();
    strictEqual(await tested.getByRole('treeitem', { name: /^greet, stale/ }).count(), 0);
  });

  test('past executions run on the edited files, and what differs is a diff', async () => {
    await post(endpoint, { customer: 'Ada' });
    await save(file('lib', 'greeting.ts'), (text) => text.replace('Hello', 'Servus'));
    await menu(await row('Workflows', 'Orders'), 'Replay with Edited Files…');
    await pick('Replay with Edited Files: Orders', 'The Last 5 Executions');
    const { original, modified } = await until('the diff', () => {
      const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    });
    const texts = await Promise.all(
      [original, modified].map(async (uri) => vscode.workspace.openTextDocument(uri)),
    );
    const [before = '', after = ''] = texts.map((document) => document.getText());
    match(before, /"exec_\d+ POST \/": [^]*"greet": [^]*"\$return_value": "Hello Ada"/);
    match(after, /"\$return_value": "Servus Ada"/);
    ok(!before.includes('"check"'), before);
    await notification(/of 5 executions ends? differently/);
    await screenshot('replay-on-files');
    // From an execution's own page, and with nothing that differs.
    await save(file('lib', 'greeting.ts'), (text) => text.replace('Servus', 'Hello'));
    await vscode.commands.executeCommand('notifications.clearAll');
    await menu(await row('Workflows', 'Orders'), 'Show Workflow Page');
    const points = (await pageTitled('Orders')).getByRole('group', { name: /^Durations/ });
    await points.getByRole('button').last().click();
    const shown = await pageTitled('POST /');
    await shown.getByRole('button', { name: 'Replay with Edited Files' }).click();
    await notification('With your edits, 1 execution ends the same.');
  });

  test('pins stand in the tree, are edited and removed', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const [newestOne] = (await newest(10)).filter((one) => !one.test && one.status === 'succeeded');
    const { runtime } = await weir();
    const id = newestOne?.id ?? '';
    await runtime.call('executions.pin', { id, step: 'greet' });
    await runtime.call('executions.pin', { id, step: 'check', name: 'large' });
    await fold('Orders');
    await unfold('Orders');
    await (await row('Workflows', '2 · 1 active in tests')).waitFor();
    await unfold('2 · 1 active in tests');
    await (await row('Workflows', 'large · when a test asks for it')).waitFor();
    await screenshot('workflow-pins');
    await (await row('Workflows', 'default · in every test')).click();
    await until('the pin', () => shownFile()?.endsWith('/greet/pins/default.json'));
    await runCommand('Weir: Manage Pins…');
    await pick('Manage Pins', 'Orders');
    await pick('Pins of Orders', 'check');
    await until('the other pin', () => shownFile()?.endsWith('/check/pins/large.json'));
    await menu(await row('Workflows', 'large · when a test asks for it'), 'Remove Pins…');
    await confirm('Remove the pin large of check?', 'Remove');
    await (await row('Workflows', '1 · 1 active in tests')).waitFor();
    await menu(await row('Workflows', 'Orders'), 'Show Workflow Page');
    const shown = await pageTitled('Orders');
    await shown.getByRole('button', { name: 'greet: default' }).waitFor();
    await shown.getByRole('button', { name: 'Manage Pins…' }).click();
    await pick('Pins of Orders', 'Remove All Pins…');
    await confirm('Remove the pin default of greet?', 'Remove');
    await shown.getByRole('button', { name: 'greet: default' }).waitFor({ state: 'detached' });
  });

  test('all that wait are cancelled at once', async () => {
    await twoThatWait();
    await fold('Orders');
    await menu(await row('Workflows', 'Waits'), 'Show Workflow Page');
    const shown = await pageTitled('Waits');
    await shown.getByText('2 paused', { exact: true }).waitFor();
    await shown
      .getByRole('button', { name: /^Cancel exec_/ })
      .first()
      .click();
    await shown.getByText('1 paused', { exact: true }).waitFor();
    await shown.getByRole('button', { name: 'Cancel All Executions…' }).click();
    await confirm('Cancel 1 execution of Waits?', 'Cancel Executions');
    await shown.getByText('nothing is running or waiting').waitFor();
  });

  test('a step runs from the palette, and its run is cancelled from there', async () => {
    await twoThatWait();
    await open(file('waits', 'workflow.yaml'));
    await runCommand('Weir: Run This Step');
    await pick('Run This Step', 'hold');
    const shown = await pageTitled('Test');
    await shown.getByRole('treeitem', { name: /^hold, .*succeeded/ }).waitFor();
    await runCommand('Weir: Run with Event…');
    await pick('Run with Event: Waits', 'Type JSON…');
    await answer('Run with Event: Waits', '{"who": "Ada"}');
    const waiting = await pageTitled('Run by hand');
    await waiting.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    await runCommand('Weir: Cancel Execution');
    await waiting.locator('.state', { hasText: 'cancelled' }).waitFor();
  });

  async function twoThatWait(): Promise<void> {
    const { runtime } = await weir();
    const workflow_path = file('waits');
    const { id } = await runtime.call('workflows.deploy', { workflow_path });
    for (const who of ['Ada', 'Hedy']) {
      await runtime.call('executions.start', { id, event: { who }, wait: true });
    }
  }

  /** Of the workflow of the orders. */
  async function newest(limit: number): Promise<readonly Execution[]> {
    const { runtime } = await weir();
    return (await runtime.call('executions.list', { id: 'orders', limit })).data;
  }

  /** As a person does: in the editor. */
  async function save(at: string, change: (text: string) => string): Promise<void> {
    const editor = await open(at);
    const { document } = editor;
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const text = change(document.getText());
    await editor.edit((builder) => builder.replace(whole, text));
    await document.save();
    await until('the file', async () => (await readFile(at, 'utf8')) === text);
  }

  function shownFile(): string | undefined {
    return vscode.window.activeTextEditor?.document.uri.path;
  }
});
