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
import { type Entry, judge, ledgerAt } from './test/ledger.mts';
import { exitCode, line } from './test/result.mts';
import { packageTitle } from '../test/editor/package/title.mts';
import { restrictedTitle } from '../test/editor/restricted/title.mts';

/**
 * Runs test/editor inside a real VS Code: a desktop one when there is one, else code-server. Then
 * installs the VSIX for this machine into another one, and runs test/editor/package there; and in a
 * third, whose workspace is not trusted, test/editor/restricted.
 *
 *     node scripts/test-editor.mts [--ledger FILE] [--title PART]...
 *
 * Writes the layer's ledger (scripts/test/ledger.mts) to FILE. An editor that does not start is one failure with a sentence.
 */
/** Longer than any test with its hooks may take (mocha's limits), in minutes. */
const stallMinutes = 10;
const fixtures = path.join('test', 'editor', 'workspace');
const { values } = parseArgs({
  options: { ledger: { type: 'string' }, title: { type: 'string', multiple: true, default: [] } },
});
/** The suites that have an editor of their own. */
const ownEditor = new Set([packageTitle, restrictedTitle]);
const lifetimeTest = { title: `${lifetimeSuite}: ${lifetimeTitle}`, suite: lifetimeSuite };
// It needs the runtime that its suite leaves.
const titles = isIn(values.title, lifetimeTest.title)
  ? [...values.title, lifetimeSuite]
  : values.title;
const entries: Entry[] = [];
const append = values.ledger === undefined ? undefined : ledgerAt(values.ledger);
const write = (entry: Entry): void => {
  entries.push(entry);
  append?.(entry);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(130));
}
if (titles.length === 0 || titles.some((part) => !ownEditor.has(part))) await attempt('', runAll);
if (isWanted(packageTitle)) await attempt(packageTitle, runPackaged);
if (isWanted(restrictedTitle)) await attempt(restrictedTitle, runRestricted);
write({ t: 'ended' });
const result = judge('editor', entries, 0);
console.log(`\n${line(result)}`);
process.exit(exitCode(result));

function isWanted(title: string): boolean {
  return titles.length === 0 || isIn(titles, title);
}

function isIn(parts: readonly string[], title: string): boolean {
  return parts.some((part) => title.includes(part));
}

/** Runs on a fresh copy of the fixtures. An editor that does not start, or is cut off, is a failure of its own. */
async function attempt(title: string, run: (workspace: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weir-editor-'));
  // Its name is the title of the window, which is in the pictures of the README.
  const workspace = path.join(folder, 'shop');
  try {
    await cp(fixtures, workspace, { recursive: true });
    await run(workspace);
  } catch (error) {
    console.error(`The editor tests could not run: ${String(error)}`);
    write({ t: 'failed', title: `the editor ${title}`.trim(), suite: title, text: String(error) });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runAll(workspace: string): Promise<void> {
  const isAsked = isWanted(lifetimeTest.title);
  if (isAsked) write({ t: 'planned', ...lifetimeTest });
  await runSuite(
    { workspace, entry: await bundleTests('.'), env: {} },
    async (editor, { extensionHost, runtime }) => {
      if (!isAsked) return;
      try {
        const ms = await runtimeFollowsExtensionHost(editor, extensionHost, runtime);
        write({ t: 'passed', ...lifetimeTest });
        console.log(`    ✓ ${lifetimeTitle} (${ms} ms)`);
      } catch (error) {
        write({ t: 'failed', ...lifetimeTest, text: String(error) });
        console.log(`    ✗ ${lifetimeTitle}\n        ${String(error)}`);
      }
    },
  );
}

async function runPackaged(workspace: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weir-vsix-'));
  try {
    const vsix = await packageForHere(folder);
    const env = { WEIR_TEST_VSIX: vsix };
    await runSuite({ workspace, entry: await bundleTests('package'), vsix, env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In a folder that was used before, by somebody who trusted it. */
async function runRestricted(workspace: string): Promise<void> {
  await mkdir(path.join(workspace, '.weir'));
  await writeFile(path.join(workspace, '.weir', 'weir.db'), '');
  const settings = { 'security.workspace.trust.enabled': true };
  await runSuite({ workspace, entry: await bundleTests('restricted'), settings, env: {} });
}

/** @param after runs when the suite is done and its window still there */
async function runSuite(
  options: EditorOptions,
  after?: (editor: Editor, outcome: Outcome) => Promise<void>,
): Promise<void> {
  const stallMs = stallMinutes * 60_000;
  const reporter = await listen({ print: console.log, write, stallMs });
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
    const outcome = await Promise.race([reporter.outcome, editor.ended]);
    await after?.(editor, outcome);
  } catch (error) {
    // A workbench that is stuck may show no picture either.
    await editor.screenshot(path.join(screenshots, 'could-not-run.png')).catch(console.error);
    console.error(editor.log());
    throw error;
  } finally {
    reporter.release();
    await editor.stop();
  }
}
