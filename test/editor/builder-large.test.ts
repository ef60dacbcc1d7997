import { ok, strictEqual } from 'node:assert';
import { mkdir, writeFile } from 'node:fs/promises';
import type { FrameLocator } from 'playwright-core';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { largeWorkflow } from '../support/large-workflow.ts';
import { screenshot, workbench } from './support/ui.ts';
import { inWorkspace, startAfresh } from './support/weir.ts';

suite('the builder of a large workflow', () => {
  const file = inWorkspace('large', 'workflow.yaml');
  const count = 153;
  let frame: FrameLocator;
  suiteSetup(async () => {
    await startAfresh();
    await mkdir(inWorkspace('large'), { recursive: true });
    await writeFile(file, largeWorkflow(count));
  });
  suiteTeardown(startAfresh);

  const text = (): string =>
    vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file)?.getText() ?? '';

  test('opens with every step, and scrolls to the last one', async () => {
    await vscode.commands.executeCommand(
      'vscode.openWith',
      vscode.Uri.file(file),
      'weir.workflowBuilder',
    );
    const page = await workbench();
    frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await frame.locator('.steps .card strong', { hasText: `step_${count}` }).waitFor();
    strictEqual(
      await frame.locator('.steps .card strong', { hasText: /^step_\d+$/ }).count(),
      count,
    );
    await screenshot('builder-large-top');
    await frame.locator('.head', { hasText: `step_${count}` }).scrollIntoViewIfNeeded();
    await screenshot('builder-large-end');
  });

  test('a change in its middle is a change of that line, and undo takes it back', async () => {
    const before = text();
    const middle = frame.locator('.head', { hasText: 'step_77 ' });
    await middle.press('Enter');
    const name = frame.getByLabel('Name of the step');
    await name.fill('renamed');
    await name.press('Enter');
    await until('the new name in the text', () => text().includes('namespace: renamed\n'));
    ok(text().includes('# about step_77\n'), 'its comment');
    strictEqual(text().length - before.length, 'renamed'.length - 'step_77'.length);
    await screenshot('builder-large-middle');
    await vscode.commands.executeCommand('undo');
    await until('the text as it was', () => text() === before);
  });

  test('a step is moved far with one choice', async () => {
    const before = text();
    await frame.locator('.head', { hasText: 'step_150 ' }).press('Enter');
    await frame.getByLabel('Move step_150 to').selectOption('before step_1');
    await until('it in front', () => text().indexOf('step_150') < text().indexOf('step_1\n'));
    await vscode.commands.executeCommand('undo');
    await until('the text as it was', () => text() === before);
  });
});
