import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { menu, row, rows, unfoldRow } from './support/rows.ts';
import { answer, confirm, runCommand, screenshot, workbench } from './support/ui.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { hello, post, startAfresh, weir } from './support/weir.ts';

suite('the trees', () => {
  const atEnd = atEndOfSuite();
  let receiver: Receiver;
  let endpoint: string;
  let id: string;
  suiteSetup(async () => {
    receiver = await startReceiver({ atEnd });
    await startAfresh();
    ({ endpoint_url: endpoint, id } = await hello());
    for (const [n, customer] of ['Ada', 'Grace', 'Hedy', 'Ada'].entries()) {
      await post(endpoint, { id: 50 + n, customer });
    }
    await (await row('Events', 'Order 53 from Ada')).waitFor();
  });

  test('a source unfolds its runs, with what came of each', async () => {
    const source = await row('Sources', 'Hello webhook');
    await unfoldRow(source);
    const run = await row('Sources', '1 event · ');
    await run.first().waitFor();
    match(await run.first().innerText(), /^POST \/\s*1 event · \d+ ms · /);
    await post(endpoint, { id: 54, customer: 'Emmy' });
    await until('the new run', async () => (await run.count()) === 5);
  });

  test('a click on a run shows what it printed and emitted', async () => {
    const runs = await row('Sources', '1 event · ');
    await until('the newest run', async () => (await runs.count()) === 5);
    await runs.first().click();
    const { document } = await until('the run', () =>
      vscode.window.visibleTextEditors.find(({ document: one }) => one.uri.scheme === 'weir-run'),
    );
    match(document.getText(), /^POST \/ · Hello webhook · inv_\d+\n/);
    match(document.getText(), /Order 54 from Emmy/);
  });

  test('Search Events finds words of the payload, and goes on finding', async () => {
    await runCommand('Weir: Search Events…');
    await answer('Search Events', 'ada');
    await until('the hits', async () => (await rows('Events')).length === 2);
    const page = await workbench();
    await page.locator('.pane-header[aria-label^="Events"]', { hasText: '“ada”' }).waitFor();
    await post(endpoint, { id: 55, customer: 'Ada' });
    await (await row('Events', 'Order 55 from Ada')).waitFor();
    await post(endpoint, { id: 56, customer: 'Rosa' });
    strictEqual((await rows('Events')).length, 3);
    await runCommand('Weir: Show Events of All Sources');
    await (await row('Events', 'Order 56 from Rosa')).waitFor();
  });

  test('what is selected stays selected while events come', async () => {
    // The newest one, and few that push it down: what is out of sight has no row.
    await (await row('Events', 'Order 56 from Rosa')).click();
    const selected = await row('Events', 'Order 56 from Rosa');
    for (let n = 2; n < 4; n++) await post(endpoint, { id: 100 + n, customer: 'Flood' });
    await (await row('Events', 'Order 103')).waitFor();
    match((await selected.getAttribute('class')) ?? '', /selected/);
  });

  test('what is read stays where it is while events come', async () => {
    for (let n = 4; n < 60; n++) await post(endpoint, { id: 100 + n, customer: 'Flood' });
    await (await row('Events', 'Order 159')).waitFor();
    const read = await row('Events', 'Order 130');
    const page = await workbench();
    await (await row('Events', 'Order 159')).hover();
    await until('the row to be scrolled to', async () => {
      if ((await read.count()) > 0) return true;
      await page.mouse.wheel(0, 100);
      return false;
    });
    await read.click();
    const place = async (): Promise<number> => Math.round((await read.boundingBox())?.y ?? 0);
    const before = await place();
    for (let n = 60; n < 63; n++) await post(endpoint, { id: 100 + n, customer: 'Flood' });
    await page.locator('.pane-header[aria-label^="Events"]', { hasText: '3 new' }).waitFor();
    strictEqual(await place(), before);
    await runCommand('Weir: Show New Events');
    await (await row('Events', 'Order 162')).waitFor();
  });

  test('several events are deleted at once, and only those', async function () {
    if (process.env['WEIR_TEST_MODALS'] !== '1') this.skip();
    await (await row('Events', 'Order 161')).click();
    await (await row('Events', 'Order 159')).click({ modifiers: ['Shift'] });
    await menu(await row('Events', 'Order 160'), 'Delete Events…');
    await confirm('Delete these 3 events?', 'Delete');
    await until(
      'the rows to go',
      async () => (await (await row('Events', 'Order 160')).count()) === 0,
    );
    await (await row('Events', 'Order 162')).waitFor();
    await (await row('Events', 'Order 158')).waitFor();
    const { data } = await (await weir()).runtime.call('events.list', { id, limit: 5 });
    deepStrictEqual(
      data.map(({ metadata }) => metadata.id),
      ['162', '158', '157', '156', '155'],
    );
  });

  test('a source that is dropped on a webhook is listened to', async () => {
    const { runtime } = await weir();
    await runtime.call('webhooks.create', { url: receiver.url, name: 'Warehouse' });
    const webhook = await row('Subscriptions', 'Warehouse');
    await webhook.waitFor();
    const source = (await row('Sources', 'Hello webhook')).first();
    await source.dragTo(webhook.first());
    await (await row('Subscriptions', 'default channel')).waitFor();
    const { data } = await runtime.call('subscriptions.list', {});
    strictEqual(data[0]?.emitter_id, id);
  });

  test('a webhook that fails says so, and everything exhausted is sent again at once', async () => {
    receiver.answer = () => ({ status: 410 });
    await post(endpoint, { id: 200, customer: 'Lise' });
    await post(endpoint, { id: 201, customer: 'Marie' });
    await (await row('Subscriptions', '2 exhausted')).waitFor();
    const page = await workbench();
    await page.locator('.activitybar .badge-content', { hasText: '2' }).waitFor();
    await screenshot('given-up');
    receiver.answer = () => ({ status: 200 });
    await menu(await row('Subscriptions', 'Warehouse'), 'Redeliver');
    await until('nothing to be exhausted', async () => {
      return (await (await row('Subscriptions', 'exhausted')).count()) === 0;
    });
    ok(receiver.bodies().filter((body) => body.includes('Lise')).length >= 2);
  });
});
