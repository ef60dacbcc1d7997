import { match, strictEqual } from 'node:assert';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { externalUrl } from '../../src/extension/external-url.ts';
import { until } from '../support/until.ts';
import { menu, pressOnRow, row, unfoldRow } from './support/rows.ts';
import {
  answer,
  confirm,
  lens,
  lenses,
  notification,
  pick,
  runCommand,
  screenshot,
  workbench,
} from './support/ui.ts';
import { form, submit } from './support/form.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { hello, helloFile, inWorkspace, open, post, startAfresh, weir } from './support/weir.ts';

/** Waits until this is on the clipboard. */
async function copied(text: string): Promise<void> {
  await until(
    'the clipboard',
    async (seen) => seen(await vscode.env.clipboard.readText()) === text,
  );
}

suite('commands on a source', () => {
  suiteSetup(async () => {
    await startAfresh();
    await hello();
  });

  test('Configure offers the present values and keeps what is not changed', async () => {
    await menu(await row('Sources', 'Hello webhook'), 'Configure Source…');
    const shown = await form('Configure Hello webhook');
    const { configured_props: before } = await hello();
    const greeting = shown.getByLabel('Greeting');
    strictEqual(await greeting.inputValue(), before['greeting']);
    await greeting.fill('Servus');
    await submit(shown);
    await until('the new greeting', async () => {
      const { configured_props: now } = await hello();
      return now['greeting'] === 'Servus';
    });
  });

  test('Deactivate and Activate show their state in the tree', async () => {
    await menu(await row('Sources', 'Hello webhook'), 'Deactivate Source');
    await (await row('Sources', 'inactive')).waitFor();
    await menu(await row('Sources', 'Hello webhook'), 'Activate Source');
    await (await row('Sources', '/h/hi_')).waitFor();
  });

  test('Rename keeps the endpoint', async () => {
    const { endpoint_url: endpoint } = await hello();
    await menu(await row('Sources', 'Hello webhook'), 'Rename Source…');
    await answer('Rename Source', 'Orders');
    await (await row('Sources', 'Orders')).waitFor();
    strictEqual((await hello()).endpoint_url, endpoint);
    await menu(await row('Sources', 'Orders'), 'Rename Source…');
    await answer('Rename Source', 'Hello webhook');
    await (await row('Sources', 'Hello webhook')).waitFor();
  });

  test('Copy Endpoint URL puts it on the clipboard', async () => {
    await menu(await row('Sources', 'Hello webhook'), 'Copy Endpoint URL');
    const { endpoint_url: endpoint } = await hello();
    const outside = await externalUrl(endpoint);
    // In a remote window and in a browser it depends on where the address is pasted.
    if (outside !== endpoint) {
      await screenshot('copy-endpoint');
      await pick('Copy Endpoint URL', 'For the machine that runs Weir');
    }
    await copied(endpoint);
    strictEqual((await post(endpoint, { id: 1, customer: 'Ada' })).status, 200);
    if (outside === endpoint) return;
    await menu(await row('Sources', 'Hello webhook'), 'Copy Endpoint URL');
    await pick('Copy Endpoint URL', 'For your own browser');
    await copied(outside);
  });

  test('Copy as cURL in the lens and the tree sends the newest request again', async () => {
    const { endpoint_url: endpoint } = await hello();
    await post(`${endpoint}/again?n=1`, { id: 15, customer: 'Lovelace' });
    await (await row('Events', 'Order 15 from Lovelace')).waitFor();
    const isAsked = (await externalUrl(endpoint)) !== endpoint;
    const runs = async (): Promise<number> =>
      (await (await weir()).runtime.call('invocations.list', { id: (await hello()).id })).page_info
        .total_count;
    await open(helloFile());
    const ways = [
      async () => (await lens('Copy as cURL')).click(),
      async () => menu(await row('Sources', 'Hello webhook'), 'Copy as cURL'),
    ];
    for (const copy of ways) {
      await vscode.env.clipboard.writeText('');
      await copy();
      if (isAsked) await pick('Copy as cURL', 'For the machine that runs Weir');
      const command = await until('the command', async () => {
        const text = await vscode.env.clipboard.readText();
        return text !== '' && text;
      });
      match(command, /^curl -X POST 'http:\/\/127\.0\.0\.1:\d+\/h\/hi_\w+\/again\?n=1' /);
      const before = await runs();
      await promisify(execFile)('sh', ['-c', command]);
      await until('its run', async () => (await runs()) === before + 1);
    }
  });

  test('Stop Run ends a run from its row, and its document says so', async () => {
    const { runtime } = await weir();
    const file = inWorkspace('components', 'hangs.mjs');
    await writeFile(
      file,
      `export default { name: 'Hangs', run() { return new Promise(() => setInterval(() => {}, 1000)); } };`,
    );
    const { id } = await runtime.call('sources.deploy', { component_path: file });
    const hangs = runtime.call('sources.invoke', { id });
    const source = await row('Sources', 'Hangs');
    const run = (await row('Sources', 'Run by hand')).filter({ hasNotText: 'Hangs' }).first();
    await (await row('Sources', 'running · run by hand')).waitFor();
    await unfoldRow(source);
    await run.click();
    const page = await workbench();
    await page.locator('.codelens-decoration a', { hasText: 'Stop Run' }).waitFor();
    await run.hover();
    await screenshot('stop-run');
    await pressOnRow(run, 'Stop Run');
    strictEqual((await hangs).status, 'cancelled');
    await until('the document', () =>
      vscode.window.activeTextEditor?.document.getText().includes('Cancelled: was stopped by hand'),
    );
    await (await row('Sources', 'Cancelled: was stopped by hand')).waitFor();
    await runtime.call('sources.delete', { id });
  });

  test('Show Logs writes what the source printed into a channel of its own', async () => {
    await (
      await weir()
    ).runtime.call('sources.deploy', {
      component_path: inWorkspace('components', 'every-hour.mjs'),
    });
    const shown = await row('Sources', 'Every hour');
    await menu(shown, 'Run Source Now');
    await (await row('Events', 'Run 1')).first().waitFor();
    await menu(shown, 'Show Logs of Source');
    const output = await until('the channel', () =>
      vscode.window.visibleTextEditors.find(({ document }) => document.uri.scheme === 'output'),
    );
    await until('the line', () => output.document.getText().includes('run 1'));
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  test('an event that dedupe dropped is a row that says why', async () => {
    const dropped = await row('Events', 'dropped: ');
    await dropped.first().waitFor();
    match(await dropped.first().innerText(), /Run 1 again/);
    await runCommand('Weir: Hide Dropped Events');
    await until('the row to go', async () => (await dropped.count()) === 0);
    await runCommand('Weir: Show Dropped Events');
    await dropped.first().waitFor();
  });

  test('Deploy of a deployed file offers Update first', async () => {
    await open(helloFile());
    await runCommand('Weir: Deploy Component…');
    const page = await workbench();
    const asked = page.locator('.quick-input-widget', { hasText: 'Is Deployed Already' });
    const first = asked.locator('.monaco-list-row').first();
    await first.waitFor();
    match(await first.innerText(), /Update Hello webhook/);
    await screenshot('deploy-deployed');
    await page.keyboard.press('Escape');
  });

  test('the Delete key deletes the selected rows, once confirmed', async function () {
    if (process.env['WEIR_TEST_MODALS'] !== '1') this.skip();
    const { endpoint_url: endpoint } = await hello();
    for (const id of [61, 62, 63]) await post(endpoint, { id, customer: 'Rosalind' });
    await (await row('Events', 'Order 63 from Rosalind')).click();
    await (await row('Events', 'Order 62 from Rosalind')).click({ modifiers: ['Shift'] });
    const page = await workbench();
    await page.keyboard.press('Delete');
    await confirm('Delete these 2 events?', 'Delete');
    const gone = await row('Events', 'Order 63 from Rosalind');
    await until('the rows to go', async () => (await gone.count()) === 0);
    await (await row('Events', 'Order 61 from Rosalind')).waitFor();
  });

  test('Compare Events shows two payloads of a source side by side', async () => {
    const { endpoint_url: endpoint } = await hello();
    await post(endpoint, { id: 21, customer: 'Emmy' });
    await post(endpoint, { id: 22, customer: 'Lise' });
    const newer = await row('Events', 'Order 22 from Lise');
    await newer.waitFor();
    await menu(newer, 'Compare Events');
    const page = await workbench();
    await page
      .locator('.tab.active', { hasText: 'Order 21 from Emmy ↔ Order 22 from Lise' })
      .waitFor();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('choosing a source filters the events, Show All takes the filter away', async () => {
    await (await row('Sources', 'Every hour')).click();
    const page = await workbench();
    await page.locator('.pane-header[aria-label^="Events"]', { hasText: 'Every hour' }).waitFor();
    await until(
      'the other events to go',
      async () => (await (await row('Events', 'Order')).count()) === 0,
    );
    await runCommand('Weir: Show Events of All Sources');
    await (await row('Events', 'Order 22 from Lise')).waitFor();
  });

  test('New Component writes a source that deploys', async () => {
    await runCommand('Weir: New Component…');
    await pick('New Component: what is it?', 'HTTP source');
    await answer('New Component: its name', 'Fresh one');
    await pick('New Component: where does fresh-one.mjs go?', 'components');
    const file = inWorkspace('components', 'fresh-one.mjs');
    await until('the file', () => existsSync(file));
    await until('the lens', async () => (await lenses()).includes('Deploy'));
    await runCommand('Weir: Deploy Component…');
    await (await row('Sources', 'Fresh one')).waitFor();
  });

  test('Delete asks first, and takes the lens back to Deploy', async function () {
    if (process.env['WEIR_TEST_MODALS'] !== '1') this.skip();
    await menu(await row('Sources', 'Fresh one'), 'Delete Source…');
    await confirm('Delete Fresh one?', 'Delete');
    await until(
      'the row to go',
      async () => (await (await row('Sources', 'Fresh one')).count()) === 0,
    );
    await open(inWorkspace('components', 'fresh-one.mjs'));
    await until('the lens', async () => {
      const shown = await lenses();
      return shown.includes('Deploy') && !shown.includes('Update');
    });
    await open(helloFile());
  });

  test('deploying what is no source says so', async () => {
    const file = inWorkspace('components', 'an-action.mjs');
    await writeFile(
      file,
      'export default { name: "Act", key: "act", version: "0.0.1", type: "action", async run() {} };',
    );
    await vscode.commands.executeCommand('weir.deploy', vscode.Uri.file(file));
    await notification(/an-action\.mjs is an action/);
    await vscode.commands.executeCommand('notifications.clearAll');
  });
});

suite('webhooks', () => {
  const atEnd = atEndOfSuite();
  let receiver: Receiver;
  suiteSetup(async () => {
    receiver = await startReceiver({ atEnd });
    await startAfresh();
    await hello();
  });

  test('created, subscribed, delivered, shown, sent again', async () => {
    await runCommand('Weir: Create Webhook…');
    await answer('Create Webhook', receiver.url);
    const toast = await notification(/signing secret can only be copied now/);
    await toast.getByText('Copy Signing Secret').click();
    await until('the secret', async () =>
      (await vscode.env.clipboard.readText()).startsWith('whsec_'),
    );
    const webhook = await row('Subscriptions', receiver.url);
    await webhook.waitFor();
    await menu(webhook, 'Create Subscription…');
    await pick('Create Subscription: Source', 'Hello webhook');
    await answer('Create Subscription', '');
    await (await row('Subscriptions', 'default channel')).waitFor();

    const { endpoint_url: endpoint } = await hello();
    await post(endpoint, { id: 31, customer: 'Katherine' });
    const delivery = await row('Subscriptions', 'Order 31 from Katherine');
    await (await row('Subscriptions', 'HTTP 200')).first().waitFor();
    strictEqual(receiver.received.length, 1);
    await delivery.click();
    await until('the delivery with its attempt', () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.uri.scheme === 'weir-delivery' && shown.getText().includes('"attempts": [');
    });
    await menu(delivery.first(), 'Redeliver');
    await until('the repetition', () => receiver.received.length === 2);
  });
});
