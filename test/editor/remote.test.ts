import { ok, strictEqual } from 'node:assert';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { connect } from '../../src/client/connection.ts';
import { childEnvironment, startRuntime } from '../../src/client/start.ts';
import type { RuntimeFile } from '../../src/protocol/rpc.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { form, submit } from './support/form.ts';
import { row, rows } from './support/rows.ts';
import {
  answer,
  lenses,
  notification,
  pick,
  runCommand,
  screenshot,
  workbench,
} from './support/ui.ts';
import {
  edit,
  hello,
  helloFile,
  inWorkspace,
  open,
  post,
  startAfresh,
  weir,
} from './support/weir.ts';

/** A runtime with a data folder of its own, which a named key reaches, stands for one on another machine. */
suite('a runtime on another machine', () => {
  const dataFolder = path.join(temporaryFolder(atEndOfSuite()), 'data');
  let server: RuntimeFile;
  let key: string;
  const tick = inWorkspace('components', 'every-hour.mjs');
  const host = (): string => new URL(server.url).host;

  const start = async (...args: string[]): Promise<void> => {
    const extension = vscode.extensions.getExtension('weir.weir');
    const runtimeFile = path.join(extension?.extensionPath ?? '', 'dist', 'runtime.js');
    const { execPath } = process;
    server = await startRuntime({ runtimeFile, dataFolder, execPath, args, settings: [] });
  };

  suiteSetup(async () => {
    await startAfresh();
    await start();
    const admin = await connect(server);
    ({ key } = await admin.call('keys.add', { name: 'ada', scope: 'deploy' }));
    admin.close();
  });

  suiteTeardown(async () => {
    const { runtime } = await weir();
    process.kill(server.pid, 'SIGKILL');
    await runtime.call('runtime.info', {});
  });

  const shows = async (text: string): Promise<void> => {
    const page = await workbench();
    await page.locator('.statusbar-item[id="weir.weir.weir.runtime"]', { hasText: text }).waitFor();
  };

  test('an address and a key connect the folder to it; the status bar says so', async () => {
    await hello();
    await (await row('Sources', 'Hello webhook')).waitFor();
    await runCommand('Weir: Connect to Runtime…');
    await answer('Address of the server', server.url);
    await answer('A key of', key);
    await shows(host());
    await until('the local sources to go', async () => (await rows('Sources')).length === 0);
    strictEqual((await weir()).runtime.url, server.url);
  });

  test('a file is deployed there by its form, and its event comes back', async () => {
    const { runtime } = await weir();
    await open(helloFile());
    const source = await runtime.call('sources.deploy', {
      component_path: helloFile(),
      configured_props: { greeting: 'hello' },
    });
    strictEqual(source.path, helloFile());
    ok(source.endpoint_url?.startsWith(server.url));
    await until('the lens to know it', async () => (await lenses()).join().includes('deployed'));
    await post(source.endpoint_url ?? '', { id: 7, customer: 'Ada' });
    await (await row('Events', 'Order 7 from Ada')).waitFor();
    await open(tick);
    await runCommand('Weir: Deploy Component');
    await submit(await form('Deploy Every hour'));
    await (await row('Sources', 'Every hour')).waitFor();
    await screenshot('remote-runtime');
  });

  test('a syntax error is told with the file that is here', async () => {
    await edit(helloFile(), (text) => text.replace('version:', 'version'));
    await open(helloFile());
    await runCommand('Weir: Update Source');
    await notification(/hello-webhook\.mjs, line 5/);
    await edit(helloFile(), (text) => text.replace("version '", "version: '"));
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  test('what is deployed there is debugged here, with a request that came in there', async () => {
    const { runtime } = await weir();
    const { data } = await runtime.call('sources.list', {});
    const source = data.find(({ path: at }) => at === helloFile());
    const code = (await open(helloFile())).document;
    const line = code.positionAt(code.getText().indexOf('this.$emit')).line;
    const place = new vscode.Location(vscode.Uri.file(helloFile()), new vscode.Position(line, 0));
    const breakpoint = new vscode.SourceBreakpoint(place);
    vscode.debug.addBreakpoints([breakpoint]);
    await vscode.commands.executeCommand('weir.debug', source?.id);
    const page = await workbench();
    const list = page.locator('.quick-input-widget', { hasText: 'where no debugger attaches' });
    await list.locator('.monaco-list-row', { hasText: 'POST' }).first().waitFor();
    await screenshot('debug-here');
    await list.locator('.monaco-list-row', { hasText: 'POST' }).first().click();
    await shows('Local');
    await page.locator('.debug-top-stack-frame-line').waitFor();
    vscode.debug.removeBreakpoints([breakpoint]);
    await vscode.commands.executeCommand('workbench.action.debug.continue');
    // Not by activeDebugSession, which once stayed set after the session had ended.
    await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
    // What it would have emitted is shown, and nothing was kept here or there.
    await until('what it did', () =>
      vscode.workspace.textDocuments.some((one) => one.getText().includes('Order 7 from Ada')),
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await runCommand('Weir: Switch Runtime…');
    await pick('Switch Runtime', host());
    await until('the connection to be back', () => runtime.url === server.url);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  test('when it is killed the rows stay, and when it is back they are live again', async () => {
    const { port } = new URL(server.url);
    process.kill(server.pid, 'SIGKILL');
    const { runtime } = await weir();
    await until('the connection to be lost', () => runtime.url === undefined);
    await (await row('Sources', 'Every hour')).waitFor();
    await start('--port', port);
    await until('the connection to be back', () => runtime.url === server.url);
    const { data } = await runtime.call('sources.list', {});
    const source = data.find(({ path: file }) => file === helloFile());
    await post(source?.endpoint_url ?? '', { id: 8, customer: 'Grace' });
    await (await row('Events', 'Order 8 from Grace')).waitFor();
  });

  test('the switch in the status bar leads back to the local one; the other one goes on', async () => {
    const { runtime } = await weir();
    const { data } = await runtime.call('sources.list', {});
    const there = data.find(({ path: file }) => file === helloFile())?.endpoint_url ?? '';
    const page = await workbench();
    await page.locator('.statusbar-item[id="weir.weir.weir.runtime"]').click();
    await page.locator('.quick-input-widget', { hasText: host() }).waitFor();
    await screenshot('switch-runtime');
    await pick('Switch Runtime', 'Local');
    await shows('Local');
    await until('the local source', async () => (await rows('Sources')).length === 1);
    ok(runtime.url !== server.url);
    strictEqual((await post(there, { id: 9, customer: 'Joan' })).status, 200);
  });

  test('both get the same file at once', async () => {
    await edit(helloFile(), (text) => text.replace('Emits every', 'Emits each and every'));
    await open(helloFile());
    await runCommand('Weir: Deploy to Runtimes…');
    const page = await workbench();
    const list = page.locator('.quick-input-widget', { hasText: 'Deploy to Runtimes' });
    await list.locator('.monaco-list-row', { hasText: host() }).waitFor();
    await list.locator('.monaco-list-row', { hasText: host() }).click();
    await screenshot('deploy-to-runtimes');
    await page.keyboard.press('Enter');
    await page.locator('.statusbar-item', { hasText: 'Deployed to 2 of 2' }).waitFor();
    const admin = await connect(server);
    const { data } = await admin.call('sources.list', {});
    const id = data.find(({ name }) => name === 'Hello webhook')?.id ?? '';
    const { code } = await admin.call('sources.get', { id, include_code: true });
    admin.close();
    ok(code?.includes('each and every'), code);
  });
});

/** Two nodes share a database; the editor is connected to the one that follows. */
suite('a runtime of two nodes', () => {
  const atEnd = atEndOfSuite();
  const clusterKey = randomBytes(32).toString('base64');
  let active: RuntimeFile;
  let standby: RuntimeFile;

  const start = async (store: string): Promise<RuntimeFile> => {
    const extension = vscode.extensions.getExtension('weir.weir');
    const cli = path.join(extension?.extensionPath ?? '', 'dist', 'cli.js');
    const data = path.join(temporaryFolder(atEnd), 'data');
    spawn(process.execPath, [cli, 'serve', '--data', data, '--store', store, '--lease', '2'], {
      env: { ...childEnvironment(process.env), WEIR_KEY: clusterKey },
      stdio: 'ignore',
    });
    return until('the node to be there', async () => {
      const text = await readFile(path.join(data, 'runtime.json'), 'utf8').catch(() => undefined);
      return text === undefined ? undefined : (JSON.parse(text) as RuntimeFile);
    });
  };

  suiteSetup(async () => {
    await startAfresh();
    const store = await (await startPostgres(atEnd)).newDatabase();
    active = await start(store);
    standby = await start(store);
  });

  suiteTeardown(async () => {
    const { runtime } = await weir();
    await runCommand('Weir: Switch Runtime…');
    await pick('Switch Runtime', 'Local');
    await until('the local runtime', () => ![undefined, standby.url].includes(runtime.url));
    process.kill(standby.pid, 'SIGKILL');
  });

  test('the one that leads is killed: the editor goes on, and so does what is deployed', async () => {
    const admin = await connect(active);
    const { key } = await admin.call('keys.add', { name: 'ada', scope: 'deploy' });
    admin.close();
    await hello();
    await runCommand('Weir: Connect to Runtime…');
    await answer('Address of the server', standby.url);
    await answer('A key of', key);
    const { runtime } = await weir();
    await until('the connection', () => runtime.url === standby.url);
    const source = await runtime.call('sources.deploy', {
      component_path: helloFile(),
      configured_props: { greeting: 'hello' },
    });
    const endpoint = new URL(new URL(source.endpoint_url ?? '').pathname, standby.url).href;
    await post(endpoint, { id: 7, customer: 'Ada' });
    await (await row('Events', 'Order 7 from Ada')).waitFor();
    process.kill(active.pid, 'SIGKILL');
    await until('the other node to take over', async () => {
      const answered = await post(endpoint, { id: 8, customer: 'Grace' }).catch(() => undefined);
      return answered?.status === 200;
    });
    await (await row('Events', 'Order 8 from Grace')).waitFor();
    await (await row('Events', 'Order 7 from Ada')).waitFor();
    strictEqual(runtime.url, standby.url);
    const { data } = await runtime.call('sources.list', {});
    strictEqual(data.length, 1);
  });
});
