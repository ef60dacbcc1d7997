import { strictEqual } from 'node:assert';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { connect, type Connection } from '../../src/client/connection.ts';
import type { Source } from '../../src/protocol/catalogue.ts';
import type { RuntimeFile } from '../../src/protocol/rpc.ts';
import { debugged, copyDebugged, lineOf, pressF5 } from './support/debugger.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { isAlive } from '../support/is-alive.mts';
import { until } from '../support/until.ts';
import { inWorkspace, post, startAfresh } from './support/weir.ts';
import { canOpenWindows, inWindow } from './support/windows.ts';

suite('debugging in another window', function () {
  this.timeout(180_000);
  const atEnd = atEndOfSuite();
  let made: string;

  suiteSetup(async function () {
    if (!canOpenWindows) this.skip();
    await startAfresh();
    await copyDebugged();
    made = temporaryFolder(atEnd);
  });

  test('F5 in the second of two folders, with odd characters and behind a link; closed while it stands, nothing is left', async () => {
    const real = path.join(made, 'Übung 100% #1 日本');
    const link = path.join(made, 'a link');
    await mkdir(real);
    await symlink(real, link, 'junction');
    await cp(debugged('plain.mjs'), path.join(link, 'odd.mjs'));
    const line = await lineOf(path.join(link, 'odd.mjs'), 'run');
    const workspace = path.join(made, 'two.code-workspace');
    const folders = [{ path: inWorkspace() }, { path: link }];
    await writeFile(workspace, JSON.stringify({ folders }));

    const runtime = async (): Promise<Connection> => {
      const file = await readFile(path.join(link, '.weir', 'runtime.json'), 'utf8');
      return connect(JSON.parse(file) as RuntimeFile);
    };
    let port = 0;
    let pids: number[] = [];
    await inWindow({ workspace }, async (page) => {
      await goTo(page, `odd.mjs:${line}`);
      await page.keyboard.press('F9');
      await page.locator('.codicon-debug-breakpoint, .codicon-debug-hint').first().waitFor();
      await pressF5(page);
      const client = await until(
        'the runtime of the folder',
        () => runtime().catch(() => undefined),
        60_000,
      );
      const found = async (paused: boolean): Promise<Source | undefined> => {
        const { data } = await client.call('sources.list', { limit: 10 });
        return data.find(({ debug }) => debug?.paused === paused && debug.processes.length === 1);
      };
      const source = await until('the source to be debugged', async () => {
        const one = await found(false);
        const { hosts } = await client.call('runtime.info', {});
        return hosts.some(({ source_id: id }) => id === one?.id) && one;
      });
      port = source.debug?.processes[0]?.port ?? 0;
      void post(source.endpoint_url ?? '', {}).catch(() => undefined);
      await page.locator('.debug-top-stack-frame-line').waitFor();
      await until('it to be paused', () => found(true));
      const info = await client.call('runtime.info', {});
      pids = [info.pid, ...info.hosts.map(({ pid }) => pid)];
      strictEqual(pids.every(isAlive), true);
      client.close();
    });
    await until('every process to end', () => !pids.some(isAlive), 60_000);
    await fetch(`http://127.0.0.1:${port}/json`).then(
      () => {
        throw new Error('The inspector still listens.');
      },
      () => undefined,
    );
  });
});

/** Opens a file at a line, as a person does with Ctrl+P. */
async function goTo(page: Page, place: string): Promise<void> {
  const input = page.locator('.quick-input-widget input').first();
  const found = page.locator('.quick-input-list .monaco-list-row', { hasText: 'odd.mjs' }).first();
  await until('the file to be found', async () => {
    await page.keyboard.press('ControlOrMeta+P');
    await input.fill(place);
    return found.waitFor({ timeout: 3000 }).then(
      () => true,
      () => page.keyboard.press('Escape').then(() => false),
    );
  });
  await page.keyboard.press('Enter');
  await page.locator('.tab.active', { hasText: 'odd.mjs' }).waitFor();
  await page.locator('.editor-group-container.active .view-lines').first().waitFor();
}
