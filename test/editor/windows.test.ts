import { strictEqual } from 'node:assert';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { row, waitFor } from './support/ui.ts';
import { hello, inWorkspace, post, runtimeFile, startAfresh, weir } from './support/weir.ts';
import { canOpenWindows, openWindow } from './support/windows.ts';

suite('several windows', function () {
  this.timeout(180_000);
  suiteSetup(async function () {
    if (!canOpenWindows) this.skip();
    await startAfresh();
    await hello();
  });

  test('two windows on one folder share one runtime, and both follow it', async () => {
    const before = await runtimeFile();
    const other = await openWindow({ folder: inWorkspace() });
    try {
      await shown(other, 'Sources', 'Hello webhook').waitFor({ timeout: 60_000 });
      strictEqual((await runtimeFile()).pid, before.pid);
      await clients(2);
      await post((await hello()).endpoint_url, { id: 91, customer: 'Ada' });
      await shown(other, 'Events', 'Order 91 from Ada').waitFor();
      await (await row('Events', 'Order 91 from Ada')).waitFor();
    } finally {
      await other.close();
    }
    await clients(1);
    strictEqual((await runtimeFile()).pid, before.pid);
  });

  test('a window with two folders has a runtime for each, and says whose is what', async () => {
    const second = await mkdtemp(path.join(tmpdir(), 'weir-second-'));
    await writeFile(
      path.join(second, 'plain.mjs'),
      'export default { name: "Plain", type: "source", props: { http: "$.interface.http" }, run() {} };',
    );
    const file = path.join(second, 'both.code-workspace');
    await writeFile(
      file,
      JSON.stringify({
        folders: [
          { name: 'One', path: inWorkspace() },
          { name: 'Two', path: second },
        ],
      }),
    );
    const other = await openWindow({ workspace: file });
    try {
      await shown(other, 'Sources', 'One').waitFor({ timeout: 60_000 });
      await shown(other, 'Sources', 'Hello webhook').waitFor();
      strictEqual(await shown(other, 'Sources', 'Two').count(), 0);
      await other.keyboard.press('F1');
      await other.locator('.quick-input-widget input').fill('>Weir: Deploy Component…');
      await other
        .locator('.quick-input-list .monaco-list-row', { hasText: 'Deploy Component' })
        .first()
        .click();
      const files = other.locator('.quick-input-widget', { hasText: 'Deploy Component' });
      await files.locator('.monaco-list-row', { hasText: 'plain.mjs' }).first().click();
      await shown(other, 'Sources', 'Two').waitFor({ timeout: 30_000 });
      await shown(other, 'Sources', 'Plain').waitFor();
      // The window of the one folder knows nothing of the other's.
      strictEqual(await (await row('Sources', 'Plain')).count(), 0);
    } finally {
      await other.close();
      await rm(second, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
    }
  });
});

function shown(page: Page, view: string, text: string): Locator {
  return page
    .locator('.pane', { has: page.locator(`.pane-header[aria-label^="${view}"]`) })
    .locator('.pane-body .monaco-list-row', { hasText: text })
    .first();
}

async function clients(count: number): Promise<void> {
  const { runtime } = await weir();
  await waitFor(
    `${count} clients`,
    async () => (await runtime.call('runtime.info', {})).clients === count,
  );
}
