import { ok, strictEqual } from 'node:assert';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { gitRepository, type TestRepository } from '../support/git.ts';
import { until } from '../support/until.ts';
import { builderOf } from './support/builder.ts';
import { submit, form } from './support/form.ts';
import { row } from './support/rows.ts';
import {
  answer,
  confirm,
  lens,
  notification,
  pick,
  runCommand,
  screenshot,
  useTheme,
  workbench,
} from './support/ui.ts';
import { inWorkspace, open, startAfresh, weir } from './support/weir.ts';

const title = 'Browse Components';

suite('components of others', () => {
  let place: string;
  let canary: string;
  let commit: TestRepository['commit'];
  suiteSetup(async () => {
    await startAfresh();
    place = await mkdtemp(path.join(tmpdir(), 'weir-registry-'));
    canary = path.join(place, 'canary');
    const repository = await gitRepository(place, 'components');
    const { url } = repository;
    commit = repository.commit;
    await commit({
      'acme/acme.app.mjs': `export default { type: 'app', app: 'acme' };`,
      'acme/package.json': '{"name": "@acme/acme", "version": "1.0.0", "license": "MIT"}',
      'acme/README.md': '# Acme\n\nOrders of the shop.',
      'acme/sources/new-order/new-order.mjs': `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(canary)}, 'ran');
export default {
  key: 'acme-new-order', name: 'New Acme Order', version: '0.2.0', type: 'source',
  description: 'Emits each order that is placed.',
  props: { store: { type: 'string', label: 'Store', default: 'Lisbon' }, db: '$.service.db' },
  run() { fetch('https://api.acme.test/orders'); },
};`,
      'acme/actions/ship-order/ship-order.mjs': shipOrder('0.1.0'),
    });
    const { runtime } = await weir();
    await runtime.call('registries.add', { place: url });
  });
  suiteTeardown(async () => {
    await useTheme(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(place, { recursive: true, force: true });
    await rm(inWorkspace('weir.lock.json'), { force: true });
    await rm(inWorkspace('weir'), { recursive: true, force: true });
    await startAfresh();
  });

  async function list() {
    await runCommand('Weir: Browse Components…');
    const page = await workbench();
    const shown = page.locator('.quick-input-widget', { hasText: title });
    await shown.locator('.monaco-list-row', { hasText: 'New Acme Order' }).waitFor();
    return shown;
  }

  test('a list that filters, and a page with props, versions and README; nothing of it runs', async () => {
    const shown = await list();
    await shown.locator('input[type=text]').fill('@action');
    const hit = shown.locator('.monaco-list-row', { hasText: 'Ship Order' });
    await hit.waitFor();
    await shown
      .locator('.monaco-list-row', { hasText: 'New Acme Order' })
      .waitFor({ state: 'detached' });
    await shown.locator('input[type=text]').fill('order');
    await shown.locator('.monaco-list-row', { hasText: 'New Acme Order' }).waitFor();
    for (const theme of ['light', 'dark', 'high-contrast-dark'] as const) {
      await useTheme(theme);
      await screenshot(`registry-list-${theme}`);
    }
    await pick(title, 'New Acme Order');
    await pick('New Acme Order', 'Show Page');
    const page = await workbench();
    await until('the page', async () => {
      const frames = page.frames().map((frame) =>
        frame
          .locator('body')
          .innerText()
          .catch(() => ''),
      );
      const texts = await Promise.all(frames);
      return texts.some((text) => text.includes('Orders of the shop.') && text.includes('0.2.0'));
    });
    for (const theme of ['light', 'dark', 'high-contrast-dark'] as const) {
      await useTheme(theme);
      await screenshot(`registry-page-${theme}`);
    }
    await useTheme(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    ok(!existsSync(canary), 'it was run');
  });

  test('clauses 12 and 14: deploying asks first; a no runs nothing, a yes opens the form', async () => {
    await list();
    await pick(title, 'New Acme Order');
    await pick('New Acme Order', 'Deploy…');
    const page = await workbench();
    const dialog = page.locator('.monaco-dialog-box', { hasText: 'to run with your rights?' });
    await dialog.waitFor();
    const text = await dialog.innerText();
    for (const said of ['MIT', 'api.acme.test', 'acme-new-order']) ok(text.includes(said), text);
    await screenshot('registry-question');
    await confirm('to run with your rights?', 'Cancel');
    ok(!existsSync(canary), 'it was run');
    ok(!existsSync(inWorkspace('weir.lock.json')), 'it was locked');
    await notification(/Nothing of acme-new-order 0\.2\.0.* was run.*you did not allow it/);
    await vscode.commands.executeCommand('notifications.clearAll');

    await list();
    await pick(title, 'New Acme Order');
    await pick('New Acme Order', 'Deploy…');
    await confirm('to run with your rights?', 'Allow');
    const shown = await form('Deploy New Acme Order');
    await submit(shown);
    await (await row('Sources', 'New Acme Order')).waitFor();
    const lock = await readFile(inWorkspace('weir.lock.json'), 'utf8');
    ok(lock.includes('acme-new-order'), lock);
    const { runtime } = await weir();
    const { data } = await runtime.call('sources.list', {});
    strictEqual(data.filter(({ component_key: key }) => key === 'acme-new-order').length, 1);
  });

  test('`uses` of a step: keys and versions are completed, a hover explains; what is no reference keeps its sentence', async () => {
    const place = inWorkspace('shipping', 'workflow.yaml');
    await mkdir(path.dirname(place), { recursive: true });
    const step = (uses: string): string =>
      `schema: workflow/2022.04\nname: Shipping\ntriggers:\n  - uses: $.interface.http\nsteps:\n  - namespace: ship\n    uses: ${uses}\n`;
    await writeFile(place, step('acme-nowhere'));
    const { document } = await open(place);
    await until('the sentence', (seen) =>
      seen(vscode.languages.getDiagnostics(document.uri).map(({ message }) => message)).some(
        (message) => message.includes("needs a version behind the component's key"),
      ),
    );
    const page = await workbench();
    const cursor = document.positionAt(document.getText().indexOf('acme-nowhere'));
    const end = cursor.translate(0, 'acme-nowhere'.length);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(cursor, end);
    await page
      .locator('.editor-group-container.active .view-lines')
      .first()
      .focus()
      .catch(() => 0);
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    await page.keyboard.type('acme-sh');
    const labels = async (behind: number): Promise<string[]> => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        cursor.translate(0, behind),
      );
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    // Another text would be another question, and take the place of this one.
    await until('what was typed', (seen) => seen(document.getText()) === step('acme-sh'));
    await until('what it may become', async (seen) =>
      seen(await labels('acme-sh'.length)).includes('acme-ship-order@0.1.0'),
    );
    const offered = page.locator('.suggest-widget.visible .monaco-list-row', {
      hasText: 'acme-ship-order@0.1.0',
    });
    await offered.waitFor();
    for (const theme of ['light', 'dark', 'high-contrast-dark'] as const) {
      await useTheme(theme);
      await screenshot(`registry-uses-${theme}`);
    }
    await useTheme(undefined);
    await page.keyboard.press('Enter');
    await until(
      'the reference',
      (seen) => seen(document.getText()) === step('acme-ship-order@0.1.0'),
    );
    await until('its versions', async (seen) =>
      seen(await labels('acme-ship-order@'.length)).includes('acme-ship-order@0.1.0'),
    );
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      cursor.translate(0, 3),
    );
    const said = hovers
      .flatMap(({ contents }) => contents.map((one) => (one as vscode.MarkdownString).value))
      .join('\n');
    ok(said.includes('Ship Order') && said.includes('MIT'), said);
    editor.selection = new vscode.Selection(cursor.translate(0, 3), cursor.translate(0, 3));
    await vscode.commands.executeCommand('editor.action.showHover');
    await page.locator('.monaco-hover', { hasText: 'Ship Order' }).first().waitFor();
    await screenshot('registry-uses-hover');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await rm(path.dirname(place), { recursive: true, force: true });
  });

  test('the builder adds a component of a registry after the question, and locks it; a no adds nothing', async () => {
    const file = inWorkspace('packing', 'workflow.yaml');
    await mkdir(path.dirname(file), { recursive: true });
    const begun =
      'schema: workflow/2022.04\nname: Shipping\ntriggers:\n  - uses: $.interface.http\n';
    await writeFile(file, begun);
    await rm(inWorkspace('weir.lock.json'), { force: true });
    await trustAnew();
    const { frame: opened, text, says } = builderOf(file);
    await open(file);
    await (await lens('Open in Builder')).click();
    const frame = await opened();
    const choose = async (): Promise<void> => {
      await frame.getByRole('button', { name: 'Add step to the end' }).click();
      await frame.getByRole('textbox', { name: 'Search steps' }).fill('ship');
      await frame.getByRole('button', { name: 'acme', exact: true }).click();
      await frame.getByRole('button', { name: 'acme-ship-order@0.1.0' }).waitFor();
    };
    await choose();
    for (const theme of ['light', 'dark', 'high-contrast-dark'] as const) {
      await useTheme(theme);
      await screenshot(`registry-builder-${theme}`);
    }
    await useTheme(undefined);
    await frame.getByRole('button', { name: 'acme-ship-order@0.1.0' }).click();
    await confirm('to run with your rights?', 'Cancel');
    await frame.getByText('acme-ship-order@0.1.0 was not added').waitFor();
    strictEqual(text(), begun);
    ok(!existsSync(inWorkspace('weir.lock.json')), 'it was locked');

    await choose();
    await frame.getByRole('button', { name: 'acme-ship-order@0.1.0' }).click();
    await confirm('to run with your rights?', 'Allow');
    await says(/uses: acme-ship-order@0\.1\.0/);
    ok((await readFile(inWorkspace('weir.lock.json'), 'utf8')).includes('acme-ship-order'));
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await rm(path.dirname(file), { recursive: true, force: true });
  });

  test('a newer version stands above the code; its diff leads to the update, and sources go over', async () => {
    const { runtime } = await weir();
    await trustAnew();
    await rm(inWorkspace('weir.lock.json'), { force: true });
    const added = runtime.call('components.add', { reference: 'acme-new-order' });
    await confirm('to run with your rights?', 'Allow');
    const { path: code } = await added;
    await commit({
      'acme/sources/new-order/new-order.mjs': `export default {
  key: 'acme-new-order', name: 'New Acme Order', version: '0.3.0', type: 'source',
  description: 'Emits each order that is placed.',
  props: { store: { type: 'string', label: 'Store', default: 'Lisbon' }, db: '$.service.db' },
  run() { fetch('https://eu.acme.test/orders'); },
};`,
      'acme/actions/ship-order/ship-order.mjs': shipOrder('0.2.0'),
    });
    await open(code);
    const newer = await lens('0.3.0 available (0.2.0)');
    for (const theme of ['light', 'dark', 'high-contrast-dark'] as const) {
      await useTheme(theme);
      await screenshot(`registry-newer-${theme}`);
    }
    await newer.click();
    const page = await workbench();
    const toUpdate = page.locator('.editor-actions a[aria-label^="Update Component"]');
    await toUpdate.waitFor();
    await page.locator('.monaco-diff-editor', { hasText: 'eu.acme.test' }).waitFor();
    for (const theme of ['light', 'dark', 'high-contrast-dark'] as const) {
      await useTheme(theme);
      await screenshot(`registry-diff-${theme}`);
    }
    await useTheme(undefined);
    await toUpdate.click();
    const question = page.locator('.monaco-dialog-box', { hasText: 'from 0.2.0 to 0.3.0?' });
    const asked = await question.innerText();
    for (const said of ['eu.acme.test', 'New Acme Order']) ok(asked.includes(said), asked);
    await screenshot('registry-update');
    await confirm('from 0.2.0 to 0.3.0?', 'Cancel');
    ok(
      (await readFile(inWorkspace('weir.lock.json'), 'utf8')).includes('"0.2.0"'),
      'it was updated',
    );
    await toUpdate.click();
    await confirm('from 0.2.0 to 0.3.0?', 'Update');
    // Its text names another host than what was allowed.
    await confirm('to run with your rights?', 'Allow');
    await notification('acme-new-order 0.3.0 is locked, and runs in New Acme Order.');
    const { data } = await runtime.call('sources.list', {});
    const source = data.find(({ component_key: key }) => key === 'acme-new-order');
    ok(
      (await readFile(source?.path ?? '', 'utf8')).includes("version: '0.3.0'"),
      source?.path ?? '',
    );
    strictEqual(await page.locator('.monaco-diff-editor').count(), 0);
  });

  test('`uses` of a workflow tells of a newer version and of one taken back; update and eject change the text', async () => {
    const file = inWorkspace('sending', 'workflow.yaml');
    await mkdir(path.dirname(file), { recursive: true });
    const step = (uses: string): string =>
      `schema: workflow/2022.04\nname: Shipping\ntriggers:\n  - uses: $.interface.http\nsteps:\n  - namespace: ship\n    uses: ${uses}\n`;
    await writeFile(file, step('acme-ship-order@0.1.0'));
    const { runtime } = await weir();
    await runtime.call('components.add', { reference: 'acme-ship-order@0.1.0' });
    const { document } = await open(file);
    await (await lens('0.2.0 available (0.1.0)')).click();
    const page = await workbench();
    await page.locator('.editor-actions a[aria-label^="Update Component"]').click();
    await confirm('Update acme-ship-order from 0.1.0 to 0.2.0?', 'Update');
    await until(
      'the newer version',
      (seen) => seen(document.getText()) === step('acme-ship-order@0.2.0'),
    );
    await document.save();

    await commit({ 'acme/actions/ship-order/ship-order.mjs': null });
    // The registries are asked again when the lock changes.
    const lock = await readFile(inWorkspace('weir.lock.json'), 'utf8');
    await writeFile(inWorkspace('weir.lock.json'), lock);
    await (await lens('0.2.0 was unpublished')).click();
    const shown = await notification('0.2.0 was unpublished');
    await screenshot('registry-unpublished');
    await shown.getByRole('button', { name: 'Eject…' }).click();
    await confirm('Make acme-ship-order 0.2.0 your own?', 'Eject');
    await until('a file of its own', (seen) =>
      seen(document.getText()).includes('uses: ../acme-ship-order/'),
    );
    const [, own = ''] = /uses: (\.\S+)/.exec(document.getText()) ?? [];
    ok((await readFile(path.join(path.dirname(file), own), 'utf8')).includes("version: '0.2.0'"));
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await rm(path.dirname(file), { recursive: true, force: true });
    await rm(inWorkspace('acme-ship-order'), { recursive: true, force: true });
  });

  test('an import asks once about the components that are missing, and fetches them after a yes', async () => {
    await trustAnew();
    await rm(inWorkspace('weir.lock.json'), { force: true });
    await commit({ 'acme/actions/ship-order/ship-order.mjs': shipOrder('0.4.0') });
    const workflows = await gitRepository(place, 'flows');
    await workflows.commit({
      'ship-p_Ship01/workflow.yaml':
        'schema: workflow/2022.04\nname: Ship\ntriggers:\n  - id: hi_ship01\nsteps:\n  - namespace: ship\n    uses: acme-ship-order@0.4.0\n  - namespace: gone\n    uses: acme-gone@0.1.0\n',
    });
    const title = 'Import Workflows';
    await runCommand('Weir: Import Workflows…');
    await pick(title, 'Git repository…');
    await answer(title, workflows.url);
    const page = await workbench();
    const dialog = page.locator('.monaco-dialog-box', { hasText: 'to run with your rights?' });
    ok((await dialog.innerText()).includes('acme-ship-order'));
    await screenshot('registry-import');
    await confirm('to run with your rights?', 'Allow');
    await until('the lock', async () =>
      (await readFile(inWorkspace('weir.lock.json'), 'utf8').catch(() => '')).includes('"0.4.0"'),
    );
    const report = await until('the report', async (seen) => {
      const text = seen(
        await readFile(inWorkspace('.weir', 'import-report.md'), 'utf8').catch(() => ''),
      );
      return text.includes('Ship') && text;
    });
    ok(report.includes('acme-gone@0.1.0 is not here'), report);
    ok(!report.includes('acme-ship-order@0.4.0 is not here'), report);
    await rm(inWorkspace('flows'), { recursive: true, force: true });
  });

  /** Asks again, also about publishers that were allowed. */
  async function trustAnew(): Promise<void> {
    const { runtime } = await weir();
    const { data } = await runtime.call('registries.trusted', {});
    for (const { publisher } of data) await runtime.call('registries.forget', { publisher });
  }
});

function shipOrder(version: string): string {
  return `export default {
  key: 'acme-ship-order', name: 'Ship Order', version: '${version}', type: 'action', run() { return 1; } };`;
}
