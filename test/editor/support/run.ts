import { connect, type Socket } from 'node:net';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Mocha, { type Runnable, type Runner, type Suite, type Test } from 'mocha';
import * as vscode from 'vscode';
import { type EditorTest, go, type Report } from '../../../scripts/editor/report.mts';

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
  const mocha = new Mocha({
    ui: 'tdd',
    timeout: 120_000,
    color: false,
    reporter: reporterTo(tell) as Mocha.ReporterConstructor,
  });
  mocha.addFile(path.join(__dirname, 'suite.js'));
  try {
    await new Promise<void>((resolve) => mocha.run(() => resolve()));
    tell({ t: 'end', runtime: await runtimePid() });
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    tell({ t: 'fail', title: 'the suite', suite: '', error: text });
    tell({ t: 'end', runtime: null });
  }
  await released(driver);
}

/** Whole suites run: their tests build on each other. */
function isAsked(suite: Suite, titles: readonly string[]): boolean {
  if (titles.length === 0) return true;
  return testsIn(suite).some((test) => titles.some((part) => titleOf(test).includes(part)));
}

function start(root: Suite): Report {
  const kind = vscode.env.uiKind === vscode.UIKind.Desktop ? 'desktop' : 'web';
  const about = `VS Code ${vscode.version} (${kind}), Node ${process.version}`;
  return { t: 'start', pid: process.pid, about, tests: testsIn(root).map(toReported) };
}

function testsIn(suite: Suite): Test[] {
  const tests: Test[] = [];
  suite.eachTest((test: Test) => tests.push(test));
  return tests;
}

/** Mocha calls it with `new`, as it does any reporter, when the files are loaded and nothing has run. */
function reporterTo(tell: (report: Report) => void): unknown {
  return function report(runner: Runner): void {
    const titles = JSON.parse(process.env['WEIR_TEST_TITLES'] ?? '[]') as string[];
    runner.suite.suites = runner.suite.suites.filter((suite) => isAsked(suite, titles));
    tell(start(runner.suite));
    runner.on('test', (test: Test) => tell({ t: 'test', ...toReported(test) }));
    runner.on('pass', (test: Test) => {
      tell({ t: 'pass', ...toReported(test), ms: test.duration ?? 0 });
    });
    runner.on('pending', (test: Test) => {
      tell({ t: 'skip', ...toReported(test), reason: reasonOf(test) });
    });
    runner.on('fail', (test: Test, error: Error) => {
      tell({ t: 'fail', ...toReported(test), error: error.stack ?? error.message });
    });
  };
}

/** The top-level suite is what a filter runs. A hook outside every suite belongs to the test it ran for. */
function toReported(test: Runnable): EditorTest {
  const place = test.parent?.root === true ? test.ctx?.currentTest : test;
  return { title: titleOf(test), suite: place?.titlePath()[0] ?? '' };
}

/** Why a test skipped itself. One that is written as `test.skip` has no reason. */
function reasonOf(test: Test): string {
  if (test.fn === undefined || process.env['WEIR_TEST_MODALS'] === '1') return '';
  return 'a desktop VS Code under test opens neither dialogs nor a second window';
}

function titleOf(test: Runnable): string {
  return test.titlePath().join(': ');
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
