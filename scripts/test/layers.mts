import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readLedger } from './ledger.mts';
import type { Result } from './result.mts';

/**
 * One group after the other, the layers of a group at the same time. Chaos lasts as long as it is told to, however busy the
 * machine is. Tried: the editor beside the runtime layer. It saves nothing on two cores, and more tests run into their limits.
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
  const ledger = ledgerOf(layer);
  const reporters = ['default', './scripts/test/vitest-ledger.mts'].map(
    (one) => `--reporter=${one}`,
  );
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', layer];
  const args = [...vitest, ...reporters, `--outputFile.ledger=${ledger}`, ...filters];
  return readLedger(layer, ledger, await run(ledger, args, environment));
}

async function runEditor(filters: readonly string[]): Promise<Result> {
  const ledger = ledgerOf('editor');
  const titles = filters.flatMap((filter) => ['--title', filter]);
  const code = await run(ledger, ['scripts/test-editor.mts', '--ledger', ledger, ...titles]);
  return readLedger('editor', ledger, code);
}

function ledgerOf(layer: Layer): string {
  return path.resolve('test-results', `${layer}.jsonl`);
}

/** @returns the exit code; a process that does not start or is killed has 1 */
function run(
  ledger: string,
  args: string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  rmSync(ledger, { force: true });
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    });
    child.on('exit', (code) => resolve(code ?? 1));
    child.on('error', (error) => {
      console.error(String(error));
      resolve(1);
    });
  });
}
