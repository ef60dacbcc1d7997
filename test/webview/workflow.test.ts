import { expect, test } from 'vitest';
import { useBrowser } from './support/page.ts';
import { busy, one, pins, showWorkflow, type ShownWorkflow } from './support/workflow.ts';

useBrowser();

const plot = ({ page }: ShownWorkflow, name: RegExp) => page.getByRole('group', { name });
const marks = (shown: ShownWorkflow, name: RegExp) => plot(shown, name).getByRole('button');
const focused = ({ page }: ShownWorkflow): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);

test('each of the last hundred is a point that says what it is, and opens it', async () => {
  const shown = await showWorkflow(busy);
  const points = marks(shown, /^Durations of the last 97 that ended.*median .* ms, longest/);
  expect(await points.count()).toBe(97);
  const [point] = await points.all();
  expect(await point?.getAttribute('aria-label')).toMatch(
    /^exec_44, succeeded, \d+ ms, .*POST \/orders$/,
  );
  await point?.click();
  expect((await shown.heard('open')).id).toBe('exec_44');
});

test('points and bars are walked with the arrow keys, and opened with Enter', async () => {
  const shown = await showWorkflow(busy);
  const durations = /^Durations/;
  // Tab leads to the newest.
  expect(await plot(shown, durations).locator('[tabindex="0"]').getAttribute('aria-label')).toMatch(
    /^exec_140/,
  );
  await marks(shown, durations).last().focus();
  await shown.page.keyboard.press('ArrowLeft');
  expect(await focused(shown)).toMatch(/^exec_139/);
  await shown.page.keyboard.press('Home');
  expect(await focused(shown)).toMatch(/^exec_44/);
  await shown.page.keyboard.press('ArrowLeft');
  expect(await focused(shown)).toMatch(/^exec_44/);
  await shown.page.keyboard.press('Enter');
  expect((await shown.heard('open')).id).toBe('exec_44');
  await marks(shown, /^Executions over time.*9\d % of/)
    .first()
    .focus();
  await shown.page.keyboard.press('End');
  expect(await focused(shown)).toMatch(/succeeded, \d+ failed; opens exec_\d+$/);
  await shown.page.keyboard.press(' ');
  await shown.heard('open');
});

test('what came meanwhile is drawn, and the keyboard stays where it was', async () => {
  const shown = await showWorkflow(busy);
  await marks(shown, /^Durations/)
    .last()
    .focus();
  await shown.page.keyboard.press('ArrowLeft');
  await shown.tell([one(150, { ended_at: one(150).created_at + 9000 }), ...busy]);
  await marks(shown, /^Durations.*longest 9\.0 s/)
    .first()
    .waitFor();
  expect(await focused(shown)).toMatch(/^exec_139/);
});

test('what goes on is listed, and can be opened and cancelled', async () => {
  const shown = await showWorkflow(busy);
  const { page } = shown;
  await page.getByText('1 running, 1 queued, 1 paused').waitFor();
  await page.getByRole('button', { name: 'Cancel exec_142' }).click();
  expect((await shown.heard('cancel')).id).toBe('exec_142');
  await page.getByRole('button', { name: 'POST /orders, exec_141' }).click();
  expect((await shown.heard('open')).id).toBe('exec_141');
});

test('failures stand by step and error, as text, and are retried together', async () => {
  const shown = await showWorkflow(busy);
  const { page } = shown;
  const refused = page.getByRole('button', {
    name: /^charge: TypeError: card 116 .*shows exec_116/,
  });
  await refused.click();
  expect((await shown.heard('open')).id).toBe('exec_116');
  expect(await refused.innerText()).toContain('<b>twice</b>');
  await page.getByRole('button', { name: /^Retry 4 of charge/ }).click();
  expect((await shown.heard('retry')).at).toBe(0);
});

test('pins, the buttons of the head, and the table', async () => {
  const shown = await showWorkflow(busy, { pins });
  const { page } = shown;
  await page.getByRole('button', { name: 'total: large' }).click();
  expect((await shown.heard('openPin')).at).toBe(1);
  for (const [name, action] of [
    ['Run with Event…', 'runWithEvent'],
    ['Retry Failed…', 'retryFailed'],
    ['Replay with Edited Files…', 'replayOnFiles'],
    ['Cancel All Executions…', 'cancelAllExecutions'],
    ['Manage Pins…', 'managePins'],
    ['Open in Builder', 'openInBuilder'],
    ['Open Workflow', 'openWorkflow'],
  ] as const) {
    await page.getByRole('button', { name }).click();
    expect((await shown.heard('do')).action).toBe(action);
  }
  await page.getByText('Executions as a table').click();
  expect(await page.getByRole('row').count()).toBe(101);
  await page
    .getByRole('row', { name: /exec_139/ })
    .getByRole('button')
    .click();
  expect((await shown.heard('open')).id).toBe('exec_139');
});

test('a reload of the window finds the workflow again', async () => {
  const shown = await showWorkflow(busy);
  expect(await shown.kept()).toMatchObject({
    subject: { runtime: '/w/.weir', workflowId: expect.stringMatching(/^p_/) },
  });
});
