import { match, ok, strictEqual } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { menu, row, unfoldRow, unfoldView } from './support/rows.ts';
import { screenshot, themes, useTheme, workbench } from './support/ui.ts';
import { inWorkspace, open, post, startAfresh, weir } from './support/weir.ts';

const code = `export default {
  name: 'Payments',
  props: { http: { type: '$.interface.http', customResponse: true } },
  run({ body }) {
    console.log('got', body.amount);
    if (body.amount < 0) throw new RangeError('amount is negative');
    this.http.respond({ status: 200 });
    this.$emit(body, { summary: 'Paid ' + body.amount });
  },
};
`;

suite('a run that fails', () => {
  let endpoint: string;
  let file: string;
  suiteSetup(async () => {
    await startAfresh();
    file = inWorkspace('components', 'payments.mjs');
    await writeFile(file, code);
    const { runtime } = await weir();
    const source = await runtime.call('sources.deploy', { component_path: file });
    endpoint = source.endpoint_url ?? '';
    await open(file);
    await post(`${endpoint}/orders?from=shop`, { amount: -5 });
  });
  suiteTeardown(() => useTheme(undefined));

  test('is seen in the status bar, on the badge, in the tree and at the line that threw', async () => {
    const page = await workbench();
    await page.locator('.statusbar-item', { hasText: 'Weir: 1 failed' }).waitFor();
    await page.locator('.activitybar .badge-content', { hasText: '1' }).waitFor();
    await page.locator('.squiggly-error').first().waitFor();
    const [mark] = await until('the mark', () => marks());
    strictEqual(mark?.range.start.line, 5);
    match(mark.message, /^RangeError: amount is negative\n.*\(POST \/orders\)/);
    const source = await row('Sources', 'Payments');
    const run = (await row('Sources', 'POST /orders')).first();
    await unfoldRow(source);
    match(await run.innerText(), /^POST \/orders\s*RangeError: amount is negative · \d+ ms · /);
    for (const theme of themes) {
      await useTheme(theme);
      await screenshot(`failed-run-${theme}`);
    }
    await useTheme(undefined);
  });

  test('is still told when other runs went well, and found among the failed ones', async () => {
    for (let n = 0; n < 12; n++) await post(`${endpoint}/fine`, { amount: 5 });
    await (await row('Sources', 'Payments')).first().getByText('1 failed').waitFor();
    const page = await workbench();
    await page.locator('.statusbar-item', { hasText: 'Weir: 1 failed' }).waitFor();
    await page.locator('.activitybar .badge-content', { hasText: '1' }).waitFor();
    strictEqual(marks()?.length, 1);
    // Rows that are out of sight are not there to be clicked.
    for (const view of ['Workflows', 'Events', 'Subscriptions']) await unfoldView(view, false);
    // The ten that are listed went well; the others can be loaded.
    await (await row('Sources', /Show more \(\d+ left\)/)).click();
    await unfoldRow(await row('Sources', 'Failed Runs'));
    await (await row('Sources', 'POST /orders')).first().waitFor();
    await page.locator('.statusbar-item', { hasText: 'Weir: 1 failed' }).click();
    await page.locator('.quick-input-widget', { hasText: 'Show Failed Runs' }).waitFor();
    await screenshot('failed-runs');
    await page.keyboard.press('Escape');
    for (const view of ['Workflows', 'Events', 'Subscriptions']) await unfoldView(view);
  });

  test('shows its request in its document, and is replayed from there', async () => {
    const opened = () =>
      vscode.window.visibleTextEditors
        .filter(({ document }) => document.uri.scheme === 'weir-run')
        .map(({ document }) => document.getText())
        .find((one) => one.includes('/orders'));
    // A list that is drawn again in the middle of a click gives it to another row.
    const text = await until('the run that failed', async () => {
      await (await row('Sources', 'POST /orders')).first().click();
      return until('its text', opened, 3000).catch(() => undefined);
    });
    match(text, /\nRequest\n {2}POST http:\S+\/orders\?from=shop\n/);
    match(text, / {2}content-type: application\/json\n/);
    ok(text.includes('{"amount":-5}'));
    const page = await workbench();
    await page.locator('.codelens-decoration a', { hasText: 'Copy as cURL' }).waitFor();
    for (const title of ['Retry', 'Debug This Run']) {
      await page.locator('.codelens-decoration a', { hasText: title }).waitFor();
    }
    await screenshot('failed-run-document');
    await page.locator('.codelens-decoration a', { hasText: 'Replay' }).click();
    const how = page.locator('.quick-input-widget', { hasText: 'Replay: Payments' });
    await how.waitFor();
    await page.keyboard.press('Escape');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('is told no longer once it was looked at and a run went well, which the inspector can replay', async () => {
    await post(endpoint, { amount: 5 });
    const page = await workbench();
    await page.locator('.statusbar-item', { hasText: 'Weir: 1 source' }).waitFor();
    await until('the mark to go', () => marks() === undefined);
    await menu(await row('Events', 'Paid 5'), 'Inspect Event');
    const frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await frame.getByRole('button', { name: 'Replay…' }).click();
    await page.locator('.quick-input-widget', { hasText: 'Replay: Payments' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('has a log with the times at which it printed', async () => {
    await new Promise((later) => setTimeout(later, 1500));
    await menu(await row('Sources', 'Payments'), 'Show Logs of Source');
    const { document } = await until('the channel', () =>
      vscode.window.visibleTextEditors.find(
        ({ document: one }) => one.uri.scheme === 'output' && one.getText().includes('got -5'),
      ),
    );
    const { runtime } = await weir();
    const { data } = await runtime.call('logs.list', { id: 'payments', limit: 100 });
    const first = data.find(({ text }) => text === 'got -5');
    const seconds = new Date(first?.ts ?? 0).toTimeString().slice(0, 8);
    match(document.getText(), new RegExp(`^\\S+ ${seconds}\\.\\d{3} \\[info\\] got -5$`, 'm'));
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  function marks(): vscode.Diagnostic[] | undefined {
    const found = vscode.languages
      .getDiagnostics(vscode.Uri.file(file))
      .filter(({ message }) => message.startsWith('RangeError'));
    return found.length === 0 ? undefined : found;
  }
});
