import { match, ok, strictEqual } from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { row } from './support/rows.ts';
import {
  answer,
  confirm,
  lens,
  pick,
  runCommand,
  screenshots,
  useTheme,
  workbench,
} from './support/ui.ts';
import { inWorkspace, open, post, startAfresh, weir } from './support/weir.ts';
import { pageTitled, unfold } from './support/workflows.ts';

const run = promisify(execFile);
const title = 'Import Workflows';

/** As git-sync writes it. */
const files = {
  'orders-p_AbC123/workflow.yaml': `schema: workflow/2022.04
name: Orders
triggers:
  - id: hi_pQr789
settings:
  error_notification: true
steps:
  - namespace: greeting
    runtime: nodejs20.x
    uses: ./greeting/entry.js
    props:
      customer: "{{steps.trigger.event.body.customer}}"
  - namespace: store
    runtime: nodejs20.x
    uses: ./store/entry.js
    props:
      shop:
        authProvisionId: apn_XyZ123
  - namespace: answer
    runtime: nodejs20.x
    uses: ./answer/entry.js
`,
  'orders-p_AbC123/.workflow.state':
    '# do not edit\n---\nschema: workflow.state/2022.04\nid: p_AbC123\n',
  'orders-p_AbC123/greeting/entry.js': `export default defineComponent({
  props: { customer: { type: "string" } },
  async run({ $ }) {
    $.export("$summary", \`A greeting for \${this.customer}\`);
    return \`Dear \${this.customer}, your order is here.\`;
  },
});
`,
  'orders-p_AbC123/store/entry.js': `export default defineComponent({
  props: { shop: { type: "app", app: "shop" } },
  async run({ steps }) {
    return { as: this.shop.$auth.user, order: steps.trigger.event.body.number };
  },
});
`,
  'orders-p_AbC123/answer/entry.js': `export default defineComponent({
  async run({ steps, $ }) {
    await $.respond({ status: 201, body: { said: steps.greeting.$return_value } });
  },
});
`,
  'nightly-p_DeF456/workflow.yaml': `schema: workflow/2022.04
name: Nightly report
triggers:
  - id: ti_StU321
steps:
  - namespace: count
    runtime: nodejs20.x
    uses: ./count/entry.js
    props:
      token: ghp_012345678901234567890123456789abcdef
      shop:
        authProvisionId: apn_XyZ123
`,
  'nightly-p_DeF456/count/entry.js': `export default defineComponent({
  props: { token: { type: "string" }, shop: { type: "app", app: "shop" } },
  async run() {
    return { sent: process.env.REPORT_TO };
  },
});
`,
};

/**
 * Somebody who moves in, by hand: an import, its questions, the report, the builder and the first execution.
 * Its pictures are those of docs/moving.md: `npm run test:editor -- "moving in"`, then copy
 * test-results/screenshots/moving into docs/images/moving.
 */
suite('moving in', () => {
  let origin: string;
  const orders = (...parts: string[]): string =>
    inWorkspace('acme-workflows', 'orders-p_AbC123', ...parts);
  suiteSetup(async () => {
    await startAfresh();
    await mkdir(path.join(screenshots, 'moving'), { recursive: true });
    origin = path.join(await mkdtemp(path.join(tmpdir(), 'weir-')), 'acme-workflows');
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(origin, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    const as = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-C', origin];
    await run('git', ['init', '-q', origin]);
    await run('git', [...as, 'add', '-A']);
    await run('git', [...as, 'commit', '-qm', 'x']);
    const { runtime } = await weir();
    for (const name of ['Main shop', 'Test shop']) {
      const credentials = { user: name.slice(0, 4).toLowerCase(), api_key: 'k-1' };
      await runtime.call('accounts.create', { app: 'shop', name, credentials });
    }
    await useTheme('dark');
  });
  suiteTeardown(async () => {
    const { runtime } = await weir();
    for (const { id } of (await runtime.call('accounts.list', { app: 'shop', limit: 100 })).data) {
      await runtime.call('accounts.delete', { id });
    }
    await useTheme(undefined);
    await startAfresh();
    await rm(path.dirname(origin), { recursive: true, force: true });
    await rm(inWorkspace('acme-workflows'), { recursive: true, force: true });
  });

  test('the command asks for a place, an account once, a schedule, and for secrets', async () => {
    const page = await workbench();
    await runCommand('Weir: Import Workflows…');
    const asked = page.locator('.quick-input-widget', { hasText: title });
    await asked.locator('.monaco-list-row', { hasText: 'REST API' }).waitFor();
    await question('command');
    await pick(title, 'Git repository…');
    await answer(title, `file://${origin}`);
    await asked.locator('.monaco-list-row', { hasText: 'Main shop' }).waitFor();
    const words = await asked.locator('input').first().getAttribute('placeholder');
    match(String(words), /and 1 more: which account takes the place of apn_XyZ123 of shop/);
    await question('account');
    await pick(title, 'Test shop');
    await page.locator('.quick-input-widget', { hasText: 'Nightly report' }).waitFor();
    await question('schedule');
    await answer(`${title}: Nightly report`, '0 9 * * 1-5 Europe/Berlin');
    await confirm('Nightly report has a secret in clear', 'Move');
  });

  test('what was answered stands in the files, and the report says what is left', async () => {
    const page = await workbench();
    await page.locator('.tab', { hasText: 'import-report.md' }).waitFor();
    await until('the preview', async () => {
      const texts = page.frames().map((frame) =>
        frame
          .locator('body')
          .innerText()
          .catch(() => ''),
      );
      return (await Promise.all(texts)).some((shown) => shown.includes('Needs an answer'));
    });
    await picture('report');
    const { runtime } = await weir();
    const { data } = await runtime.call('accounts.list', { app: 'shop', limit: 100 });
    const chosen = data.find(({ name }) => name === 'Test shop')?.id ?? '';
    for (const place of ['orders-p_AbC123', 'nightly-p_DeF456']) {
      const text = await readFile(inWorkspace('acme-workflows', place, 'workflow.yaml'), 'utf8');
      match(text, new RegExp(`authProvisionId: ${chosen}\\n`));
    }
  });

  test('it is seen in the builder, deployed and called', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await open(orders('workflow.yaml'));
    await (await lens('Deploy')).click();
    await (await row('Workflows', 'Orders')).first().waitFor();
    await (await lens('Open in Builder')).click();
    const page = await workbench();
    const builder = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await builder.locator('.head', { hasText: 'greeting' }).click();
    await builder.locator('[data-prop="customer"]').waitFor();
    await vscode.commands.executeCommand('notifications.clearAll');
    await picture('builder');
    const { runtime } = await weir();
    const { data } = await runtime.call('workflows.list', { limit: 100 });
    const endpoint = data.find(({ name }) => name === 'Orders')?.triggers[0]?.endpoint_url ?? '';
    const response = await post(endpoint, { customer: 'Ada', number: 1043 });
    strictEqual(response.status, 201);
    match(await response.text(), /Dear Ada/);
    await unfold('Orders');
    const execution = (await row('Workflows', 'POST /')).first();
    await execution.waitFor();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await execution.dblclick();
    const shown = await pageTitled('POST /');
    await shown.getByRole('treeitem', { name: /^greeting/ }).click();
    await shown.getByRole('tree', { name: 'Return value' }).getByText('Dear Ada').waitFor();
    await picture('execution');
  });
});

/** What is asked without the window around it: small, and readable in a page. */
async function question(name: string): Promise<void> {
  const page = await workbench();
  // Else the tooltip of what is below it lies over the words.
  await page.mouse.move(800, 600);
  await page.locator('.workbench-hover-container').waitFor({ state: 'detached' });
  const box = await page.locator('.quick-input-widget').boundingBox();
  ok(box !== null);
  const clip = { ...box, y: 0, height: box.y + box.height + 8 };
  await page.screenshot({ path: path.join(screenshots, 'moving', `${name}.png`), clip });
}

async function picture(name: string): Promise<void> {
  const page = await workbench();
  await page.screenshot({ path: path.join(screenshots, 'moving', `${name}.png`) });
}
