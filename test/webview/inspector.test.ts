import { mkdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import * as make from '../unit/extension/make.ts';
import { order, showEvent, showOrder } from './support/inspector.ts';
import { allThemes, useBrowser } from './support/page.ts';

useBrowser();
const pictures = 'test-results/screenshots';

describe.each(allThemes)('%s', (theme) => {
  test('everything about an event', async () => {
    const { page, violations } = await showOrder(theme);
    expect(await violations()).toEqual([]);
    await mkdir(pictures, { recursive: true });
    await page.screenshot({ path: `${pictures}/inspector-${theme}.png`, fullPage: true });
  });

  test('everything unfolded', async () => {
    const { page, violations } = await showOrder(theme);
    await page.evaluate(() => {
      for (const part of document.querySelectorAll('details')) part.open = true;
    });
    await page.getByRole('button', { name: 'As received' }).click();
    expect(await violations()).toEqual([]);
    await page.screenshot({ path: `${pictures}/inspector-${theme}-unfolded.png`, fullPage: true });
  });

  test('a dropped event, and one that is gone', async () => {
    const shown = await showEvent(make.event({ dropped: 'unique: id 1 was emitted before' }), {
      theme,
    });
    await shown.page.getByText('It was not emitted').waitFor();
    expect(await shown.violations()).toEqual([]);
    await shown.say({ t: 'problem', of: null, problem: 'dc_1 has no event 1-0.' });
    await shown.page.getByText('has no event').waitFor();
    expect(await shown.violations()).toEqual([]);
  });
});

test('the payload is walked with the arrow keys, and what stands there is copied', async () => {
  const { page, heard } = await showOrder();
  const tree = page.getByRole('tree', { name: 'Payload' });
  await tree.getByRole('treeitem').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('name');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  const customer = tree.getByRole('treeitem', { name: 'customer' });
  expect(await customer.getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const part = page.locator('.part').filter({ has: tree });
  await part.getByRole('button', { name: 'Copy path' }).click();
  expect((await heard('copy')).text).toBe('event.customer.vip');
  await part.getByRole('button', { name: 'Copy value' }).click();
  expect((await heard('copy')).text).toBe('true');
});

test('everything can be reached with the keyboard alone', async () => {
  const { page } = await showOrder();
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press('Tab');
    await page.evaluate(() => document.activeElement?.setAttribute('data-reached', ''));
  }
  const missed = page.locator(
    'button:enabled:visible:not([data-reached]), summary:visible:not([data-reached])',
  );
  expect(await missed.allInnerTexts()).toEqual([]);
  expect(await page.locator('[role=tree] [data-reached]').count()).toBeGreaterThan(0);
});

test('text of strangers stays text', async () => {
  const { page } = await showOrder();
  await page.getByText('Ada <b>Lovelace</b>').first().waitFor();
  expect(await page.locator('.tree b').count()).toBe(0);
});

test('the buttons ask the host, and a delivery is sent again', async () => {
  const { page, heard } = await showOrder();
  for (const [name, action] of [
    ['Newer', 'newer'],
    ['Older', 'older'],
    ['Open as JSON', 'openJson'],
    ['Compare with the one before', 'compare'],
    ['Copy as cURL', 'copyCurl'],
    ['Open the run', 'showRun'],
  ]) {
    await page.getByRole('button', { name: name ?? '' }).click();
    expect((await heard('do')).action).toBe(action);
  }
  await page.keyboard.press('Alt+ArrowDown');
  expect((await heard('do')).action).toBe('older');
  await page.getByRole('button', { name: 'Redeliver' }).nth(1).click();
  expect((await heard('redeliver')).id).toBe('del_2');
});

test('an answer about another event is not shown', async () => {
  const shown = await showEvent(order);
  await shown.say({ t: 'deliveries', of: 'another', deliveries: [] });
  await shown.say({ t: 'neighbours', of: order.id, newer: false, older: true });
  await expect.poll(() => shown.page.getByRole('button', { name: 'Older' }).isEnabled()).toBe(true);
  expect(await shown.page.getByText('Deliveries').count()).toBe(0);
});

test('a reload of the window finds the event again', async () => {
  const { kept } = await showOrder();
  expect(await kept()).toMatchObject({ subject: { eventId: '1-0' } });
});

test('five megabytes are shown at once and unfolded without a pause', async () => {
  const rows = Array.from({ length: 40_000 }, (_, n) => ({
    id: n,
    name: `Customer number ${n}`,
    note: 'x'.repeat(60),
  }));
  const event = make.event({ event: { rows, text: 'y'.repeat(1_000_000) } });
  expect(JSON.stringify(event).length).toBeGreaterThan(5_000_000);
  const { page } = await showEvent(event);
  const tree = page.getByRole('tree', { name: 'Payload' });
  const ms = await page.evaluate(async () => {
    const painted = () =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const row = [...document.querySelectorAll<HTMLElement>('[role=treeitem]')].find((one) =>
      one.textContent?.includes('rows'),
    );
    const start = performance.now();
    row?.click();
    await painted();
    return performance.now() - start;
  });
  expect(ms).toBeLessThan(300);
  await tree.getByText('39900 more…').click();
  await tree.getByText('39800 more…').waitFor();
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(300);
});
