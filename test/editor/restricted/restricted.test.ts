import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { keyPath } from '../../../src/runtime/accounts/key-file.ts';
import { until } from '../../support/until.ts';
import { row } from '../support/rows.ts';
import { lenses, notification, pick, runCommand, screenshot, workbench } from '../support/ui.ts';
import { hello, helloFile, inWorkspace, open, post, showSideBar, weir } from '../support/weir.ts';
import { restrictedTitle } from './title.mts';

suite(restrictedTitle, () => {
  test('says that nothing runs there, and how to change that', async () => {
    strictEqual(vscode.workspace.isTrusted, false);
    await showSideBar();
    const page = await workbench();
    await page
      .locator('.welcome-view', { hasText: 'Weir runs nothing in Restricted Mode' })
      .waitFor();
    await screenshot('restricted');
  });

  test('runs nothing: no runtime, no component, not even for other extensions', async () => {
    await open(helloFile());
    const { runtime } = await weir();
    const refused = await runtime.call('sources.list', {}).then(
      () => 'answered',
      (error: unknown) => String(error),
    );
    match(refused, /Weir runs nothing until you trust this workspace/);
    deepStrictEqual(await readdir(inWorkspace('.weir')), ['weir.db']);
  });

  test('offers no command that would run something', async () => {
    const page = await workbench();
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget input');
    const offered = page.locator('.quick-input-list .monaco-list-row');
    const output = offered.filter({ hasText: 'Weir: Show Output' }).first();
    // One by one: of a long list only those in view are there to be read.
    const refused = ['Deploy', 'Run Source', 'Run Action', 'Debug', 'Offer Actions'];
    const ofOthers = ['Add Registry', 'Update Component', 'Eject Component'];
    for (const command of [...refused, ...ofOthers]) {
      await input.fill('>Weir: Show Output');
      await output.waitFor();
      await input.fill(`>Weir: ${command}`);
      await output.waitFor({ state: 'hidden' });
      const titles = await offered.allInnerTexts();
      strictEqual(
        titles.find((title) => title.includes(`Weir: ${command}`)),
        undefined,
      );
    }
    await page.keyboard.press('Escape');
    deepStrictEqual(await lenses(), []);
  });

  test('registries of the user are browsed, and nothing of them or of the folder runs', async () => {
    const place = await mkdtemp(path.join(tmpdir(), 'weir-mine-'));
    const canary = path.join(place, 'canary');
    const source = path.join(place, 'acme', 'sources', 'new-order');
    await mkdir(source, { recursive: true });
    await writeFile(
      path.join(source, 'new-order.mjs'),
      `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(canary)}, 'ran');
export default { key: 'acme-new-order', name: 'New Acme Order', version: '0.2.0', type: 'source', run() {} };
`,
    );
    const mine = path.join(
      path.dirname(keyPath({ env: process.env, home: homedir() })),
      'registries.json',
    );
    await mkdir(path.dirname(mine), { recursive: true });
    await writeFile(mine, JSON.stringify({ registries: { mine: place } }));
    // Whoever sent the folder does not decide what is asked.
    await mkdir(inWorkspace('weir'));
    const theirs = { registries: { theirs: './nowhere' } };
    await writeFile(inWorkspace('weir', 'registries.json'), JSON.stringify(theirs));

    await runCommand('Weir: Browse Components…');
    const page = await workbench();
    const shown = page.locator('.quick-input-widget', { hasText: 'Browse Components' });
    await shown.locator('.monaco-list-row', { hasText: 'New Acme Order' }).waitFor();
    deepStrictEqual(await shown.locator('.monaco-list-row', { hasText: 'theirs' }).count(), 0);
    await screenshot('restricted-browse');
    await pick('Browse Components', 'New Acme Order');
    const actions = page.locator('.quick-input-widget', { hasText: 'New Acme Order' });
    await actions.locator('.monaco-list-row', { hasText: 'Show Code' }).waitFor();
    const offered = await actions.locator('.monaco-list-row').allInnerTexts();
    strictEqual(
      offered.find((text) => /Deploy|Run|Add/.test(text)),
      undefined,
    );
    await pick('New Acme Order', 'Show Code');
    const code = () => vscode.window.activeTextEditor?.document;
    await until('the code', () => code()?.uri.scheme === 'weir-component');
    match(code()?.getText() ?? '', /New Acme Order/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');

    strictEqual(existsSync(canary), false);
    deepStrictEqual(await readdir(inWorkspace('.weir')), ['weir.db']);
    await rm(inWorkspace('weir'), { recursive: true });
    await rm(place, { recursive: true });
    await rm(mine);
  });

  test('sends no request', async () => {
    const file = inWorkspace('hello.http');
    await writeFile(file, 'GET http://127.0.0.1:1/h/hi_1\n');
    const { document } = await open(file);
    await vscode.commands.executeCommand('weir.sendRequest', { uri: document.uri, line: 0 });
    await notification('Weir sends nothing until you trust this workspace.');
    deepStrictEqual(await lenses(), []);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await rm(file);
  });

  test('agents can call no tool, and nothing is offered to them', async () => {
    const called = vscode.lm.invokeTool('weir_list', {
      toolInvocationToken: undefined,
      input: { what: 'sources' },
    });
    await rejects(async () => called);
    const page = await workbench();
    strictEqual(await page.locator('.pane-header[aria-label^="Agents"]').count(), 0);
    await vscode.commands.executeCommand('weir.offerActions');
    await notification('Weir runs nothing until you trust this workspace');
    deepStrictEqual(await readdir(inWorkspace('.weir')), ['weir.db']);
  });

  test('works as soon as it is trusted', async () => {
    // The one it was left with is no store.
    await rm(inWorkspace('.weir', 'weir.db'));
    await vscode.commands.executeCommand('workbench.trust.manage');
    const page = await workbench();
    const trust = page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ });
    await trust.first().click();
    await until('the trust', () => vscode.workspace.isTrusted);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await open(helloFile());
    await until('the lens', async () => (await lenses()).includes('Deploy'));
    const { endpoint_url: endpoint } = await hello();
    const listed = await vscode.lm.invokeTool('weir_list', {
      toolInvocationToken: undefined,
      input: { what: 'sources' },
    });
    match(JSON.stringify(listed.content), /hello-webhook/);
    ok((await post(endpoint, { id: 1, customer: 'Ada' })).ok);
    await (await row('Events', 'Order 1 from Ada')).waitFor();
  });
});
