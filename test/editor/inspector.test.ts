import { match, strictEqual } from 'node:assert';
import type { Frame } from 'playwright-core';
import * as vscode from 'vscode';
import { atEndOfSuite } from '../support/at-end.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { menu, pressOnRow, row } from './support/rows.ts';
import { screenshot, workbench } from './support/ui.ts';
import { hello, post, startAfresh, weir } from './support/weir.ts';

suite('the inspector', () => {
  const atEnd = atEndOfSuite();
  let receiver: Receiver;
  let endpoint: string;
  suiteSetup(async () => {
    receiver = await startReceiver({ atEnd });
  });
  setup(async () => {
    await startAfresh();
    const source = await hello();
    endpoint = source.endpoint_url;
    const { runtime } = await weir();
    const webhook = await runtime.call('webhooks.create', { url: receiver.url, name: 'Warehouse' });
    await runtime.call('subscriptions.create', { emitter_id: source.id, listener_id: webhook.id });
    await post(`${endpoint}/orders?test=1`, { id: 61, customer: 'Ada' });
    await post(endpoint, { id: 62, customer: 'Grace' });
  });

  test('opens with a click, and the arrow keys of the list take it along', async () => {
    const page = await workbench();
    await (await row('Events', 'Order 62 from Grace')).click();
    await inspector('Order 62 from Grace');
    await page.keyboard.press('ArrowDown');
    const frame = await inspector('Order 61 from Ada');
    const selected = async (title: string): Promise<string> =>
      (await (await row('Events', title)).getAttribute('class')) ?? '';
    match(await selected('Order 61 from Ada'), /selected/);
    await frame.getByRole('button', { name: 'Newer' }).click();
    await inspector('Order 62 from Grace');
    await until('its row to be selected', async () =>
      /selected/.test(await selected('Order 62 from Grace')),
    );
  });

  test('says that it has copied, and finds text', async () => {
    const frame = await inspect('Order 62 from Grace');
    await frame.getByRole('button', { name: 'Copy JSON' }).click();
    await frame.getByText('Copied', { exact: true }).waitFor();
    const page = await workbench();
    await page.keyboard.press('ControlOrMeta+f');
    await page.locator('.webview-find-widget.visible, .simple-find-part.visible').waitFor();
    await page.keyboard.press('Escape');
  });

  test('opens from the row of an event and shows all that is known of it', async () => {
    const frame = await inspect('Order 61 from Ada');
    await frame.getByText('POST /orders', { exact: true }).waitFor();
    await frame.getByText('customer: "Ada"').first().waitFor();
    await frame.getByText('1 of 1 delivered').waitFor();
    await screenshot('inspector');
  });

  test('goes to the next event, takes what comes, and compares', async () => {
    const frame = await inspect('Order 61 from Ada');
    await frame.getByRole('button', { name: 'Newer' }).click();
    await frame.locator('h1', { hasText: 'Order 62 from Grace' }).waitFor();
    const newer = frame.getByRole('button', { name: 'Newer' });
    await until('none to be newer', async () => !(await newer.isEnabled()));
    await post(endpoint, { id: 63, customer: 'Hedy' });
    await until('the newer one', () => newer.isEnabled());
    await frame.getByRole('button', { name: 'Compare with Previous' }).click();
    const page = await workbench();
    await page
      .locator('.tab.active', { hasText: 'Order 61 from Ada ↔ Order 62 from Grace' })
      .waitFor();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('copies the request as a command that sends it again', async () => {
    const frame = await inspect('Order 62 from Grace');
    await frame.getByRole('button', { name: 'Copy as cURL' }).click();
    const command = await until('the clipboard', async () => {
      const text = await vscode.env.clipboard.readText();
      return text.startsWith('curl ') ? text : undefined;
    });
    match(command, /-X POST 'http:\/\/127\.0\.0\.1:\d+\/h\/hi_\w+\/?' .*"id":62/);
  });

  test('sends a delivery again and shows the attempt', async () => {
    const frame = await inspect('Order 62 from Grace');
    await frame.getByText('1 of 1 delivered').waitFor();
    const before = receiver.received.length;
    await frame.getByRole('button', { name: 'Redeliver' }).click();
    await frame.getByText('Attempt 2').waitFor();
    strictEqual(receiver.received.length, before + 1);
  });

  test('opens beside the JSON document of an event', async () => {
    await menu(await row('Events', 'Order 62 from Grace'), 'Open Event as JSON');
    await until(
      'the document',
      () => vscode.window.activeTextEditor?.document.uri.scheme === 'weir-event',
    );
    await vscode.commands.executeCommand(
      'weir.inspectEvent',
      vscode.window.activeTextEditor?.document.uri,
    );
    await inspector('Order 62 from Grace');
  });
});

/** Opens the page from the row of an event. That of an earlier test, which showed the same title, goes in its own time. */
async function inspect(title: string): Promise<Frame> {
  await until(
    'the pages of earlier tests to be gone',
    async () => (await pageOf(title)) === undefined,
  );
  await pressOnRow(await row('Events', title), 'Inspect Event');
  return inspector(title);
}

/** The page, once it shows this event. */
async function inspector(title: string): Promise<Frame> {
  return until(`the inspector of ${title}`, () => pageOf(title));
}

async function pageOf(title: string): Promise<Frame | undefined> {
  const page = await workbench();
  for (const frame of page.frames()) {
    // One that goes while it is looked at shows nothing.
    const shown = await frame
      .locator('h1', { hasText: title })
      .count()
      .catch(() => 0);
    if (shown > 0) return frame;
  }
  return undefined;
}
