import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Workbench } from '../../scripts/editor/web.mts';
import type { RuntimeFile } from '../../src/protocol/rpc.ts';
import { temporaryFolder } from '../harness/temporary.mts';

/** A window on a folder of its own, with Weir's side bar and one component open. */
export interface Window {
  readonly page: Page;
  /** Opens a file the way a person does, and waits for this lens. */
  readonly open: (file: string, lens: string) => Promise<void>;
  /** Clicks on the lens of the file that is shown. */
  readonly click: (lens: string) => Promise<void>;
  /** Asks the window's runtime over REST. */
  readonly call: <Data>(method: string, path: string, body?: object) => Promise<Data>;
  readonly close: () => Promise<void>;
}

export async function openWindow(
  workbench: Workbench,
  files: Readonly<Record<string, string>>,
): Promise<Window> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder.path, name, '..'), { recursive: true });
    await writeFile(join(folder.path, name), text);
  }
  const page = await workbench.context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(`${workbench.server.url}/?folder=${encodeURIComponent(folder.path)}`);
  const tab = page.locator('.activitybar [aria-label="Weir"]').first();
  await tab.waitFor();
  await tab.click();
  await page.locator('.pane-header[aria-label^="Sources"]').waitFor();
  const lens = (text: string) =>
    page
      .locator('.editor-group-container.active .codelens-decoration a', { hasText: text })
      .first();
  const runtime = async () =>
    JSON.parse(await readFile(join(folder.path, '.weir', 'runtime.json'), 'utf8')) as RuntimeFile;
  return {
    page,
    async open(file, text) {
      await page.keyboard.press('Control+P');
      await page.locator('.quick-input-widget input').fill(file);
      await page.locator('.quick-input-list .monaco-list-row', { hasText: file }).first().click();
      await page.locator('.tab.active', { hasText: file }).waitFor();
      await lens(text).waitFor();
    },
    click: (text) => lens(text).click(),
    async call<Data>(method: string, path: string, body?: object) {
      const { url, apiKey } = await runtime();
      const response = await fetch(`${url}/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
      return ((await response.json()) as { data: Data }).data;
    },
    async close() {
      const { pid } = await runtime();
      await page.close();
      process.kill(pid);
      // It writes until it ends.
      await rm(folder.path, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    },
  };
}
