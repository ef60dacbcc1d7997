import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from './browser.mts';
import { fetchCodeServer } from './code-server.mts';
import { freePort } from './free-port.mts';
import { createProfile } from './profile.mts';
import { installVsix, startServer } from './server.mts';
import type { Run, Launched } from './run.mts';

const projectFolder = path.resolve(import.meta.dirname, '..', '..');

/** VS Code as code-server serves it, in a headless Chromium: the editor where no desktop one is. */
export async function launchWeb(run: Run, say: (line: string) => void): Promise<Launched> {
  const inner = await fetchCodeServer(say);
  const browser = await findBrowser();
  const installed = {
    ...(run.vsix === undefined ? { 'weir.weir-0.1.0': projectFolder } : {}),
    'weir.test-harness-0.0.1': path.join(import.meta.dirname, 'harness'),
  };
  const profile = await createProfile(installed, run.settings);
  if (run.vsix !== undefined) await installVsix(inner, profile, run.vsix);
  const debugPort = await freePort();
  const server = await startServer(inner, profile, {
    ...run.env,
    WEIR_TEST_ENTRY: run.entry,
    // An ordinary window shows them; one under `extensionTestsPath` refuses to.
    WEIR_TEST_MODALS: '1',
    WEIR_TEST_CDP: `http://127.0.0.1:${debugPort}`,
  });
  // Only the pages of a persistent context are seen by the tests' own connection to the browser.
  const context = await chromium.launchPersistentContext(profile.browser, {
    executablePath: browser.executablePath,
    headless: true,
    viewport: { width: 1280, height: 800 },
    // A desktop VS Code does not ask for the clipboard either.
    permissions: ['clipboard-read', 'clipboard-write'],
    args: [...browser.args, `--remote-debugging-port=${debugPort}`],
    env: { ...process.env, HOME: profile.root },
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(`${server.url}/?folder=${encodeURIComponent(run.workspace)}`, {
    waitUntil: 'commit',
  });
  return {
    // Nothing ends by itself here; the suite's report does.
    ended: new Promise<never>(() => {}),
    async closeWindow() {
      await context.close();
    },
    async screenshot(file) {
      await mkdir(path.dirname(file), { recursive: true });
      await page.screenshot({ path: file });
    },
    log: () => server.log(),
    async stop() {
      await context.close();
      await server.stop();
      await profile.remove();
    },
  };
}
