import { match, ok, strictEqual } from 'node:assert';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Execution, WholeExecution } from '../../src/protocol/catalogue.ts';
import { until } from '../support/until.ts';
import { builderOf } from './support/builder.ts';
import { clearBreakpoints, Debugger } from './support/debugger.ts';
import { row, unfoldRow } from './support/rows.ts';
import { answer, lens, pick, screenshot, screenshots, workbench } from './support/ui.ts';
import { inWorkspace, open, post, showSideBar, startAfresh, weir } from './support/weir.ts';
import { canOpenWindows, inWindow, rowIn } from './support/windows.ts';
import { pageTitled, unfold } from './support/workflows.ts';

/** What somebody does in their first hour with a workflow, who has read nothing: one test goes on where the last one ended. */
suite('a workflow from nothing to its test', () => {
  const folder = inWorkspace('desk');
  const file = path.join(folder, 'workflow.yaml');
  let debug: Debugger;
  const { frame, press, says, add } = builderOf(file);
  let endpoint = '';
  suiteSetup(async () => {
    debug = new Debugger();
    await startAfresh();
    await mkdir(folder, { recursive: true });
    await writeFile(file, '');
  });
  suiteTeardown(async () => {
    clearBreakpoints();
    await debug.end();
    debug.dispose();
    await startAfresh();
  });

  test('it is built by hand: branches, a wait for a call, and a loop', async () => {
    await open(file);
    await (await lens('Open in Builder')).click();
    const page = await frame();
    await press('Begin a Workflow');
    await press('HTTP request');
    await says(/uses: \$\.interface\.http\n/);
    await add('Add step to the end', 'If / else');
    await says(/control: ifelse/);
    await press('yes when');
    await page.getByLabel('Value of rule 1', { exact: true }).fill('steps.trigger.event.body.sum');
    await page.getByLabel('Operator of rule 1').selectOption({ label: 'is greater than' });
    await says(/op: num>/);
    await page.getByLabel('Compared value of rule 1').fill('100');
    await says(/b: 100\n/);
    await add('Add step to yes', 'suspend');
    await says(/namespace: suspend\n/);
    await add('Add step to the end', 'Each');
    await says(/control: each/);
    await page.locator('[data-prop="on"] textarea').fill('{{steps.trigger.event.body.items}}');
    await says(/body\.items/);
    await add('Add step to each_1', 'JavaScript code');
    await says(/namespace: code\n/);
    await screenshot('way-1-built');
  });

  test('it is deployed, called, waits, and goes on when it is resumed', async () => {
    await vscode.workspace.saveAll(false);
    const code = await open(inCode());
    await replace(
      code,
      'return steps.each_1.item;',
      'return `packed ${steps.each_1.item}`; // stop: pack',
    );
    await open(file);
    await (await lens('Deploy')).click();
    endpoint = await until('the endpoint', async () => {
      const { data } = await (await weir()).runtime.call('workflows.list', {});
      return data[0]?.triggers[0]?.endpoint_url ?? undefined;
    });
    await (await row('Workflows', 'desk')).waitFor();
    void post(endpoint, { sum: 150, items: ['pen', 'ink'] });
    const waiting = await until('the pause', async () => {
      const [newest] = await executions();
      return newest?.status === 'paused' ? newest : undefined;
    });
    await unfold('desk');
    await (await row('Workflows', 'POST /')).first().click();
    const shown = await pageTitled('POST /');
    await shown.getByRole('treeitem', { name: /^suspend/ }).click();
    await shown.getByRole('button', { name: 'Copy Resume URL' }).waitFor();
    await screenshot('way-2-waits');
    await shown.getByText('Cancelled unless resumed').waitFor();
    await shown.getByRole('button', { name: 'Resume', exact: true }).click();
    await shown.locator('.state', { hasText: 'succeeded' }).waitFor();
    const { steps } = await whole(waiting.id);
    strictEqual(valueOf(steps, 'each_1'), '["packed pen","packed ink"]');
    // It is still known by its request.
    await pageTitled('POST /');
    strictEqual(await (await row('Workflows', 'Request')).count(), 0);
    await screenshot('way-3-succeeded');
  });

  test('a mistake in its code is found where it happened, and under the debugger', async () => {
    const code = await open(inCode());
    await replace(code, 'packed ${steps.each_1.item}', 'packed ${steps.each_1.item.name.trim()}');
    await update();
    await post(endpoint, { sum: 1, items: ['pen'] });
    await until('its failure', async () => (await executions())[0]?.status === 'failed');
    await unfold('desk');
    await (
      await row('Workflows', "Cannot read properties of undefined (reading 'trim')")
    )
      .first()
      .click();
    const shown = await pageTitled('POST /');
    await shown.getByRole('button', { name: 'Show what failed' }).click();
    await shown.locator('.details h2', { hasText: 'code' }).waitFor();
    await screenshot('way-4-failed');
    await shown.getByRole('button', { name: 'Open Code' }).click();
    await until('its code', () => vscode.window.activeTextEditor?.document.uri.fsPath === inCode());
    const place = await debug.breakAt(inCode(), 'pack');
    await open(file);
    await (await lens('Debug…')).first().click();
    await pick('Debug Workflow: desk', 'POST /');
    const stop = await debug.stopped(30_000);
    strictEqual(stop.place, place);
    strictEqual(await stop.evaluate('steps.each_1.item'), "'pen'");
    await screenshot('way-5-debugged');
    clearBreakpoints();
    await stop.go('continue');
    await debug.end();
  });

  test('once it is mended, the failed one runs again from its middle', async () => {
    const code = await open(inCode());
    await replace(code, 'item.name.trim()', 'item.trim()');
    await update();
    // Above it stands its replay under the debugger.
    await (await row('Workflows', 'Cannot read properties')).last().click();
    const shown = await pageTitled('POST /');
    await shown
      .getByRole('treeitem', { name: /^each_1/ })
      .first()
      .click();
    await shown.getByRole('button', { name: 'Run from This Step', exact: true }).click();
    const failed = (await executions()).findLast(({ status }) => status === 'failed');
    const again = await pageTitled('Replay of POST /');
    await again.locator('.state', { hasText: 'succeeded' }).waitFor();
    await screenshot('way-6-rerun');
    const [newest] = await executions();
    ok(newest && newest.replay_of === failed?.id);
    const { steps } = await whole(newest.id);
    strictEqual(valueOf(steps, 'each_1'), '["packed pen"]');
  });

  test('its run is saved as a test, which passes in the Test Explorer', async () => {
    await (
      await pageTitled('Replay of POST /')
    )
      .getByRole('button', { name: 'Save as Test…' })
      .click();
    await answer('Save Run as Test', 'one pen');
    const at = path.join(folder, 'tests', 'one-pen.test.yaml');
    await until('the test', () => vscode.window.activeTextEditor?.document.uri.fsPath === at);
    match(await readFile(at, 'utf8'), /packed pen/);
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    const page = await workbench();
    const group = page.getByRole('treeitem', { name: /^desk/ });
    await group.waitFor();
    await group.click();
    await group.press('ArrowRight');
    await page.getByRole('treeitem', { name: /^one-pen/ }).waitFor();
    await vscode.commands.executeCommand('testing.runCurrentFile');
    await page.getByRole('treeitem', { name: /^one-pen \(Passed\)/ }).waitFor();
    await screenshot('way-7-test');
    await showSideBar();
  });

  test('all of it is found again after the window was closed', async function () {
    if (!canOpenWindows) this.skip();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await inWindow({ folder: inWorkspace() }, async (other) => {
      await showSideBar(other);
      const workflow = rowIn(other, 'Workflows', 'desk');
      await workflow.waitFor();
      await unfoldRow(workflow);
      await rowIn(other, 'Workflows', 'Replay of POST /').click();
      const shown = other
        .locator('iframe.webview.ready')
        .filter({ visible: true })
        .contentFrame()
        .frameLocator('#active-frame');
      await shown
        .getByRole('treeitem', { name: /^each_1/ })
        .first()
        .waitFor();
      await other.screenshot({ path: path.join(screenshots, 'way-8-found-again.png') });
    });
  });

  function inCode(): string {
    return path.join(folder, 'code', 'entry.js');
  }

  /** As a person does: in the editor, saved. */
  async function replace(editor: vscode.TextEditor, what: string, by: string): Promise<void> {
    const { document } = editor;
    const at = document.getText().indexOf(what);
    ok(at !== -1, document.getText());
    const range = new vscode.Range(document.positionAt(at), document.positionAt(at + what.length));
    await editor.edit((change) => change.replace(range, by));
    await document.save();
  }

  /** Newest first. */
  async function executions(): Promise<readonly Execution[]> {
    const { runtime } = await weir();
    return (await runtime.call('executions.list', { id: 'desk', limit: 20 })).data;
  }

  /** By the lens of the code that is shown; until it is what runs. */
  async function update(): Promise<void> {
    const deployment = async (): Promise<string | undefined> =>
      (await (await weir()).runtime.call('workflows.list', {})).data[0]?.deployment_id;
    const before = await deployment();
    await (await lens('Update')).first().click();
    await until('what is deployed', async () => (await deployment()) !== before);
  }

  async function whole(id: string): Promise<WholeExecution> {
    return (await weir()).runtime.call('executions.get', { id });
  }

  function valueOf(steps: WholeExecution['steps'], namespace: string): string {
    return JSON.stringify(steps.find((step) => step.path === namespace)?.return_value);
  }
});
