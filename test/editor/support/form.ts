import type { FrameLocator } from 'playwright-core';
import { until } from '../../support/until.ts';
import { workbench } from './ui.ts';

/** The page of the prop form that is shown, once it can be used. */
export async function form(heading: string): Promise<FrameLocator> {
  const page = await workbench();
  // The outer frame is VS Code's, the inner one ours; a hidden form has neither.
  const frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  await frame.locator('h1', { hasText: heading }).waitFor();
  return frame;
}

/** Presses the form's button and waits until the form is gone. */
export async function submit(frame: FrameLocator): Promise<void> {
  await frame.locator('#submit').click();
  await formGone();
}

export async function formGone(): Promise<void> {
  const page = await workbench();
  await until(
    'the form to close',
    async () => (await page.locator('iframe.webview').count()) === 0,
  );
}
