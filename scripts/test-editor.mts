import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleTests } from './editor/bundle.mts';
import { findDesktop, launchDesktop } from './editor/desktop.mts';
import { lifetimeTitle, runtimeFollowsExtensionHost } from './editor/lifetime.mts';
import { listen, type Count } from './editor/report.mts';
import type { Launched, Run } from './editor/run.mts';
import { launchWeb } from './editor/web.mts';

/**
 * Runs test/editor inside a real VS Code: a desktop one when there is one, else code-server.
 *
 *     node scripts/test-editor.mts [--report FILE] [filter]
 *
 * Writes `{passed, failed, skipped}` to FILE. A layer that cannot run is one failure with a sentence.
 */
const limitMinutes = 12;
const fixtures = path.join('test', 'editor', 'workspace');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { report: { type: 'string' } },
});
const filter = positionals.join(' ');

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(130));
}
const count = await runLayer();
if (values.report !== undefined) {
  await mkdir(path.dirname(values.report), { recursive: true });
  await writeFile(values.report, JSON.stringify(count));
}
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed > 0 ? 1 : 0);

async function runLayer(): Promise<Count> {
  const workspace = await mkdtemp(path.join(tmpdir(), 'weir-editor-'));
  try {
    await cp(fixtures, workspace, { recursive: true });
    return await runSuite(workspace);
  } catch (error) {
    console.error(`The editor tests could not run: ${String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    await rm(workspace, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runSuite(workspace: string): Promise<Count> {
  const reporter = await listen(console.log);
  const screenshots = path.resolve('test-results', 'screenshots');
  await mkdir(screenshots, { recursive: true });
  const launched = await launch({
    workspace,
    entry: await bundleTests(),
    env: {
      WEIR_TEST_PORT: String(reporter.port),
      WEIR_TEST_FILTER: filter,
      WEIR_TEST_FIXTURES: path.resolve(fixtures),
      WEIR_TEST_SCREENSHOTS: screenshots,
    },
  });
  try {
    const outcome = await Promise.race([reporter.outcome, launched.ended, timeLimit()]);
    const count = { passed: outcome.passed, failed: outcome.failed, skipped: outcome.skipped };
    if (filter === '' || lifetimeTitle.includes(filter)) {
      try {
        const ms = await runtimeFollowsExtensionHost(
          launched,
          outcome.extensionHost,
          outcome.runtime,
        );
        console.log(`    ✓ ${lifetimeTitle} (${ms} ms)`);
        count.passed += 1;
      } catch (error) {
        console.log(`    ✗ ${lifetimeTitle}\n        ${String(error)}`);
        count.failed += 1;
      }
    }
    return count;
  } catch (error) {
    await launched.screenshot(path.join(screenshots, 'could-not-run.png'));
    console.error(launched.log());
    throw error;
  } finally {
    reporter.release();
    await launched.stop();
  }
}

async function launch(run: Run): Promise<Launched> {
  const desktop = await findDesktop();
  if (desktop.executable !== null) {
    console.log(`editor: ${desktop.executable} (${desktop.why})`);
    return launchDesktop(desktop.executable, run);
  }
  console.log(`editor: code-server (${desktop.why})`);
  return launchWeb(run, console.log);
}

function timeLimit(): Promise<never> {
  return new Promise((_, reject) => {
    const message = `The editor tests were not done after ${limitMinutes} minutes.`;
    setTimeout(() => reject(new Error(message)), limitMinutes * 60_000).unref();
  });
}
