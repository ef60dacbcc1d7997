import { ok, strictEqual } from 'node:assert';
import { mkdir, writeFile } from 'node:fs/promises';
import type { FrameLocator } from 'playwright-core';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { builderOf } from './support/builder.ts';
import { screenshot, themes, useTheme, workbench } from './support/ui.ts';
import { inWorkspace, open, startAfresh, weir } from './support/weir.ts';

/** What a person does who has read nothing and has no mouse. */
suite('the builder by keyboard', () => {
  const file = inWorkspace('by-keys', 'workflow.yaml');
  let frame: FrameLocator;
  suiteSetup(async () => {
    await startAfresh();
    await mkdir(inWorkspace('by-keys'), { recursive: true });
    await writeFile(file, '');
  });
  suiteTeardown(async () => {
    await useTheme(undefined);
    await startAfresh();
  });

  const builder = builderOf(file);
  const { text, says } = builder;
  const keys = async (...pressed: string[]): Promise<void> => {
    const page = await workbench();
    for (const key of pressed) await page.keyboard.press(key);
  };
  const type = async (typed: string): Promise<void> => {
    await (await workbench()).keyboard.type(typed);
  };
  /** What the focus is on, as screen readers say it. */
  const focused = (): Promise<string> =>
    frame.locator(':focus').evaluateAll(([element]) => {
      const label = element?.id
        ? element.ownerDocument.querySelector(`label[for="${element.id}"]`)
        : undefined;
      const parts = [...(element?.childNodes ?? [])]
        .filter(({ nodeName }) => nodeName !== '#comment')
        .map((part) => part.textContent ?? '');
      const own = element?.getAttribute('aria-label') ?? parts.join(' ');
      return `${label?.textContent ?? ''} ${own}`.replaceAll(/\s+/g, ' ').trim();
    });
  const focusComesTo = (name: string): Promise<boolean> =>
    until(`the focus on ${name}`, async (seen) => seen(await focused()).startsWith(name));
  /** Tab until the focus is there; the page has no more stops than that. */
  const tabTo = async (name: string, key = 'Tab'): Promise<void> => {
    const passed: string[] = [];
    for (let stop = 0; stop < 120; stop += 1) {
      const now = await focused();
      if (now.startsWith(name)) return;
      passed.push(now);
      await keys(key);
    }
    throw new Error(`Tab never came to ${name}, but to ${passed.join(' | ')}`);
  };
  const add = async (where: string, what: string): Promise<void> => {
    await tabTo(where);
    await keys('Enter');
    await focusComesTo('Search steps');
    await type(what);
    await keys('Enter');
  };

  test('branches, a wait for a call and a loop are built from nothing', async () => {
    await open(file);
    const page = await workbench();
    await keys('F1');
    await page.locator('.quick-input-widget input').waitFor();
    await type('Weir: Open in Builder');
    await page
      .locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Builder' })
      .waitFor();
    await keys('Enter');
    frame = await builder.frame();
    await frame.getByText('This file is empty.').waitFor();
    await tabTo('Begin a Workflow');
    await keys('Enter');
    await says(/^schema: workflow\/2022.04\nname: by-keys\n$/);

    await focusComesTo('HTTP request');
    await keys('Enter');
    await says(/triggers:\n- uses: \$\.interface\.http\n/);
    await add('Add step to the end', 'if');
    await focusComesTo('if_1');

    await tabTo('yes when');
    await keys('Enter');
    await tabTo('Value of rule 1');
    // VS Code takes Ctrl+A, and selects a moment later.
    await keys('Home', 'Shift+End');
    await type('steps.trigger.event.body.amount');
    await keys('Tab');
    await focusComesTo('Operator of rule 1');
    await type('is greater than');
    await focusComesTo('Operator of rule 1');
    await says(/a: "?\{\{steps\.trigger\.event\.body\.amount\}\}"?\n +op: num>\n/);
    await keys('Tab');
    await type('100');
    await says(/op: num>\n +b: 100\n/);

    await add('Add step to yes', 'suspend');
    await says(/namespace: suspend\n +uses: \.\/suspend\/entry\.js\n +props:\n +seconds: 86400/);
    await focusComesTo('suspend');
    await tabTo('Add else');
    await keys('Enter');
    await focusComesTo('else');
    await add('Add step to else of if_1', 'javascript');
    await says(/else:\n +steps:\n +- namespace: code\n/);

    await add('Add step to the end', 'loop');
    await focusComesTo('each_1');
    await tabTo('List');
    await keys('Home', 'Shift+End');
    await type('{{steps.trigger.event.body.items}}');
    await says(/"?on"?: "?\{\{steps\.trigger\.event\.body\.items\}\}/);
    await add('Add step to each_1', 'javascript');
    await says(/control: each\n[^]*steps:\n +- namespace: code_1\n/);
    await focusComesTo('code_1');
    for (const theme of themes) {
      await useTheme(theme);
      await frame.locator('#card-steps-0-branches-0').scrollIntoViewIfNeeded();
      await screenshot(`builder-keys-${theme}`);
    }
  });

  test('Alt and the arrow keys move a step, and the focus goes with it', async () => {
    const before = text();
    await frame.locator('#card-steps-1').focus();
    await keys('Alt+ArrowUp');
    await until('the loop above the branches', (seen) => {
      const now = seen(text());
      return now.indexOf('each_1') < now.indexOf('if_1');
    });
    await focusComesTo('each_1');
    await keys('Alt+ArrowDown');
    await until(
      'the loop below again',
      (seen) => seen(text()).indexOf('if_1') < text().indexOf('each_1'),
    );
    strictEqual(text(), before);
  });

  test('a dragged step lands where it is let go', async () => {
    const before = text();
    // An unfolded card is not dragged: its texts are selected there.
    await frame.locator('#card-steps-1').press('Enter');
    const loop = frame.locator('section.card', { has: frame.locator('#card-steps-1') });
    await loop.and(frame.locator('[draggable=true]')).waitFor();
    await loop.dragTo(frame.locator('.slot').first());
    await until('the loop above the branches', (seen) => {
      const now = seen(text());
      return now.indexOf('each_1') < now.indexOf('if_1');
    });
    await vscode.commands.executeCommand('undo');
    await until('the text as it was', () => text() === before);
  });

  test('what was built is saved, deployed, waits, and goes on when it is called', async () => {
    await frame.locator('#card-steps-1').focus();
    await keys('Control+S');
    await until('the file on the disk', () => {
      const document = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file);
      return document?.isDirty === false;
    });
    await tabTo('Deploy', 'Shift+Tab');
    await keys('Enter');
    const { runtime } = await weir();
    const workflow = await until('the workflow', async () => {
      const { data } = await runtime.call('workflows.list', {});
      return data[0];
    });
    const started = await runtime.call('executions.start', {
      id: workflow.id,
      event: { body: { amount: 150, items: ['a', 'b'] } },
      wait: true,
    });
    strictEqual(started.status, 'paused', JSON.stringify(started.steps));
    await frame.locator('.state', { hasText: 'paused' }).first().waitFor();
    await screenshot('builder-keys-paused');
    const suspended = started.steps.find(({ namespace }) => namespace === 'suspend');
    ok(suspended);
    await runtime.call('executions.resume', { id: started.id, path: suspended.path });
    const ended = await until('the end', async () => {
      const now = await runtime.call('executions.get', { id: started.id });
      return ['succeeded', 'failed'].includes(now.status) ? now : undefined;
    });
    strictEqual(ended.status, 'succeeded', JSON.stringify(ended.steps));
    strictEqual(ended.steps.filter(({ namespace }) => namespace === 'code_1').length, 2);
    ok(!ended.steps.some(({ namespace }) => namespace === 'code'));
  });

  test('undo, again and again, brings back the empty file', async () => {
    await frame.locator('#card-steps-1').focus();
    for (let times = 0; times < 120 && text() !== ''; times += 1) {
      const before = text();
      await keys('Control+Z');
      await until('a change', () => text() !== before);
    }
    strictEqual(text(), '');
  });
});
