import * as vscode from 'vscode';
import { startReceiver, type Receiver } from './support/receiver.ts';
import { row, screenshot, waitFor, workbench } from './support/ui.ts';
import { hello, helloFile, inWorkspace, open, post, startAfresh, weir } from './support/weir.ts';

const themes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  'high-contrast-dark': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};

suite('looks', () => {
  let receiver: Receiver;
  suiteSetup(async () => {
    await startAfresh();
    receiver = await startReceiver();
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

  for (const [name, theme] of Object.entries(themes)) {
    test(`the side bar in ${name}`, async () => {
      const settings = vscode.workspace.getConfiguration('workbench');
      await settings.update('colorTheme', theme, vscode.ConfigurationTarget.Global);
      const page = await workbench();
      const wanted = name.includes('contrast') ? 'hc' : name === 'light' ? 'vs' : 'vs-dark';
      await waitFor('the theme', async () =>
        ((await page.locator('.monaco-workbench').getAttribute('class')) ?? '').includes(wanted),
      );
      await page.mouse.move(200, 110);
      await screenshot(`sidebar-${name}`);
    });
  }

  suiteTeardown(async () => {
    await receiver.close();
    const settings = vscode.workspace.getConfiguration('workbench');
    await settings.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
  });
});
