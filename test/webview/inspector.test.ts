import { describe, expect, test } from 'vitest';
import { fiveMegabytes, inspectorStates } from './states/inspector.ts';
import { order, showEvent, showOrder } from './support/inspector.ts';
import { useBrowser } from './support/page.ts';

useBrowser();
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

test('untrusted text stays text', async () => {
  const { page } = await showOrder();
  await page.getByText('Ada <b>Lovelace</b>').first().waitFor();
  expect(await page.locator('.tree b').count()).toBe(0);
});

test('of a long summary two lines are the title, and all of it its tooltip', async () => {
  const summary = 'A summary that is a whole text. '.repeat(40).trim();
  const { page } = await showEvent({ ...order, metadata: { ...order.metadata, summary } });
  const title = page.locator('h1');
  expect(await title.getAttribute('title')).toBe(summary);
  const lines = await title.evaluate((heading) => {
    const { height } = heading.getBoundingClientRect();
    return height / Number.parseFloat(getComputedStyle(heading).lineHeight);
  });
  expect(lines).toBeCloseTo(2, 0);
});

test('the buttons ask the host, and a delivery is sent again', async () => {
  const { page, heard } = await showOrder();
  for (const [name, action] of [
    ['Newer', 'newer'],
    ['Older', 'older'],
    ['Open as JSON', 'openJson'],
    ['Compare with Previous', 'compare'],
    ['Copy as cURL', 'copyCurl'],
    ['Open the run', 'showRun'],
    ['Replay…', 'replay'],
    ['Debug', 'debug'],
    ['Show failed runs', 'failedRuns'],
  ]) {
    await page.getByRole('button', { name: name ?? '' }).click();
    expect((await heard('do')).action).toBe(action);
  }
  await page.keyboard.press('Alt+ArrowDown');
  expect((await heard('do')).action).toBe('older');
  await page.getByRole('button', { name: 'Redeliver' }).nth(1).click();
  expect((await heard('redeliver')).id).toBe('del_2');
});

test('says what was copied once it is', async () => {
  const { page, say } = await showOrder();
  await page.getByRole('button', { name: 'Copy JSON' }).click();
  await say({ t: 'copied' } as never);
  await page.getByRole('status').getByText('Copied', { exact: true }).waitFor();
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

test('a frame of the error’s stack is a link to the code, and the rest of it text', async () => {
  const { page, heard } = await inspectorStates['a run that failed after it emitted']();
  const frames = page.locator('pre.error a');
  expect(await frames.allInnerTexts()).toEqual([
    '/w/components/orders.mjs:12:24',
    expect.stringMatching(/prices\.ts:3:9$/),
  ]);
  await frames.nth(1).click();
  expect((await heard('openFrame')).at).toBe(1);
  expect(await page.locator('pre.error').innerText()).toContain('at async handle (node:');
});

test('a problem goes with the next thing that is asked for', async () => {
  const { page, heard } = await inspectorStates['a runtime that has ended']();
  await page.getByRole('button', { name: 'Older' }).click();
  await heard('do');
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('the path of what a run by hand ran with is the one its code has', async () => {
  const { page, heard } = await inspectorStates['a replay of a run by hand']();
  const part = page.locator('.part').filter({ hasText: 'run by hand' });
  await part.getByRole('treeitem', { name: 'who' }).click();
  await part.getByRole('button', { name: 'Copy path' }).click();
  expect((await heard('copy')).text).toBe('event.hello.who');
});

describe('five megabytes', () => {
  /** With the rest of the page. */
  const mostPerRow = 15;

  test('are as many elements as can be seen', async () => {
    const { page } = await inspectorStates['five megabytes']();
    const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
    expect(JSON.stringify(fiveMegabytes()).length).toBeGreaterThan(5_000_000);
    expect(await page.getByRole('treeitem').count()).toBe(104);
    expect(await elements()).toBeLessThan(104 * mostPerRow);
    await page.getByText('39900 more…').click();
    await page.getByText('39800 more…').waitFor();
    expect(await page.getByRole('treeitem').count()).toBe(204);
    expect(await elements()).toBeLessThan(204 * mostPerRow);
  });

  test('“more” leads the keyboard on to the first of them', async () => {
    const { page } = await inspectorStates['five megabytes']();
    await page.getByText('39900 more…').click();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('100: ');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('101: ');
  });

  test('a text of a megabyte is cut where nobody reads on', async () => {
    const { page } = await inspectorStates['five megabytes']();
    await page.getByRole('treeitem', { name: 'text' }).click();
    await page.locator('.whole').waitFor();
    expect((await page.locator('.whole').innerText()).length).toBe(20_001);
  });
});
