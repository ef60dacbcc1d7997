import { ok, strictEqual } from 'node:assert';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { connect } from '../../src/client/connection.ts';
import { startRuntime } from '../../src/client/start.ts';
import type { RuntimeFile } from '../../src/protocol/rpc.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { row } from './support/rows.ts';
import { answer, runCommand, workbench } from './support/ui.ts';
import { inWorkspace, startAfresh, weir } from './support/weir.ts';
import { pageTitled, unfold } from './support/workflows.ts';

/** Both runtimes have an execution of the same id. */
suite('a page while its runtime is not in use', () => {
  const dataFolder = path.join(temporaryFolder(atEndOfSuite()), 'data');
  const folder = inWorkspace('switched');
  let server: RuntimeFile;
  let key: string;
  const host = (): string => new URL(server.url).host;

  suiteSetup(async () => {
    await startAfresh();
    const extension = vscode.extensions.getExtension('weir.weir');
    const runtimeFile = path.join(extension?.extensionPath ?? '', 'dist', 'runtime.js');
    const { execPath } = process;
    server = await startRuntime({ runtimeFile, dataFolder, execPath, args: [], settings: [] });
    const admin = await connect(server);
    ({ key } = await admin.call('keys.add', { name: 'ada', scope: 'deploy' }));
    admin.close();
    await mkdir(path.join(folder, 'one'), { recursive: true });
    const yaml =
      'schema: workflow/2022.04\nname: Switched\nsteps:\n- namespace: one\n  uses: ./one/entry.mjs\n';
    await writeFile(path.join(folder, 'workflow.yaml'), yaml);
    await writeFile(
      path.join(folder, 'one', 'entry.mjs'),
      'export default { async run() { return 1; } };',
    );
  });

  suiteTeardown(async () => {
    // The suites that follow need the runtime of this folder, whatever became of the test.
    await switchTo('Local');
    process.kill(server.pid, 'SIGKILL');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** A page that has just opened may take the focus, which closes the list: then it is opened again. */
  const switchTo = async (name: string): Promise<void> => {
    const isThere = async (): Promise<boolean> =>
      ((await weir()).runtime.url === server.url) === (name !== 'Local');
    await until(
      `the switch to ${name}`,
      async () => {
        if (await isThere()) return true;
        const page = await workbench();
        await page.keyboard.press('Escape');
        await runCommand('Weir: Switch Runtime…');
        const row = page
          .locator('.quick-input-widget:visible', { hasText: 'Switch Runtime' })
          .locator('.monaco-list-row', { hasText: name })
          .first();
        await row.click({ timeout: 5000 }).catch(() => undefined);
        return isThere();
      },
      90_000,
    );
  };

  const runOnce = async (): Promise<void> => {
    const { runtime } = await weir();
    const { id } = await runtime.call('workflows.deploy', { workflow_path: folder });
    await runtime.call('executions.start', { id, wait: true });
  };

  test('it stays with what it shows, says so, and acts on nothing', async () => {
    await runOnce();
    await runCommand('Weir: Connect to Runtime…');
    await answer('Address of the server', server.url);
    await answer('A key of', key);
    await until('the server', async () => (await weir()).runtime.url === server.url);
    await runOnce();
    await unfold('Switched');
    await (await row('Workflows', /Run by hand/)).first().click();
    const page = await pageTitled('Run by hand');
    const tab = (await workbench()).locator('.tab', { hasText: `exec_1 · ${host()}` });
    await tab.waitFor();
    await page.locator('.runtime-bar.elsewhere', { hasText: host() }).waitFor();
    await switchTo('Local');
    await page.getByText(`This page shows ${host()}. Connect to it to act.`).waitFor();
    ok(await page.getByRole('button', { name: 'Replay', exact: true }).isDisabled());
    strictEqual(await tab.count(), 1);
    await switchTo(host());
    await page.getByRole('button', { name: 'Replay', exact: true, disabled: false }).waitFor();
  });
});
