import { match, ok, strictEqual } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { confirm, notification, runCommand, screenshot, workbench } from './support/ui.ts';
import { hello, inWorkspace, open, runtimeFile, startAfresh, weir } from './support/weir.ts';

suite('what stands around', () => {
  suiteSetup(async () => {
    await startAfresh();
    await hello();
  });

  test('packages are asked for by name before anything is installed, and looking asks nothing', async function () {
    if (process.env['WEIR_TEST_MODALS'] !== '1') this.skip();
    const file = inWorkspace('components', 'lacking.mjs');
    await writeFile(
      file,
      'import lacking from "weir-test-lacking-package@1.2.3";\nexport default { name: "Lacking", type: "source", props: { http: "$.interface.http" }, run() { lacking(); } };\n',
    );
    const editor = await open(file);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
    await editor.document.save();
    await runCommand('Weir: Deploy Component…');
    const question = 'This component needs weir-test-lacking-package@1.2.3 from npm. Install?';
    const page = await workbench();
    await page.locator('.monaco-dialog-box', { hasText: question }).waitFor();
    await screenshot('packages');
    await confirm(question, 'Cancel');
    await notification(/needs weir-test-lacking-package@1\.2\.3 from npm/);
    await vscode.commands.executeCommand('notifications.clearAll');
    strictEqual((await (await weir()).runtime.call('sources.list', {})).data.length, 1);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('the walkthrough has its five steps, and pictures that fit the theme', async () => {
    await vscode.commands.executeCommand(
      'workbench.action.openWalkthrough',
      'weir.weir#weir.start',
    );
    const page = await workbench();
    const steps = page.locator('.getting-started-step');
    await until('the steps', async () => (await steps.count()) === 5);
    await page.locator('.getting-started-step', { hasText: 'Deploy it' }).first().click();
    await screenshot('walkthrough');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('Collect Diagnostics writes what one would ask, without secrets', async () => {
    const { endpoint_url: endpoint } = await hello();
    await runCommand('Weir: Collect Diagnostics');
    const { document } = await until('the report', () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.languageId === 'markdown' ? editor : undefined;
    });
    const text = document.getText();
    const { apiKey, url } = await runtimeFile();
    match(text, /^# Weir diagnostics\n/);
    ok(text.includes(vscode.version));
    ok(text.includes(url));
    ok(!text.includes(apiKey), 'the key is not in it');
    ok(!text.includes(endpoint.split('/').at(-1) ?? ''), 'no endpoint is in it');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('a setting of the runtime is taken in by the next one, which is offered', async () => {
    const settings = vscode.workspace.getConfiguration('weir');
    await settings.update('run.timeoutSeconds', 7, vscode.ConfigurationTarget.Global);
    try {
      const before = await runtimeFile();
      const offer = await notification('when the runtime is restarted');
      await offer.getByText('Restart Runtime').click();
      await until('another runtime', async () => {
        const now = await runtimeFile().catch(() => before);
        return now.pid !== before.pid && (await weir()).runtime.url === now.url;
      });
      const file = inWorkspace('components', 'slow.mjs');
      await writeFile(
        file,
        'export default { name: "Slow", type: "source", run() { return new Promise((r) => setTimeout(r, 60000)); } };',
      );
      const { runtime } = await weir();
      const { id } = await runtime.call('sources.deploy', { component_path: file });
      const run = await runtime.call('sources.invoke', { id });
      match(run.error?.message ?? '', /7 s/);
    } finally {
      await settings.update('run.timeoutSeconds', undefined, vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand('notifications.clearAll');
    }
  });

  test('the status bar says what was measured', async () => {
    const page = await workbench();
    const item = page.locator('.statusbar-item', { hasText: /Weir: \d (?:sources?|failed)/ });
    await item.waitFor();
    // Nothing is measured while nobody looks.
    await page.mouse.click(800, 400);
    const hover = page.locator('.monaco-hover', { hasText: /answers\sin\s\d+\sms/ }).first();
    await until(
      'a measured answer',
      async () => {
        await page.mouse.move(800, 400);
        await item.hover();
        await hover.waitFor({ timeout: 3000 }).catch(() => undefined);
        return hover.isVisible();
      },
      40_000,
    );
    await screenshot('status-bar');
  });
});
