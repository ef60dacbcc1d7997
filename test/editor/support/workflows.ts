import type { FrameLocator } from 'playwright-core';
import { row, unfoldRow } from './rows.ts';
import { workbench } from './ui.ts';

/** The page in front, once its heading begins with this text. */
export async function pageTitled(title: string): Promise<FrameLocator> {
  const page = await workbench();
  const frame = page
    .locator('iframe.webview.ready')
    .filter({ visible: true })
    .contentFrame()
    .frameLocator('#active-frame');
  await frame.locator('h1', { hasText: new RegExp(String.raw`^\s*${title}(\s|$)`) }).waitFor();
  return frame;
}

/** Unfolds the first row of the Workflows view with this text. */
export async function unfold(text: string): Promise<void> {
  await unfoldRow(await row('Workflows', text));
}

export async function fold(text: string): Promise<void> {
  const shown = await row('Workflows', text);
  if ((await shown.count()) > 0) await unfoldRow(shown, false);
}
