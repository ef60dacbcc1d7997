import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { rowsIn } from './rows.ts';
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
  if ('workspace' in what) await foldersIn(page);
  return page;
}

/**
 * Waits for the folders of a workspace. A window in a browser that reads its file before it reaches
 * the server believes that there are none; a person loads it anew.
 */
async function foldersIn(page: Page): Promise<void> {
  const folder = page.locator('.explorer-viewlet .monaco-list-row').first();
  for (let reloads = 0; reloads < 4; reloads++) {
    try {
      return await folder.waitFor({ timeout: 15_000 });
    } catch {
      await page.reload({ waitUntil: 'commit' });
    }
  }
  await folder.waitFor();
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
  // A page behind another one draws nothing, and what is not drawn takes no click.
  await page.bringToFront();
  try {
    await use(page);
  } catch (error) {
    const name = path.basename('folder' in what ? what.folder : what.workspace);
    await page.screenshot({ path: path.join(screenshots, `failed in the window of ${name}.png`) });
    const shown = page.locator('.notification-list-item-message, .quick-input-widget');
    const texts = (await shown.allInnerTexts()).filter((text) => text !== '');
    if (error instanceof Error) error.message += `; the window shows ${JSON.stringify(texts)}`;
    throw error;
  } finally {
    // A page that is shut at once may take its goodbye along: its extension host would wait hours for it to come back.
    await page.goto('about:blank').catch(() => undefined);
    await page.close();
    // VS Code draws nothing in a page that is behind another.
    await (await workbench()).bringToFront();
  }
}

/** The first row with this text in a view of such a window. */
export function rowIn(page: Page, view: string, text: string): Locator {
  return rowsIn(page, view, text).first();
}

/** The titles that F1 offers in such a window for this text; what it offers is read when it opens. */
export async function offered(page: Page, text: string): Promise<string[]> {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').first().fill(`>${text}`);
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor();
  const titles = await rows.allInnerTexts();
  await page.keyboard.press('Escape');
  return titles;
}

/** Runs a command from F1 in such a window, as soon as it is there to be run. */
export async function runCommandIn(page: Page, title: string): Promise<void> {
  await until(`the command ${title}`, async () =>
    (await offered(page, title)).some((text) => text.includes(title)),
  );
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').first().fill(`>${title}`);
  await page
    .locator('.quick-input-list .monaco-list-row.focused', { hasText: title })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
}
