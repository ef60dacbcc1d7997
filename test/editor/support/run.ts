import { connect, type Socket } from 'node:net';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Mocha, { type Runner, type Suite, type Test } from 'mocha';
import * as vscode from 'vscode';
import { go, type Report } from '../../../scripts/editor/report.mts';

process.setSourceMapsEnabled(true);

/**
 * Runs the suite inside the extension host, started by VS Code itself (`extensionTestsPath`) or by
 * the harness extension. Every result goes to the driver as it falls; the process stays until the
 * driver has seen what it wants to see.
 */
export async function run(): Promise<void> {
  const driver = connect(Number(process.env['WEIR_TEST_PORT']), '127.0.0.1');
  if (!(await isWanted(driver))) return;
  const tell = (report: Report): void => void driver.write(`${JSON.stringify(report)}\n`);
  const kind = vscode.env.uiKind === vscode.UIKind.Desktop ? 'desktop' : 'web';
  tell({
    t: 'start',
    pid: process.pid,
    about: `VS Code ${vscode.version} (${kind}), Node ${process.version}`,
  });

  const mocha = new Mocha({
    ui: 'tdd',
    timeout: 120_000,
    color: false,
    reporter: reporterTo(tell) as Mocha.ReporterConstructor,
  });
  const titles = JSON.parse(process.env['WEIR_TEST_TITLES'] ?? '[]') as string[];
  mocha.grep(new RegExp(titles.map(escapeRegExp).join('|')));
  mocha.addFile(path.join(__dirname, 'suite.js'));
  try {
    await new Promise<void>((resolve) => mocha.run(() => resolve()));
    tell({ t: 'end', runtime: await runtimePid() });
    await released(driver);
  } catch (error) {
    tell({ t: 'fail', title: 'the suite', error: String(error) });
    tell({ t: 'end', runtime: null });
    await released(driver);
  }
}

/** Mocha calls it with `new`, as it does any reporter. */
function reporterTo(tell: (report: Report) => void): unknown {
  return function report(runner: Runner): void {
    runner.on('suite', (suite: Suite) => {
      if (suite.title !== '') tell({ t: 'suite', title: suite.fullTitle() });
    });
    runner.on('test', (test: Test) => tell({ t: 'test', title: test.fullTitle() }));
    runner.on('pass', (test: Test) => {
      tell({ t: 'pass', title: test.title, ms: test.duration ?? 0 });
    });
    runner.on('pending', (test: Test) => tell({ t: 'skip', title: test.title }));
    runner.on('fail', (test: Test, error: Error) => {
      tell({ t: 'fail', title: test.title, error: error.stack ?? error.message });
    });
  };
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** The driver turns away the windows that a test has opened. */
function isWanted(driver: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    driver.once('data', (data) => resolve(data.toString() === go));
    driver.once('error', () => resolve(false));
    driver.once('close', () => resolve(false));
  });
}

function released(driver: Socket): Promise<void> {
  return new Promise((resolve) => {
    driver.once('close', () => resolve());
    driver.resume();
  });
}

/** The runtime that the suite leaves running. */
async function runtimePid(): Promise<number | null> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  try {
    const text = await readFile(path.join(folder, '.weir', 'runtime.json'), 'utf8');
    return (JSON.parse(text) as { pid: number }).pid;
  } catch {
    return null;
  }
}
