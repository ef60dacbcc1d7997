import { ok, strictEqual } from 'node:assert';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import * as vscode from 'vscode';
import { form, submit } from './support/form.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { menu, pressOnRow, row } from './support/rows.ts';
import { lens, screenshots, useTheme, workbench } from './support/ui.ts';
import { edit, inWorkspace, open, post, runtimeFile, startAfresh, weir } from './support/weir.ts';

/**
 * The ways a person goes, with the pictures of the README: `npm run test:editor -- pictures`, then
 * copy test-results/screenshots/docs into docs/images.
 */
suite('pictures', () => {
  const atEnd = atEndOfSuite();
  let receiver: Receiver;
  let endpoint: string;
  const file = (): string => inWorkspace('orders.mjs');
  suiteSetup(async () => {
    receiver = await startReceiver({ atEnd });
    await startAfresh();
    await useTheme('light');
    await mkdir(path.join(screenshots, 'docs'), { recursive: true });
    await cp(path.join(process.env['WEIR_TEST_FIXTURES'] ?? '', '..', 'pictures'), inWorkspace(), {
      recursive: true,
    });
    const { runtime } = await weir();
    const account = { app: 'shop', name: 'Main shop', credentials: { api_key: 'k-1' } };
    await runtime.call('accounts.create', account);
    await open(file());
  });
  suiteTeardown(() => useTheme(undefined));

  test('deploy with a form, options that the component lists', async () => {
    await (await lens('Deploy')).click();
    const shown = await form('Deploy New orders');
    await chooseAccount(shown);
    await shown.getByRole('combobox', { name: 'Store' }).click();
    await shown.getByRole('option', { name: 'Lisbon' }).waitFor();
    await picture('form');
    await useTheme('high-contrast-dark');
    await shown.getByRole('option', { name: 'Lisbon' }).waitFor();
    await picture('form-high-contrast');
    await useTheme('light');
    await shown.getByRole('option', { name: 'Lisbon' }).click();
  });

  test('a choice that brings another field, and a secret', async () => {
    const shown = await form('Deploy New orders');
    await shown.getByRole('combobox', { name: 'Which orders' }).click();
    await shown.getByRole('option', { name: 'Large ones' }).click();
    await shown.getByLabel('Least amount', { exact: true }).fill('100');
    await shown.getByLabel('Signing key').fill('not to be seen');
    await shown.getByLabel('Least amount', { exact: true }).scrollIntoViewIfNeeded();
    await picture('form-dynamic');
    await submit(shown);
    await (await row('Sources', 'New orders')).waitFor();
    ({ endpoint } = await deployed());
  });

  test('events as they come, one of them in the inspector', async () => {
    const { id } = await deployed();
    const { runtime } = await weir();
    const webhook = await runtime.call('webhooks.create', { url: receiver.url, name: 'Warehouse' });
    await runtime.call('subscriptions.create', { emitter_id: id, listener_id: webhook.id });
    for (const [n, customer] of ['Ada', 'Grace', 'Hedy', 'Katherine'].entries()) {
      await post(endpoint, order(1040 + n, customer));
    }
    const newest = await row('Events', 'Order 1043');
    await newest.waitFor();
    await open(file());
    await (await row('Subscriptions', 'HTTP 200')).first().waitFor();
    await (await lens('4 events')).waitFor();
    await quiet();
    await picture('side-bar');
    await pressOnRow(newest, 'Inspect Event');
    const inspected = await framed('Order 1043');
    await inspected.getByText('1 of 1 delivered').waitFor();
    await quiet();
    await useTheme('dark');
    await picture('inspector-dark');
    await useTheme('light');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('compare with the event before', async () => {
    await menu(await row('Events', 'Order 1043'), 'Compare Events');
    const page = await workbench();
    await page.locator('.tab.active', { hasText: '↔' }).waitFor();
    await page.locator('.char-insert').first().waitFor();
    await quiet();
    await picture('compare');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('replay runs a request again', async () => {
    const before = (await deployed()).events;
    await menu(await row('Events', 'Order 1042'), 'Replay…');
    const page = await workbench();
    const run = page.locator('.quick-input-widget .monaco-list-row[aria-label^="Run"]');
    await run.waitFor();
    await picture('replay');
    await run.click();
    await until('another run', async () => (await deployed()).events > before);
  });

  test('Update in the lens when the code differs', async () => {
    await open(file());
    await edit(file(), (text) => text.replace('`Order ${', '`New order ${'));
    await vscode.commands.executeCommand('workbench.action.files.save');
    await (await lens('Update')).waitFor();
    await quiet();
    await picture('lens-update');
    await (await lens('Update')).click();
    await (await lens('Dev mode')).waitFor();
    await post(endpoint, order(1050, 'Rosa'));
    await (await row('Events', 'New order 1050')).waitFor();
  });

  test('a webhook that fails, and its deliveries sent again', async () => {
    receiver.answer = () => ({ status: 410 });
    await post(endpoint, order(1051, 'Lise'));
    const exhausted = await row('Subscriptions', 'exhausted');
    await exhausted.first().waitFor();
    await exhausted.first().hover();
    await picture('redeliver');
    receiver.answer = () => ({ status: 200 });
    await menu(await row('Subscriptions', 'Warehouse'), 'Redeliver');
    await until('nothing to be exhausted', async () => (await exhausted.count()) === 0);
  });

  test('a runtime that is killed comes back', async () => {
    const { pid } = await runtimeFile();
    process.kill(pid, 'SIGKILL');
    await until('another one', async () => {
      const now = await runtimeFile().catch(() => undefined);
      return now !== undefined && now.pid !== pid && (await weir()).runtime.url === now.url;
    });
    await post(endpoint, order(1060, 'Emmy'));
    await (await row('Events', 'New order 1060')).waitFor();
    await (await row('Events', 'Order 1043')).waitFor();
    strictEqual((await deployed()).endpoint, endpoint);
    await quiet();
    await picture('back-again');
  });
});

function order(id: number, customer: string): object {
  return {
    id,
    customer,
    total: 120 + (id % 7) * 15,
    items: [{ sku: `weir-${id % 3}`, count: 1 + (id % 2) }],
  };
}

async function deployed(): Promise<{ id: string; endpoint: string; events: number }> {
  const { runtime } = await weir();
  const [source] = (await runtime.call('sources.list', {})).data;
  ok(source?.endpoint_url, 'it is deployed');
  const { page_info: page } = await runtime.call('events.list', { id: source.id });
  return { id: source.id, endpoint: source.endpoint_url, events: page.total_count };
}

async function chooseAccount(shown: FrameLocator): Promise<void> {
  const account = shown.getByLabel('Shop account', { exact: true });
  await account.selectOption({ label: 'Main shop' });
}

/** The page of the inspector, once it shows this. */
async function framed(title: string): Promise<Locator> {
  const page = await workbench();
  return until(`the inspector of ${title}`, async () => {
    for (const frame of page.frames()) {
      const body = frame.locator('body', { has: frame.locator('h1', { hasText: title }) });
      if ((await body.count()) > 0) return body;
    }
    return undefined;
  });
}

/** Nothing in front, nothing under the pointer. */
async function quiet(): Promise<void> {
  await vscode.commands.executeCommand('notifications.clearAll');
  const page = await workbench();
  await page.mouse.move(900, 790);
}

async function picture(name: string): Promise<void> {
  const page = await workbench();
  await page.screenshot({ path: path.join(screenshots, 'docs', `${name}.png`) });
}
