import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as vscode from 'vscode';
import manifest from '../../package.json' with { type: 'json' };
import { atEndOfSuite } from '../support/at-end.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { menu, pressOnRow, row, unfoldRow, unfoldView } from './support/rows.ts';
import { pick, runCommand, screenshot, themes, useTheme, workbench } from './support/ui.ts';
import { inWorkspace, runtimeFile, startAfresh, weir } from './support/weir.ts';

const title = 'Offer Actions to Agents';
const otherViews = ['Sources', 'Workflows', 'Events', 'Subscriptions'];

const order = (url: string) => `export default {
  name: 'Place Order', key: 'shop-place-order', type: 'action', version: '0.0.1',
  description: 'Places an order.',
  props: { shop: { type: 'app', app: 'shop' }, item: 'string' },
  async run({ $ }) {
    console.log('ordering', this.item);
    await fetch('${url}/orders', { method: 'POST', body: this.item });
    $.export('$summary', 'Ordered ' + this.item);
    return { ordered: this.item };
  },
};
`;
const look = `export default {
  name: 'Look at Prices', key: 'shop-look', type: 'action', version: '0.0.1',
  annotations: { readOnlyHint: true },
  props: { item: 'string' },
  run() { return 3; },
};
`;

suite('agents', () => {
  const atEnd = atEndOfSuite();
  let receiver: Receiver;
  let client: Client;
  suiteSetup(async () => {
    await startAfresh();
    receiver = await startReceiver({ atEnd });
    await writeFile(inWorkspace('components', 'place-order.mjs'), order(receiver.url));
    await writeFile(inWorkspace('components', 'look.mjs'), look);
    const { runtime } = await weir();
    for (const name of ['Main shop', 'Test shop']) {
      await runtime.call('accounts.create', { app: 'shop', name, credentials: { key: 'k-1' } });
    }
    const { url, apiKey } = await runtimeFile();
    client = new Client({ name: 'Helper', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', url), {
        requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
      }),
    );
    for (const view of otherViews) await unfoldView(view, false);
    await unfoldView('Agents');
  });
  suiteTeardown(async () => {
    await client.close();
    await useTheme(undefined);
    for (const view of otherViews) await unfoldView(view);
    await unfoldView('Agents', false);
    // Others choose among the accounts of the same app.
    const { runtime } = await weir();
    const { data } = await runtime.call('accounts.list', {});
    for (const { id, name } of data) {
      if (name.endsWith(' shop')) await runtime.call('accounts.delete', { id });
    }
    await startAfresh();
  });

  test('the view says what can be done, before anything was offered or asked', async () => {
    const page = await workbench();
    await page.locator('.welcome-view a', { hasText: `${title}…` }).waitFor();
  });

  test('actions are offered with an account and as dry runs, and are tools from then on', async () => {
    await runCommand(`Weir: ${title}…`);
    await check(title, ['place-order.mjs', 'look.mjs']);
    await pick(`${title}: Account of shop`, 'Test shop');
    await check(`${title}: Run for Real`, []);
    await (await row('Agents', 'components/place-order.mjs')).waitFor();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    deepStrictEqual(names.filter((name) => name.startsWith('shop-')).toSorted(), [
      'shop-look',
      'shop-place-order',
    ]);
    const answer = await client.callTool({ name: 'shop-place-order', arguments: { item: 'pen' } });
    match(JSON.stringify(answer), /dry_run/);
    deepStrictEqual(receiver.bodies(), []);
    // With the first call the view is built anew, and a menu that opens meanwhile closes.
    await (await row('Agents', 'Helper 1.0.0')).waitFor();
  });

  test('a row shows each action with its account; a dry run is turned off for one of them', async () => {
    await unfold('components/place-order.mjs');
    const shown = await row('Agents', 'dry run · Test shop');
    await shown.waitFor();
    await menu(shown, 'Turn Off Dry Run');
    await (await row('Agents', 'for real · may destroy · Test shop')).waitFor();
    await client.callTool({ name: 'shop-place-order', arguments: { item: 'ink' } });
    deepStrictEqual(receiver.bodies(), ['ink']);
    const { runtime } = await weir();
    const { data: accounts } = await runtime.call('accounts.list', {});
    const { data: runs } = await runtime.call('action_runs.list', {});
    const whole = await runtime.call('action_runs.get', { id: runs[0]?.id ?? '' });
    deepStrictEqual(whole.configured_props['shop'], {
      authProvisionId: accounts.find(({ name }) => name === 'Test shop')?.id,
    });
  });

  test('a run opens with its values, log, requests and exports', async () => {
    const run = (await row('Agents', 'shop-place-order')).filter({ hasText: 'Helper 1.0.0' });
    await until('the call and the run', async () => (await run.count()) === 3);
    await run.last().click();
    const text = await shownText(/^Place Order/);
    match(text, /Asked for by Helper 1\.0\.0/);
    match(text, /Values\n(.*\n)* {2}item: "ink"/);
    match(text, /\[info\] ordering ink/);
    match(text, /Requests\n {2}POST http\S+\/orders · 200/);
    match(text, /\$summary: "Ordered ink"/);
    match(text, /Returned\n {2}\{\n {4}"ordered": "ink"/);
    await screenshot('agents-run');
  });

  test('calls stand below with who asked, also those that were refused', async () => {
    const refused = await client.callTool({ name: 'shop-place-order', arguments: { shop: 1 } });
    strictEqual(refused.isError, true);
    const call = await row('Agents', 'refused · Helper 1.0.0');
    await call.waitFor();
    await call.click();
    match(
      await shownText(/^shop-place-order · Helper/),
      /Message\n {2}shop is not for you to give/,
    );
    const made = (await row('Agents', 'Helper 1.0.0')).nth(1);
    await pressOnRow(made, 'Show What It Made');
    await shownText(/^Place Order/);
  });

  for (const theme of themes.filter((one) => one !== 'high-contrast-light')) {
    test(`the view in ${theme}`, async () => {
      await useTheme(theme);
      await (await workbench()).mouse.move(700, 600);
      await screenshot(`agents-${theme}`);
    });
  }

  test('language models have the same tools; one that reads is called unasked', async () => {
    const wanted = manifest.contributes.languageModelTools.map(({ name }) => name);
    const known = vscode.lm.tools.map(({ name }) => name);
    deepStrictEqual(
      wanted.filter((name) => !known.includes(name)),
      [],
    );
    const token = { toolInvocationToken: undefined };
    const result = await vscode.lm.invokeTool('weir_list', {
      ...token,
      input: { what: 'accounts' },
    });
    const [part] = result.content;
    ok(part instanceof vscode.LanguageModelTextPart);
    match(part.value, /"untrusted":true/);
    match(part.value, /Main shop/);
    ok(!part.value.includes('k-1'));
    await rejects(
      async () => vscode.lm.invokeTool('weir_describe', { ...token, input: { id: 'dc_nosuch' } }),
      /dc_nosuch/,
    );
    const { runtime } = await weir();
    const { data } = await runtime.call('agent_calls.list', { limit: 2 });
    match(data[0]?.agent ?? '', /^Language models of this window/);
  });

  test('one that does more is confirmed first, with what it was given', async function () {
    if (process.env['WEIR_TEST_MODALS'] !== '1') this.skip();
    const input = {
      component_path: inWorkspace('components', 'look.mjs'),
      configured_props: { item: 'pen' },
    };
    const running = vscode.lm.invokeTool('weir_run_action', {
      toolInvocationToken: undefined,
      input,
    });
    const page = await workbench();
    const dialog = page.locator('.monaco-dialog-box', { hasText: 'Weir: Run an action' });
    await dialog.getByText('"item": "pen"').waitFor();
    await screenshot('agents-confirm');
    await dialog.locator('.monaco-button', { hasText: 'Yes' }).click();
    const [part] = (await running).content;
    ok(part instanceof vscode.LanguageModelTextPart);
    match(part.value, /"return_value":3/);
  });

  test('what is withdrawn is no tool any more', async () => {
    await menu(await row('Agents', 'components/look.mjs'), 'Withdraw Offer');
    await menu(await row('Agents', 'components/place-order.mjs'), 'Withdraw Offer');
    await (await row('Agents', 'Offered Actions')).filter({ hasText: 'none' }).waitFor();
    const { tools } = await client.listTools();
    ok(!tools.some(({ name }) => name.startsWith('shop-')));
  });
});

async function unfold(text: string): Promise<void> {
  await unfoldRow(await row('Agents', text));
}

/** Checks these rows of a quick pick, and accepts. */
async function check(shown: string, texts: readonly string[]): Promise<void> {
  const page = await workbench();
  const widget = page.locator('.quick-input-widget', { hasText: shown });
  await widget.locator('.monaco-list-row').first().waitFor();
  for (const text of texts) {
    const found = widget.locator('.monaco-list-row', { hasText: text });
    await found.click();
    await found.locator('[aria-checked="true"], .checked').first().waitFor();
  }
  const ok = widget.locator('.quick-input-action .monaco-button').first();
  await ok.click();
}

async function shownText(beginning: RegExp): Promise<string> {
  return until(`the document ${String(beginning)}`, () => {
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    return beginning.test(text) ? text : undefined;
  });
}
