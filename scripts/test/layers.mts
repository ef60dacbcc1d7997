import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { oneFailure, type Result, resultOf, type VitestReport } from './result.mts';

/**
 * One after the other; those of a group side by side. Chaos lasts as long as it is told to, however busy the machine is.
 */
export const groups = [
  ['unit', 'chaos'],
  ['runtime'],
  ['postgres'],
  ['webview'],
  ['editor'],
  ['fuzz'],
] as const;
export type Layer = (typeof groups)[number][number];

/**
 * Runs one layer in processes of its own; what it says goes to the terminal.
 * @param filters parts of the paths of files, or of the titles of the editor's tests; none for all
 */
export function runLayer(layer: Layer, filters: readonly string[]): Promise<Result> {
  if (layer === 'editor') return runEditor(filters);
  return layer === 'chaos' || layer === 'fuzz'
    ? runRandom(layer, filters)
    : runVitest(layer, filters);
}

/** @param args `--minutes N --seed S` beside filters; what the layer says, and a new seed, unless given */
function runRandom(layer: 'chaos' | 'fuzz', args: readonly string[]): Promise<Result> {
  const options = { minutes: { type: 'string' }, seed: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const prefix = `WEIR_${layer.toUpperCase()}`;
  return runVitest(layer, positionals, {
    ...(values.minutes !== undefined && { [`${prefix}_MINUTES`]: values.minutes }),
    ...(values.seed !== undefined && { [`${prefix}_SEED`]: values.seed }),
  });
}

async function runVitest(
  layer: Layer,
  filters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const report = `test-results/${layer}.json`;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', layer];
  const code = await run(report, [...vitest, ...reporters, ...filters], environment);
  return read(layer, report, code, (text) => resultOf(JSON.parse(text) as VitestReport));
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

function run(
  report: string,
  args: string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  rmSync(report, { force: true });
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
