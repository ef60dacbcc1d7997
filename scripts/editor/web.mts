import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
import { findBrowser } from './browser.mts';
import { fetchCodeServer } from './code-server.mts';
import { createProfile, sessionProviderFolder, type Installed } from './profile.mts';
import { freePort } from './free-port.mts';
import { installVsix, startServer, type WorkbenchServer } from './server.mts';
import type { Editor, EditorOptions } from './editor.mts';

const projectFolder = path.resolve(import.meta.dirname, '..', '..');

export interface Workbench {
  readonly server: WorkbenchServer;
  /** A headless Chromium; its pages are the windows. */
  readonly context: BrowserContext;
  readonly stop: () => Promise<void>;
}

export interface WorkbenchOptions extends Pick<EditorOptions, 'vsix' | 'settings' | 'env'> {
  readonly installed: Installed;
}

/** VS Code as code-server serves it, and a browser that shows none of it yet. */
export async function startWorkbench(
  options: WorkbenchOptions,
  say: (line: string) => void,
): Promise<Workbench> {
  const inner = await fetchCodeServer(say);
  const browser = await findBrowser();
  const profile = await createProfile(options.installed, options.settings);
  if (options.vsix !== undefined) await installVsix(inner, profile, options.vsix);
  const debugPort = await freePort();
  const server = await startServer(inner, profile, {
    ...options.env,
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
    env: { ...process.env, ...browser.env, HOME: profile.root },
  });
  return {
    server,
    context,
    async stop() {
      await context.close();
      await server.stop();
      await profile.remove();
    },
  };
}

/** The editor of the tests where no desktop one is. */
export async function launchWeb(
  options: EditorOptions,
  say: (line: string) => void,
): Promise<Editor> {
  const installed = {
    ...(options.vsix === undefined ? { 'weir.weir-0.1.0': projectFolder } : {}),
    'weir.test-harness-0.0.1': path.join(import.meta.dirname, 'harness'),
    'weir.test-sessions-0.0.1': sessionProviderFolder,
  };
  // An ordinary window shows modal dialogs; one under `extensionTestsPath` refuses to.
  const env = { ...options.env, WEIR_TEST_ENTRY: options.entry, WEIR_TEST_MODALS: '1' };
  const { server, context, stop } = await startWorkbench({ ...options, env, installed }, say);
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(`${server.url}/?folder=${encodeURIComponent(options.workspace)}`, {
    waitUntil: 'commit',
  });
  return {
    // Nothing ends by itself here; the suite's report does.
    ended: new Promise<never>(() => {}),
    closeWindow: () => context.close(),
    async screenshot(file) {
      await mkdir(path.dirname(file), { recursive: true });
      await page.screenshot({ path: file });
    },
    log: () => server.log(),
    stop,
  };
}
