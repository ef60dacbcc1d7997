import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { oneFailure, type Result } from './result.mts';

export const layers = ['unit', 'runtime', 'webview', 'editor'] as const;
export type Layer = (typeof layers)[number];

/**
 * Runs one layer in processes of its own; what it says goes to the terminal.
 * @param filters parts of the paths of files, or of the titles of the editor's tests; none for all
 */
export function runLayer(layer: Layer, filters: readonly string[]): Promise<Result> {
  return layer === 'editor' ? runEditor(filters) : runVitest(layer, filters);
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

async function runVitest(layer: Layer, filters: readonly string[]): Promise<Result> {
  const report = `test-results/${layer}.json`;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', layer];
  const code = await run(report, [...vitest, ...reporters, ...filters]);
  return read(layer, report, code, (text) => {
    const { numPassedTests, numPendingTests, testResults } = JSON.parse(text) as VitestReport;
    const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
      const again = path.relative('.', name);
      const failed = assertionResults.filter((one) => one.status === 'failed');
      if (failed.length === 0 && status === 'failed') {
        return [{ title: again, error: message, again }];
      }
      return failed.map(({ fullName, failureMessages }) => ({
        title: `${again}: ${fullName}`,
        error: failureMessages.join('\n'),
        again,
      }));
    });
    return { passed: numPassedTests, skipped: numPendingTests, failures };
  });
}

async function runEditor(filters: readonly string[]): Promise<Result> {
  const report = 'test-results/editor.json';
  const titles = filters.flatMap((filter) => ['--title', filter]);
  const code = await run(report, ['scripts/test-editor.mts', '--report', report, ...titles]);
  return read('editor', report, code, (text) => JSON.parse(text) as Result);
}

/** A runner that failed without naming a failed test (a crash, no report) is one failure itself. */
function read(layer: Layer, report: string, code: number, parse: (text: string) => Result): Result {
  try {
    const result = parse(readFileSync(report, 'utf8'));
    if (code === 0 || result.failures.length > 0) return result;
    const failures = oneFailure(`the ${layer} layer`, `It ended with code ${code}.`).failures;
    return { ...result, failures };
  } catch (error) {
    return oneFailure(`the ${layer} layer`, `It could not run: ${String(error)}`);
  }
}

function run(report: string, args: string[]): Promise<number> {
  rmSync(report, { force: true });
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
