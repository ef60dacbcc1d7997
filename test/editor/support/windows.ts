import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshots, workbench } from './ui.ts';

export const canOpenWindows = process.env['WEIR_TEST_MODALS'] === '1';

/** Another window of the same VS Code, as a person opens one in another tab. */
async function openWindow(what: { folder: string } | { workspace: string }): Promise<Page> {
  const first = await workbench();
  const page = await first.context().newPage();
  page.setDefaultTimeout(60_000);
  const { origin } = new URL(first.url());
  await page.goto(`${origin}/?${new URLSearchParams(what).toString()}`, { waitUntil: 'commit' });
  await page.locator('.monaco-workbench').waitFor();
  return page;
}

/**
 * Opens another window, uses it and closes it; how it looked is kept when something fails.
 * @param what a folder or a `.code-workspace` file
 */
export async function inWindow(
  what: { folder: string } | { workspace: string },
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await openWindow(what);
  try {
    await use(page);
  } catch (error) {
    const name = path.basename('folder' in what ? what.folder : what.workspace);
    await page.screenshot({ path: path.join(screenshots, `failed in the window of ${name}.png`) });
    throw error;
  } finally {
    await page.close();
  }
}

/** Shows Weir's side bar in such a window. */
export async function showWeir(page: Page): Promise<void> {
  const tab = page.locator('.activitybar [aria-label="Weir"]').first();
  await tab.waitFor();
  if ((await page.locator('.pane-header[aria-label^="Sources"]').count()) === 0) await tab.click();
  await page.locator('.pane-header[aria-label^="Sources"]').waitFor();
}

/** The first row with this text in a view of such a window. */
export function rowIn(page: Page, view: string, text: string): Locator {
  return page
    .locator('.pane', { has: page.locator(`.pane-header[aria-label^="${view}"]`) })
    .locator('.pane-body .monaco-list-row', { hasText: text })
    .first();
}

/** What F1 offers in such a window for this text. */
export async function offered(page: Page, text: string): Promise<Locator> {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').fill(`>${text}`);
  return page.locator('.quick-input-list .monaco-list-row', { hasText: text });
}
