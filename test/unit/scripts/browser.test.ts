/** The browser of tests comes from npm, on every machine, and several processes may unpack it at once. */
import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';

const module = resolve('scripts/editor/browser.mts');
const open = `
  const { findBrowser, launchBrowser } = await import(${JSON.stringify(module)});
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.setContent('<title>shown</title>');
  console.log(JSON.stringify([await page.title(), (await findBrowser()).executablePath]));
  await browser.close();`;

async function run(env: Readonly<Record<string, string>>): Promise<[string, string]> {
  const args = ['--input-type=module', '--eval', open];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, WEIR_BROWSER: '', ...env },
  });
  return JSON.parse(stdout) as [string, string];
}

test(
  'two processes that unpack it at the same time both show a page',
  { timeout: 120_000 },
  async () => {
    const cache = temporaryFolder();
    const installed = temporaryFolder();
    for (const name of ['chromium', 'google-chrome']) {
      writeFileSync(join(installed, name), '#!/bin/sh\nexit 1\n');
      chmodSync(join(installed, name), 0o755);
    }
    const env = {
      XDG_CACHE_HOME: cache,
      PATH: `${installed}${delimiter}${process.env['PATH'] ?? ''}`,
      CHROME_PATH: join(installed, 'chromium'),
    };
    for (const [title, executable] of await Promise.all([run(env), run(env)])) {
      expect(title).toBe('shown');
      expect(executable.startsWith(cache)).toBe(true);
    }
  },
);
