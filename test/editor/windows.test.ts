import { ok, strictEqual } from 'node:assert';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { RuntimeFile } from '../../src/protocol/rpc.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { row } from './support/rows.ts';
import { screenshots } from './support/ui.ts';
import {
  hello,
  inWorkspace,
  post,
  runtimeFile,
  showSideBar,
  startAfresh,
  weir,
} from './support/weir.ts';
import { canOpenWindows, inWindow, offered, rowIn, runCommandIn } from './support/windows.ts';

suite('several windows', function () {
  this.timeout(240_000);
  suiteSetup(async function () {
    if (!canOpenWindows) this.skip();
    await startAfresh();
    await hello();
  });

  test('two windows on one folder share one runtime, and both follow it', async () => {
    const before = await runtimeFile();
    await inWindow({ folder: inWorkspace() }, async (other) => {
      await showSideBar(other);
      await rowIn(other, 'Sources', 'Hello webhook').waitFor();
      strictEqual((await runtimeFile()).pid, before.pid);
      await clients(2);
      await post((await hello()).endpoint_url, { id: 91, customer: 'Ada' });
      await rowIn(other, 'Events', 'Order 91 from Ada').waitFor();
      await (await row('Events', 'Order 91 from Ada')).waitFor();
    });
    await clients(1);
    strictEqual((await runtimeFile()).pid, before.pid);
  });

  test('a window with two folders has a runtime for each, and says whose is what', async () => {
    const second = temporaryFolder();
    await writeFile(
      path.join(second, 'of-the-second.mjs'),
      'export default { name: "Of the second", type: "source", props: { http: "$.interface.http" }, run() {} };',
    );
    const both = path.join(second, 'both.code-workspace');
    await writeWorkspace(both, [
      { name: 'One', path: inWorkspace() },
      { name: 'Two', path: second },
    ]);
    await inWindow({ workspace: both }, async (other) => {
      await showSideBar(other);
      await rowIn(other, 'Sources', 'One').waitFor();
      await rowIn(other, 'Sources', 'Hello webhook').waitFor();
      strictEqual(await rowIn(other, 'Sources', 'Two').count(), 0);
      await runCommandIn(other, 'Weir: Deploy Component…');
      const files = other.locator('.quick-input-widget', { hasText: 'Deploy Component' });
      await files.locator('input').fill('of-the-second.mjs');
      await files.locator('.monaco-list-row', { hasText: 'of-the-second.mjs' }).first().click();
      await rowIn(other, 'Sources', 'Two').waitFor();
      await rowIn(other, 'Sources', 'Of the second').waitFor();
      await other.screenshot({ path: path.join(screenshots, 'two-folders.png') });
      // The window of the one folder knows nothing of the other's.
      strictEqual(await (await row('Sources', 'Of the second')).count(), 0);
    });
  });

  test('a window that is reloaded finds its runtime again, and its timers tick on', async () => {
    const folder = temporaryFolder();
    await writeFile(
      path.join(folder, 'ticks.mjs'),
      `export default { name: "Ticks", type: "source", props: { timer: { type: "$.interface.timer", static: { intervalSeconds: 2 } } },
        run() { this.$emit({ at: Date.now() }); } };`,
    );
    const runtime = async () =>
      JSON.parse(await readFile(path.join(folder, '.weir', 'runtime.json'), 'utf8')) as RuntimeFile;
    await inWindow({ folder }, async (other) => {
      await showSideBar(other);
      await runCommandIn(other, 'Weir: Deploy Component…');
      const files = other.locator('.quick-input-widget', { hasText: 'Deploy Component' });
      await files.locator('.monaco-list-row', { hasText: 'ticks.mjs' }).first().click();
      await rowIn(other, 'Sources', 'Ticks').waitFor();
      const before = await runtime();
      await ticks(before, 2);
      await other.reload({ waitUntil: 'commit' });
      await other.locator('.statusbar-item', { hasText: 'Weir: 1 source' }).waitFor();
      strictEqual((await runtime()).pid, before.pid);
      const seen = (await ticks(before, 0)).length;
      const times = await ticks(before, seen + 2);
      // None is missing, and none came late: each a second after its time at most.
      const [first = 0] = times;
      const late = times.map((at, index) => at - first - index * 2000);
      ok(
        late.every((ms) => Math.abs(ms) < 1000),
        `ticks came ${late.join(', ')} ms late`,
      );
    });
  });

  test('a runtime that does not answer holds nothing back: commands and lenses are there', async () => {
    const folder = temporaryFolder();
    await cp(process.env['WEIR_TEST_FIXTURES'] ?? '', folder, { recursive: true });
    const hanging = await startHangingRuntime(folder);
    await inWindow({ folder }, async (other) => {
      await showSideBar(other);
      await other.locator('.statusbar-item', { hasText: 'Weir: starting' }).waitFor();
      await other.keyboard.press('Control+P');
      await other.locator('.quick-input-widget input').fill('hello-webhook.mjs');
      const file = other.locator('.quick-input-list .monaco-list-row', { hasText: 'hello-web' });
      await file.first().click();
      await other.locator('.codelens-decoration a', { hasText: 'Deploy' }).waitFor();
      await runCommandIn(other, 'Weir: Show Output');
      await other.locator('.statusbar-item', { hasText: 'Weir: failed' }).waitFor();
    });
    hanging.closeAllConnections();
    hanging.close();
  });

  test('a window whose files are on no disk has no Weir', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'virtual.code-workspace');
    await writeWorkspace(file, [{ uri: 'nowhere://host/project' }]);
    await inWindow({ workspace: file }, async (other) => {
      await other.locator('.activitybar [aria-label^="Explorer"]').first().waitFor();
      await other.locator('.statusbar-item').first().waitFor();
      // Extensions are taken out some moments after the window is there.
      await until('no sign of Weir', async (seen) => {
        const titles = await offered(other, 'Weir: Deploy Component');
        const tabs = await other.locator('.activitybar [aria-label="Weir"]').count();
        return !seen(titles).some((title) => title.includes('Weir:')) && seen(tabs) === 0;
      });
    });
  });
});

/** When the only source of a runtime ticked, in epoch ms, oldest first, once these are so many. */
async function ticks({ url, apiKey }: RuntimeFile, count: number): Promise<number[]> {
  const get = async <T>(address: string) => {
    const answer = await fetch(`${url}/v1/${address}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    return ((await answer.json()) as { data: T[] }).data;
  };
  const [source] = await get<{ id: string }>('sources?limit=1');
  return until(`${count} ticks`, async () => {
    const events = await get<{ event: { at: number } }>(
      `sources/${source?.id}/event_summaries?expand=event&limit=100`,
    );
    return events.length >= count && events.map(({ event }) => event.at).toReversed();
  });
}

function writeWorkspace(file: string, folders: readonly object[]): Promise<void> {
  return writeFile(file, JSON.stringify({ folders }));
}

/** What a folder was left with whose runtime is alive and says nothing on its socket. */
async function startHangingRuntime(folder: string): Promise<Server> {
  const server = createServer((_request, response) => response.end('{"status":"ok"}'));
  server.on('upgrade', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await mkdir(path.join(folder, '.weir'));
  await writeFile(path.join(folder, '.weir', 'weir.db'), '');
  await writeFile(
    path.join(folder, '.weir', 'runtime.json'),
    JSON.stringify({
      url: `http://127.0.0.1:${port}`,
      pid: process.pid,
      apiKey: 'none',
      version: '0.1.0',
      startedAt: new Date().toISOString(),
    }),
  );
  return server;
}

async function clients(count: number): Promise<void> {
  const { runtime } = await weir();
  await until(
    `${count} clients`,
    async () => (await runtime.call('runtime.info', {})).clients === count,
  );
}
