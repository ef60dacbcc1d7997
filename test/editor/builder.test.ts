import { match, ok, strictEqual } from 'node:assert';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { FrameLocator } from 'playwright-core';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { builderOf } from './support/builder.ts';
import { confirm, lens, screenshot, themes, useTheme } from './support/ui.ts';
import { inWorkspace, open, startAfresh, weir } from './support/weir.ts';

suite('the builder', () => {
  const file = inWorkspace('by-hand', 'workflow.yaml');
  let frame: FrameLocator;
  const builder = builderOf(file);
  const { text, press, says, add } = builder;
  suiteSetup(async () => {
    await startAfresh();
    await mkdir(inWorkspace('by-hand'), { recursive: true });
    await writeFile(file, '');
  });
  suiteTeardown(async () => {
    await useTheme(undefined);
    await startAfresh();
  });

  test('opens from the text with one click, also of an empty file', async () => {
    await open(file);
    await (await lens('Open in Builder')).click();
    frame = await builder.frame();
    await frame.getByText('This file is empty.').waitFor();
    await press('Begin a Workflow');
    await says(/^schema: workflow\/2022.04\nname: by-hand\n$/);
  });

  test('a trigger, a branch, a loop and a wait are built by hand', async () => {
    await press('HTTP request');
    await says(/triggers:\n- uses: \$\.interface\.http\n/);
    await add('Add step to the end', 'JavaScript code');
    await says(/namespace: code\n +uses: \.\/code\/entry\.js/);
    await add('Add step to the end', 'If / else');
    await says(/namespace: if_1\n +control: ifelse/);
    await add('Add step to yes', 'Delay');
    await says(/namespace: delay\n[^]*seconds: 60/);
    await add('Add step to the end', 'Each');
    await says(/control: each/);
    await add('Add step to each_1', 'JavaScript code');
    await says(/namespace: code_1/);
    for (const theme of themes) {
      await useTheme(theme);
      await screenshot(`builder-${theme}`);
    }
  });

  test('the props of a step are the fields of its component', async () => {
    await frame.locator('.head', { hasText: 'delay' }).click();
    const seconds = frame.getByRole('textbox', { name: 'Seconds' });
    await seconds.fill('1');
    await says(/seconds: 1\n/);
    await screenshot('builder-props');
  });

  test('a step that others read asks before it goes', async () => {
    await frame.locator('.head', { hasText: 'each_1' }).click();
    const list = frame.locator('[data-prop="on"] textarea');
    await list.fill('{{[steps.code.$return_value]}}');
    await says(/on"?: .*steps\.code\.\$return_value/);
    await frame.locator('.head', { hasText: './code/entry.js' }).click();
    await press('Delete code');
    const before = text();
    await confirm('Delete code?', 'Cancel');
    strictEqual(text(), before);
  });

  test('undo brings the text back byte for byte', async () => {
    const before = text();
    await press('Duplicate code');
    await says(/namespace: code_2/);
    await vscode.commands.executeCommand('undo');
    await until('the text as it was', () => text() === before);
  });

  test('what was built is deployed and runs', async () => {
    await vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file)?.save();
    await press('Deploy');
    const workflow = await until('the workflow', async () => {
      const client = await weir();
      const { data } = await client.runtime.call('workflows.list', {});
      return data[0];
    });
    ok(workflow.steps.some(({ path }) => path === 'if_1.yes.delay'));
    match(await readFile(file, 'utf8'), /namespace: code_1/);
    const client = await weir();
    const { status, steps } = await client.runtime.call('executions.start', {
      id: workflow.id,
      event: { body: 'x' },
      wait: true,
    });
    ok(['paused', 'succeeded'].includes(status), `${status} ${JSON.stringify(steps)}`);
    await frame
      .locator('.state', { hasText: /succeeded|paused/ })
      .first()
      .waitFor();
    await screenshot('builder-run');
  });
});
