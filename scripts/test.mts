import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';

/**
 * Runs the test layers and ends in one line, `N passed, N failed`.
 *
 *     node scripts/test.mts [layer] [-- filter]
 *
 * A layer that cannot run (no browser, no editor) counts as a failure, never as a skip.
 */
const layers = ['unit', 'runtime', 'webview', 'editor'] as const;
type Layer = (typeof layers)[number];

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const [first, ...rest] = process.argv.slice(2).filter((argument) => argument !== '--');
const only = layers.find((layer) => layer === first);
const filter = only === undefined && first !== undefined ? [first, ...rest] : rest;

rmSync('test-results', { recursive: true, force: true });
mkdirSync('test-results', { recursive: true });

// The other layers drive what ships, so it is built first.
if (only !== 'unit') {
  const built = spawnSync(process.execPath, ['scripts/build.mts'], { stdio: 'inherit' });
  if (built.status !== 0) fail('The build failed.');
}

const total: Count = { passed: 0, failed: 0, skipped: 0 };
for (const layer of only === undefined ? layers : [only]) {
  const count = layer === 'editor' ? await runEditor() : await runVitest(layer);
  console.log(`${layer}: ${line(count)}`);
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
}
console.log(line(total));
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

async function runVitest(layer: Exclude<Layer, 'editor'>): Promise<Count> {
  const report = `test-results/${layer}.json`;
  const args = [
    'run',
    '--project',
    layer,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const code = await run('node_modules/vitest/vitest.mjs', [...args, ...filter]);
  return counted(layer, code, () => {
    const json = JSON.parse(readFileSync(report, 'utf8')) as {
      numPassedTests: number;
      numFailedTests: number;
      numPendingTests: number;
    };
    return {
      passed: json.numPassedTests,
      failed: json.numFailedTests,
      skipped: json.numPendingTests,
    };
  });
}

async function runEditor(): Promise<Count> {
  const report = 'test-results/editor.json';
  const code = await run('scripts/test-editor.mts', ['--report', report, ...filter]);
  return counted('editor', code, () => JSON.parse(readFileSync(report, 'utf8')) as Count);
}

/** A runner that failed without naming a failed test (a crash, no report) is one failure itself. */
function counted(layer: string, code: number, read: () => Count): Count {
  try {
    const count = read();
    if (code !== 0 && count.failed === 0) return { ...count, failed: 1 };
    return count;
  } catch (error) {
    console.error(`The ${layer} layer could not run: ${String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function run(script: string, args: string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit' });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function line(count: Count): string {
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
  return `${count.passed} passed, ${count.failed} failed${skipped}`;
}

function fail(message: string): never {
  console.error(message);
  console.log('0 passed, 1 failed');
  process.exit(1);
}
