import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { groups, runLayer, type Layer } from './test/layers.mts';
import {
  add,
  exitCode,
  failuresIn,
  line,
  nothing,
  requireAll,
  type Outcome,
  type Result,
} from './test/result.mts';
import { settle, triedAgain } from './test/second-try.mts';

/**
 * Runs the test layers and ends in one line, `N passed, N failed`; above it, whatever failed or could
 * not run on this machine.
 *
 *     node scripts/test.mts [layer] [-- filter]
 */
const [first, ...rest] = process.argv.slice(2).filter((argument) => argument !== '--');
const only = groups.flat().find((layer) => layer === first);
const filters = only === undefined && first !== undefined ? [first, ...rest] : rest;

rmSync('test-results', { recursive: true, force: true });
mkdirSync('test-results', { recursive: true });

// The other layers drive what ships, so it is built first.
if (only !== 'unit') {
  const built = spawnSync(process.execPath, ['scripts/build.mts'], { stdio: 'inherit' });
  if (built.status !== 0) {
    console.log('The build failed.\n0 passed, 1 failed');
    process.exit(1);
  }
}

let total: Result = nothing;
const secondTry: Outcome[] = [];
const times: string[] = [];
for (const group of only === undefined ? groups : [[only]]) {
  const results = await Promise.all(group.map(runTwice));
  for (const [at, result] of results.entries()) {
    console.log(`${group[at]}: ${line(result)}`);
    total = add(total, result);
  }
}
for (const { title, state, text } of total.outcomes) {
  if (state === 'not run') console.log(`NOT RUN: ${title} (${text})`);
}
for (const { title, text } of secondTry) tell('AT THE SECOND TRY', title, text);
for (const { title, text } of failuresIn(total)) tell('FAILED', title, text);
console.log(`Minutes: ${times.join(', ')}`);
console.log(line(total));
process.exit(exitCode(total));

/** A person who runs a part of a layer watches it, and sees its failures at once. */
async function runTwice(layer: Layer): Promise<Result> {
  const began = performance.now();
  const settled = await settledLayer(layer);
  times.push(`${layer} ${((performance.now() - began) / 60_000).toFixed(1)}`);
  return process.env['CI'] === 'true' ? requireAll(settled) : settled;
}

async function settledLayer(layer: Layer): Promise<Result> {
  const result = await runLayer(layer, filters);
  const again = filters.length > 0 ? [] : triedAgain(layer, result);
  if (again.length === 0) return result;
  const named = again.filter((suite) => suite !== '');
  console.log(`${layer}: ${line(result)}; a second try of ${named.join(', ') || 'everything'}`);
  const settled = settle(result, again, await runLayer(layer, named));
  secondTry.push(...settled.secondTry);
  return settled;
}

function tell(what: string, title: string, text: string): void {
  console.log(`${what}: ${title}\n${text.replaceAll(/^/gm, '    ')}`);
}
