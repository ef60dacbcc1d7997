import { match, ok, strictEqual } from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { answer, confirm, pick, runCommand, screenshot, workbench } from './support/ui.ts';
import { inWorkspace, startAfresh, weir } from './support/weir.ts';

const git = promisify(execFile);
const token = 'ghp_012345678901234567890123456789abcdef';
const title = 'Import Workflows';

suite('an import of workflows', () => {
  let origin: string;
  suiteSetup(async () => {
    await startAfresh();
    origin = await mkdtemp(path.join(tmpdir(), 'weir-moving-'));
    const place = path.join(origin, 'nightly-p_DeF456');
    await mkdir(path.join(place, 'call'), { recursive: true });
    const yaml = `schema: workflow/2022.04
name: Nightly
triggers:
  - id: ti_abc123
steps:
  # Calls the shop.
  - namespace: call
    uses: ./call/entry.js
    props:
      key: ${token}
`;
    await writeFile(path.join(place, 'workflow.yaml'), yaml);
    await writeFile(
      path.join(place, 'call', 'entry.js'),
      'export default defineComponent({ run() { return process.env.SHOP_OF_TEST; } });\n',
    );
    const as = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    await git('git', ['init', '-q', origin]);
    await git('git', [...as, '-C', origin, 'add', '-A']);
    await git('git', [...as, '-C', origin, 'commit', '-qm', 'x']);
  });
  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(origin, { recursive: true, force: true });
    await startAfresh();
  });

  test('from a repository: asks when it runs, moves its secret, and shows what is left', async () => {
    await runCommand('Weir: Import Workflows…');
    await pick(title, 'Git repository…');
    await answer(title, `file://${origin}`);
    await answer(`${title}: Nightly`, '0 9 * * 1-5 Europe/Berlin');
    await confirm('Nightly has a secret in clear', 'Move');
    const folder = inWorkspace(path.basename(origin), 'nightly-p_DeF456');
    const text = await until('the moved secret', async () => {
      const now = await readFile(path.join(folder, 'workflow.yaml'), 'utf8').catch(() => '');
      return now.includes('process.env') ? now : undefined;
    });
    ok(!text.includes(token), text);
    match(text, /# Calls the shop\./);
    match(text, /cron: ["']?0 9 \* \* 1-5["']?/);
    match(text, /timezone: Europe\/Berlin/);
    const report = await until('the report', () =>
      readFile(inWorkspace('.weir', 'import-report.md'), 'utf8').catch(() => undefined),
    );
    match(report, /1 needs an answer/);
    ok(!report.includes('left as they are'), report);
    match(report, /SHOP\\_OF\\_TEST/);
    const marks = vscode.languages.getDiagnostics(
      vscode.Uri.file(path.join(folder, 'call', 'entry.js')),
    );
    strictEqual(marks.filter(({ source }) => source === 'Weir import').length, 1);
    const page = await workbench();
    await page.locator('.tab', { hasText: 'import-report.md' }).waitFor();
    await until('the preview', async () => {
      const texts = await Promise.all(
        page.frames().map((frame) =>
          frame
            .locator('body')
            .innerText()
            .catch(() => ''),
        ),
      );
      return texts.some((shown) => shown.includes('Needs an answer'));
    });
    await screenshot('import-report');
    const { runtime } = await weir();
    const deployed = await runtime.call('workflows.deploy', { workflow_path: folder });
    strictEqual(deployed.triggers[0]?.cron, '0 9 * * 1-5');
  });
});
