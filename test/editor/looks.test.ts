import { atEndOfSuite } from '../support/at-end.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import * as vscode from 'vscode';
import { form } from './support/form.ts';
import { pressOnRow, row } from './support/rows.ts';
import { screenshot, themes, useTheme, workbench } from './support/ui.ts';
import { hello, helloFile, inWorkspace, open, post, startAfresh, weir } from './support/weir.ts';

suite('looks', () => {
  const atEnd = atEndOfSuite();
  let receiver: Receiver;
  suiteSetup(async () => {
    await startAfresh();
    receiver = await startReceiver({ atEnd });
    const { runtime } = await weir();
    const { endpoint_url: endpoint, id } = await hello();
    await runtime.call('sources.deploy', {
      component_path: inWorkspace('components', 'every-hour.mjs'),
    });
    const webhook = await runtime.call('webhooks.create', {
      url: receiver.url,
      name: 'Warehouse',
    });
    await runtime.call('subscriptions.create', { emitter_id: id, listener_id: webhook.id });
    for (const [n, customer] of ['Ada', 'Grace', 'Hedy'].entries()) {
      await post(endpoint, { id: 40 + n, customer, items: [{ sku: 'weir-1', count: 2 }] });
    }
    await open(helloFile());
    await (await row('Sources', 'Every hour')).waitFor();
    await (await row('Subscriptions', 'Warehouse')).waitFor();
  });

  for (const theme of themes) {
    test(`the side bar in ${theme}`, async () => {
      await useTheme(theme);
      const page = await workbench();
      await page.mouse.move(200, 110);
      await screenshot(`sidebar-${theme}`);
    });

    test(`the inspector in ${theme}`, async () => {
      await useTheme(theme);
      const shown = await row('Events', 'Order 42 from Hedy');
      await pressOnRow(shown, 'Inspect Event');
      const frame = await form('Order 42 from Hedy');
      await frame.getByText('1 of 1 delivered').waitFor();
      const current = frame.locator('.json').nth(2);
      await current.click();
      await current.hover();
      await screenshot(`editor-inspector-${theme}`);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    });
  }

  suiteTeardown(() => useTheme(undefined));
});
