import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Result } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { sourceOfTest } from '../../protocol/source-of-test.ts';
import { writeNamed } from '../../protocol/write-inside.ts';
import { type RunMode, runMode } from '../../protocol/run-mode.ts';
import { askedMode, type ModeFlags, withModes } from '../asked-mode.ts';
import { UsageError } from '../arguments.ts';
import type { Cli, ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { withRuntime } from '../runtime-for-this.ts';
import { tellWhatWentOut } from '../workflows/tell-what-went-out.ts';
import { junitText } from '../views/junit.ts';
import { type TestEnd, testEndText, testSummary } from '../views/tests.ts';

interface TestFlags extends ModeFlags {
  readonly filter?: string;
  readonly reporter?: string;
  readonly output?: string;
  readonly update?: boolean;
  readonly bail?: boolean;
}

export const test: Verb = (program, cli) => {
  const command = program
    .command('test [places...]')
    .description(
      "Run the saved tests of workflows and sources, tests/*.test.yaml beside them, as dry runs: nothing leaves; requests are answered from the test's recording, and data stores are copies",
    )
    .option('--filter <text>', 'run only tests whose path contains this text')
    .option('--reporter <name>', 'junit: write the results as JUnit XML into --output')
    .option('--output <file>', 'file that the reporter writes (test-results.xml)')
    .option('--update', 'accept the current results as expected')
    .option('--bail', 'stop at the first failure');
  withModes(command, 'make dry runs, which is the default').action(
    async (places: string[], flags: TestFlags, command) => {
      await run(cli, command, places, flags);
    },
  );
};

async function run(
  cli: Cli,
  command: Command,
  places: readonly string[],
  flags: TestFlags,
): Promise<void> {
  const { dataFolder, io } = cli.tools(command);
  if (flags.reporter !== undefined && flags.reporter !== 'junit') {
    throw new UsageError(`There is no reporter "${flags.reporter}"; there is junit.`);
  }
  if (flags.output !== undefined && flags.reporter === undefined) {
    throw new UsageError('--output is where --reporter writes: give both.');
  }
  const found = await findTests(places.length === 0 ? ['.'] : places, io.cwd);
  const files = found.filter((file) => flags.filter === undefined || file.includes(flags.filter));
  if (files.length === 0) {
    throw new WeirError(
      'not_found',
      `There is no test ${flags.filter === undefined ? '' : `with "${flags.filter}" in its path `}here: a test is tests/NAME.test.yaml beside workflow.yaml or a source. "weir save-test exec_12" writes one.`,
    );
  }
  await withRuntime(dataFolder, () =>
    cli.connected(command, async (tools) => runAll(tools, files, flags)),
  );
}

async function runAll(
  tools: ConnectedTools,
  files: readonly string[],
  { update, bail, reporter, output, ...modes }: TestFlags,
): Promise<ExitCode> {
  const { io, out, interrupted } = tools;
  const ends: TestEnd[] = [];
  const mode = savedMode(modes);
  for (const file of files) {
    if (interrupted.aborted) break;
    const end = await runOne(tools, file, update === true, mode);
    ends.push(end);
    out.live(() => testEndText(end, io.cwd));
    if (mode === 'real') await tellWhatWentOut(tools, end.execution_id);
    if (bail === true && !end.passed) break;
  }
  if (reporter === 'junit') {
    const file = resolve(io.cwd, output ?? 'test-results.xml');
    await writeNamed(io.cwd, file, junitText(ends));
  }
  out.answer(ends, () => testSummary(ends, files.length));
  return ends.every(({ passed }) => passed) && ends.length === files.length ? 0 : 1;
}

/** Saved tests are always dry, so nobody is asked. */
function savedMode(flags: ModeFlags): RunMode {
  const mode = runMode({ kind: 'saved', hasPerson: false, asked: askedMode(flags) });
  return mode === 'ask' ? 'dry' : mode;
}

async function runOne(
  { call, interrupted }: ConnectedTools,
  file: string,
  update: boolean,
  mode: RunMode,
): Promise<TestEnd> {
  try {
    const result: Result<'tests.run'> = await call('tests.run', { file, update, mode });
    return { ...result, error: null };
  } catch (error) {
    if (interrupted.aborted) throw error;
    return {
      file,
      name: basename(file).replace(/\.test\.ya?ml$/, ''),
      subject: basename(dirname(dirname(file))),
      passed: false,
      updated: false,
      execution_id: null,
      differences: [],
      duration_ms: 0,
      error: messageOf(error),
    };
  }
}

/** @returns absolute paths, in order; of a file itself, of a folder all below it */
async function findTests(places: readonly string[], cwd: string): Promise<string[]> {
  const found = new Set<string>();
  for (const place of places) {
    const path = resolve(cwd, place);
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined) throw new UsageError(`There is no ${relative(cwd, path) || path}.`);
    if (stats.isFile()) found.add(path);
    else for (const file of await testsBelow(path)) found.add(file);
  }
  return [...found].sort();
}

async function testsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const isWorkflow = entries.some(({ name }) => name === 'workflow.yaml');
  const all = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory() || entry.name === 'node_modules' || entry.name.startsWith('.')) {
        return [];
      }
      if (entry.name !== 'tests') return testsBelow(path);
      const names = await readdir(path).catch(() => []);
      const files = names
        .filter((name) => /\.test\.ya?ml$/.test(name))
        .map((name) => join(path, name));
      return isWorkflow ? files : sourceTests(files);
    }),
  );
  return all.flat();
}

/** Other tools have such files, too: the test of a source names it. */
async function sourceTests(files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return files.filter((_, at) => Boolean(sourceOfTest(texts[at] ?? '')));
}
