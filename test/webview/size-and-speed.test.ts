import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { build } from '../../scripts/bundles.mts';
import { temporaryFolder } from '../support/folder.ts';
import { gallery } from './gallery.ts';
import { load, subject, useBrowser } from './support/form.ts';

useBrowser();

test.each([
  ['prop-form', 136],
  ['inspector', 42],
  ['execution-page', 64],
  ['workflow-webview', 40],
  ['builder-page', 178],
] as const)('%s is below %i KB as it ships', async (name, most) => {
  const outdir = temporaryFolder();
  await build({ names: [name], outdir, production: true, watch: false });
  const page = path.join(outdir, 'webview');
  const sizes = await Promise.all(
    (await readdir(page)).map(async (file) => (await stat(path.join(page, file))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(most * 1024);
});

test('a form of twenty props is there within the turn its message comes in', async () => {
  const { page } = await load();
  const controls = await page.evaluate(
    async (data) => {
      window.dispatchEvent(new MessageEvent('message', { data }));
      await Promise.resolve();
      return document.querySelectorAll('input, select, textarea').length;
    },
    { t: 'form', subject, form: gallery },
  );
  expect(controls).toBeGreaterThan(20);
});
