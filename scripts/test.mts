import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { groups, runLayer, type Layer } from './test/layers.mts';
import {
  add,
  line,
  nothing,
  settle,
  triedAgain,
  type Failure,
  type Result,
} from './test/result.mts';

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
const secondTry: Failure[] = [];
for (const group of only === undefined ? groups : [[only]]) {
  const results = await Promise.all(group.map(runTwice));
  for (const [at, result] of results.entries()) {
    console.log(`${group[at]}: ${line(result)}`);
    total = add(total, result);
  }
}
for (const { title, reason } of total.notRun) {
  console.log(`NOT RUN: ${title}${reason === '' ? '' : ` (${reason})`}`);
}
for (const { title, error } of secondTry) tell('AT THE SECOND TRY', title, error);
for (const { title, error } of total.failures) tell('FAILED', title, error);
console.log(line(total));
process.exit(total.failures.length > 0 || total.passed === 0 ? 1 : 0);

/** Who runs a part of a layer looks at it, and is told at once. */
async function runTwice(layer: Layer): Promise<Result> {
  const result = await runLayer(layer, filters);
  const again = filters.length > 0 ? [] : triedAgain(result);
  if (again.length === 0) return result;
  console.log(`${layer}: ${line(result)}; a second try of ${again.join(', ')}`);
  const settled = settle(result, again, await runLayer(layer, again));
  secondTry.push(...settled.secondTry);
  return settled;
}

function tell(what: string, title: string, error: string): void {
  console.log(`${what}: ${title}\n${error.replaceAll(/^/gm, '    ')}`);
}
