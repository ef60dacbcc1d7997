import { expect, test } from 'vitest';
import {
  answerSelect,
  at,
  loadExecution,
  orders,
  paused,
  resumesAt,
  showExecution,
  thousand,
  type ShownExecution,
} from './support/execution.ts';
import { useBrowser } from './support/page.ts';

useBrowser();

const rows = ({ page }: ShownExecution) => page.locator('.timeline [role=treeitem]');
const focused = ({ page }: ShownExecution): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);

test('steps stand in their branches, attempts beside each other', async () => {
  const shown = await showExecution(orders);
  const labels = await rows(shown).evaluateAll((items) =>
    items.map((item) => `${item.ariaLevel} ${item.ariaLabel}`),
  );
  expect(labels).toEqual([
    '1 Trigger, 3 ms in the queue, POST /orders',
    '1 total, 62 ms, succeeded, Added up 1 item',
    '1 size, 254 ms, succeeded',
    '2 large, 250 ms, succeeded',
    expect.stringMatching(/^3 call, failed, 40 ms, TypeError: /),
    expect.stringMatching(/^3 call · attempt 2, failed, 45 ms, TypeError: /),
    '3 call · attempt 3, 80 ms, succeeded',
    '1 answer, pin, 40 ms, succeeded',
  ]);
});

test('the tree is walked with the keyboard, and a row is chosen with Enter', async () => {
  const shown = await showExecution(orders);
  const { page } = shown;
  await page.getByRole('treeitem', { name: /^Trigger/ }).focus();
  await page.keyboard.press('ArrowDown');
  expect(await focused(shown)).toMatch(/^total/);
  await page.keyboard.press('ArrowDown');
  expect(await focused(shown)).toMatch(/^size/);
  await page.keyboard.press('ArrowLeft');
  expect(await page.getByRole('treeitem', { name: /^large/ }).count()).toBe(0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect(await focused(shown)).toMatch(/^call, failed/);
  await page.keyboard.press('Enter');
  expect(await answerSelect(shown, orders)).toBe('size.large.call 1 1');
  expect(await page.locator('.details .error').innerText()).toContain('entry.ts:12:34');
  await page.keyboard.press('End');
  expect(await focused(shown)).toMatch(/^answer/);
  await page.keyboard.press('Home');
  expect(await focused(shown)).toMatch(/^Trigger/);
});

test('the buttons ask the host', async () => {
  const shown = await showExecution(orders);
  for (const [name, action] of [
    ['Replay', 'replay'],
    ['Replay with Edited Files', 'replayOnFiles'],
    ['Show Workflow', 'openWorkflowPage'],
    ['Save as Test…', 'saveTest'],
    ['Open Workflow', 'openWorkflow'],
    ['Open as Text', 'openText'],
  ]) {
    await shown.page.getByRole('button', { name: name ?? '', exact: true }).click();
    expect((await shown.heard('do')).action).toBe(action);
  }
  await shown.page.getByRole('treeitem', { name: /^total/ }).click();
  await answerSelect(shown, orders);
  for (const [name, action] of [
    ['Run This Step', 'runStep'],
    ['Run from This Step', 'runFromStep'],
    ['Run from This Step with Other Props…', 'runFromStepWith'],
    ['Pin the Result…', 'pinStep'],
    ['Open Code', 'openCode'],
  ]) {
    await shown.page.getByRole('button', { name: name ?? '', exact: true }).click();
    expect(await shown.heard('doStep')).toMatchObject({ action, key: 'total 1 1' });
  }
  const tree = shown.page.getByRole('tree', { name: 'Return value' });
  await tree.getByRole('treeitem').nth(1).click();
  await shown.page
    .locator('.part', { has: tree })
    .getByRole('button', { name: 'Copy path' })
    .click();
  expect((await shown.heard('copy')).text).toBe('steps.total.$return_value.sum');
});

test('what others wrote stays text', async () => {
  const shown = await showExecution(thousand);
  expect(await shown.page.locator('.details .error').innerText()).toContain('<b>price</b>');
  expect(await shown.page.locator('b, i').count()).toBe(0);
});

test('what failed is shown first, wherever it is; of a thousand items few are drawn', async () => {
  const shown = await showExecution(thousand);
  const { page } = shown;
  const failed = page.getByRole('treeitem', { name: /^check, failed/ });
  await expect.poll(() => failed.isVisible()).toBe(true);
  expect(await page.locator('.row').count()).toBeLessThan(100);
  const inSight = await failed.evaluate((row) => {
    const box = row.closest('.rows')?.getBoundingClientRect();
    const { top, bottom } = row.getBoundingClientRect();
    return box !== undefined && top >= box.top && bottom <= box.bottom;
  });
  expect(inSight).toBe(true);
  await page.getByRole('textbox').fill('each_1[7]');
  await expect.poll(() => rows(shown).count()).toBe(4);
  await page.getByRole('textbox').fill('nothing like it');
  await page.getByText('No step fits the filter.').waitFor();
  await page.getByRole('textbox').fill('');
  await page.getByRole('button', { name: 'Show what failed' }).click();
  expect((await shown.heard('select')).key).toBe('each_1[640].check 1 1');
});

test('a pause of days takes little room beside what ran, and says how long it is', async () => {
  const shown = await showExecution(paused);
  const { page } = shown;
  const widthOf = async (selector: string): Promise<number> =>
    (await page.locator(selector).first().boundingBox())?.width ?? 0;
  const days = Math.floor((resumesAt - at) / 86_400_000);
  expect(await page.locator('.gap').innerText()).toMatch(new RegExp(`^${days} d`));
  const track = await widthOf('.axis .track');
  expect(await widthOf('.gap')).toBeLessThan(track * 0.2);
  expect(await widthOf('.bar.own')).toBeGreaterThan(track * 0.3);
  await page.getByRole('button', { name: 'Skip Pause' }).click();
  expect(await shown.heard('doStep')).toMatchObject({ action: 'skipPause' });
});

test('what comes later is taken in, and what was unfolded and chosen stays', async () => {
  const { steps } = orders;
  const begun = { ...orders, status: 'running' as const, ended_at: null, steps: steps.slice(0, 1) };
  const shown = await showExecution(begun);
  await shown.page.getByRole('treeitem', { name: /^total/ }).click();
  await answerSelect(shown, begun);
  await shown.tell(orders);
  await shown.page.getByRole('treeitem', { name: /^answer/ }).waitFor();
  const chosen = shown.page.locator('[aria-selected=true].row');
  expect(await chosen.getAttribute('aria-label')).toMatch(/^total/);
  expect(await shown.kept()).toMatchObject({ selected: 'total 1 1' });
});

test('after a reload of the window the same row is shown', async () => {
  const kept = { selected: 'answer 1 1', toggled: ['size'], filter: '', scrollTop: 0 };
  const shown = await loadExecution({ kept });
  await shown.tell(orders);
  expect(await answerSelect(shown, orders)).toBe('answer 1 1');
  expect(await shown.page.getByRole('treeitem', { name: /^large/ }).count()).toBe(0);
});
