import type { Page } from 'playwright-core';
import { workbench } from './ui.ts';

export const canOpenWindows = process.env['WEIR_TEST_MODALS'] === '1';

/**
 * Opens another window of the same VS Code, as a person does in another tab.
 * @param what a folder or a `.code-workspace` file
 */
export async function openWindow(what: { folder: string } | { workspace: string }): Promise<Page> {
  const first = await workbench();
  const page = await first.context().newPage();
  const { origin } = new URL(first.url());
  await page.goto(`${origin}/?${new URLSearchParams(what).toString()}`, { waitUntil: 'commit' });
  await page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
  const tab = page.locator('.activitybar [aria-label="Weir"]').first();
  await tab.waitFor({ timeout: 60_000 });
  if ((await page.locator('.pane-header[aria-label^="Sources"]').count()) === 0) await tab.click();
  await page.locator('.pane-header[aria-label^="Sources"]').waitFor();
  return page;
}
