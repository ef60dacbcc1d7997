import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleTests } from './editor/bundle.mts';
import { launch } from './editor/launch.mts';
import { lifetimeSuite, lifetimeTitle, runtimeFollowsExtensionHost } from './editor/lifetime.mts';
import { packageForHere } from './editor/package.mts';
import { listen, type Outcome } from './editor/report.mts';
import type { Editor, EditorOptions } from './editor/editor.mts';
import { add, oneFailure, line, nothing, type Result } from './test/result.mts';
import { packageTitle } from '../test/editor/package/title.mts';
import { restrictedTitle } from '../test/editor/restricted/title.mts';

/**
 * Runs test/editor inside a real VS Code: a desktop one when there is one, else code-server. Then
 * installs the VSIX for this machine into another one, and runs test/editor/package there; and in a
 * third, whose workspace is not trusted, test/editor/restricted.
 *
 *     node scripts/test-editor.mts --report FILE [--title PART]...
 *
 * Writes a {@link Result} to FILE. What cannot run is one failure with a sentence.
 */
/** A run that takes longer hangs: several times what it takes on two quiet cores. */
const limitMinutes = { all: 20, packaged: 6, restricted: 4 };
const fixtures = path.join('test', 'editor', 'workspace');
const { values } = parseArgs({
  options: { report: { type: 'string' }, title: { type: 'string', multiple: true, default: [] } },
});
const titles = values.title;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(130));
}
let result = await attempt('', runAll);
if (isWanted(packageTitle)) result = add(result, await attempt(packageTitle, runPackaged));
if (isWanted(restrictedTitle)) result = add(result, await attempt(restrictedTitle, runRestricted));
if (values.report !== undefined) {
  await mkdir(path.dirname(values.report), { recursive: true });
  await writeFile(values.report, JSON.stringify(result));
}
console.log(`\n${line(result)}`);
process.exit(result.failures.length > 0 ? 1 : 0);

function isWanted(title: string): boolean {
  return titles.length === 0 || titles.some((part) => title.includes(part));
}

/** Runs on a fresh copy of the fixtures; what could not run at all is one failure. */
async function attempt(
  title: string,
  run: (workspace: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weir-editor-'));
  // Its name is the title of the window, which is in the pictures of the README.
  const workspace = path.join(folder, 'shop');
  try {
    await cp(fixtures, workspace, { recursive: true });
    return await run(workspace);
  } catch (error) {
    console.error(`The editor tests could not run: ${String(error)}`);
    return oneFailure(`the editor tests ${title}`, String(error), title);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runAll(workspace: string): Promise<Result> {
  const run = { workspace, entry: await bundleTests('.'), env: {} };
  return runSuite(
    run,
    limitMinutes.all,
    isWanted(`${lifetimeSuite}: ${lifetimeTitle}`) ? followsHost : undefined,
  );
}

async function followsHost(editor: Editor, outcome: Outcome): Promise<Result> {
  try {
    const { extensionHost, runtime } = outcome;
    const ms = await runtimeFollowsExtensionHost(editor, extensionHost, runtime);
    console.log(`    ✓ ${lifetimeTitle} (${ms} ms)`);
    return { ...nothing, passed: 1 };
  } catch (error) {
    console.log(`    ✗ ${lifetimeTitle}\n        ${String(error)}`);
    return oneFailure(lifetimeTitle, String(error), lifetimeSuite);
  }
}

async function runPackaged(workspace: string): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weir-vsix-'));
  try {
    const vsix = await packageForHere(folder);
    const env = { WEIR_TEST_VSIX: vsix };
    const run = { workspace, entry: await bundleTests('package'), vsix, env };
    return await runSuite(run, limitMinutes.packaged);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In a folder that was used before, by somebody who trusted it. */
async function runRestricted(workspace: string): Promise<Result> {
  await mkdir(path.join(workspace, '.weir'));
  await writeFile(path.join(workspace, '.weir', 'weir.db'), '');
  const settings = { 'security.workspace.trust.enabled': true };
  const run = { workspace, entry: await bundleTests('restricted'), settings, env: {} };
  return runSuite(run, limitMinutes.restricted);
}

/** @param after runs when the suite is done and its window still there */
async function runSuite(
  options: EditorOptions,
  minutes: number,
  after?: (editor: Editor, outcome: Outcome) => Promise<Result>,
): Promise<Result> {
  const reporter = await listen(console.log);
  const screenshots = path.resolve('test-results', 'screenshots');
  await mkdir(screenshots, { recursive: true });
  const editor = await launch(
    {
      ...options,
      env: {
        ...options.env,
        WEIR_TEST_PORT: String(reporter.port),
        WEIR_TEST_TITLES: JSON.stringify(titles),
        WEIR_TEST_FIXTURES: path.resolve(fixtures),
        WEIR_TEST_SCREENSHOTS: screenshots,
      },
    },
    console.log,
  );
  try {
    const late = timeLimit(minutes, () => reporter.current());
    const outcome = await Promise.race([reporter.outcome, editor.ended, late]);
    return add(outcome.result, (await after?.(editor, outcome)) ?? nothing);
  } catch (error) {
    await editor.screenshot(path.join(screenshots, 'could-not-run.png'));
    console.error(editor.log());
    throw error;
  } finally {
    reporter.release();
    await editor.stop();
  }
}

/** @param current says what is running */
function timeLimit(minutes: number, current: () => string): Promise<never> {
  return new Promise((_, reject) => {
    const late = (): void =>
      reject(new Error(`They were not done after ${minutes} minutes; running was: ${current()}`));
    setTimeout(late, minutes * 60_000).unref();
  });
}
