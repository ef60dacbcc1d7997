import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Argument } from 'commander';
import { needsTypes, writeAuthorTypes } from '../../client/author-types.ts';
import { WeirError } from '../../protocol/errors.ts';
import { writeInside } from '../../protocol/write-inside.ts';
import { withAgentsSection } from '../agents-file.ts';
import { UsageError } from '../arguments.ts';
import type { Tools, Verb } from '../cli.ts';
import { type Kind, newComponent, type NewFile, newWorkflow, wordsOf } from '../templates.ts';

interface InitFlags {
  readonly db?: boolean;
  readonly http?: boolean;
  readonly timer?: boolean;
  readonly typescript?: boolean;
}

export const init: Verb = (program, cli) => {
  program
    .command('init')
    .description(
      'Write a new component or workflow that works as it is, or what agents have to know in AGENTS.md',
    )
    .addArgument(
      new Argument('<kind>', 'what to write').choices([
        'source',
        'action',
        'app',
        'workflow',
        'agents',
      ]),
    )
    .argument(
      '[name]',
      'its name, which the file or folder and the key are named after; none for agents',
    )
    .option('--http', 'source or workflow: start it with an HTTP request')
    .option('--timer', 'source or workflow: start it on a schedule')
    .option('--db', 'source: give it a db, which keeps values between runs')
    .option(
      '--typescript',
      'TypeScript, with the types of weir/component; a workflow always has them',
    )
    .action(async (kind: Kind | 'agents', given: string | undefined, flags: InitFlags, command) => {
      const { db = false, http = false, timer = false, typescript = false } = flags;
      if (kind === 'agents') {
        if (given !== undefined) throw new UsageError('AGENTS.md has no other name: leave it out.');
        await cli.run(command, async (tools) => await writeAgents(tools));
        return;
      }
      const name = given ?? '';
      if (kind !== 'source' && db) throw new UsageError('--db is for sources only.');
      if (kind !== 'source' && kind !== 'workflow' && (http || timer)) {
        throw new UsageError('--http and --timer are for sources and workflows only.');
      }
      if (wordsOf(name).length === 0) {
        throw new UsageError(
          given === undefined
            ? `Give it a name: weir init ${kind} "My ${kind}".`
            : `The name "${name}" has no letters or digits to name a file after.`,
        );
      }
      const options = { name, db, http, timer, typescript };
      const files = kind === 'workflow' ? newWorkflow(options) : [newComponent(kind, options)];
      await cli.run(command, async (tools) => await write(tools, kind, files));
    });
};

async function write({ io, out }: Tools, kind: Kind, files: readonly NewFile[]): Promise<void> {
  const paths: string[] = [];
  for (const file of files) paths.push(await writeNew(io.cwd, file));
  const [path = ''] = paths;
  if (files.some(({ text }) => needsTypes(text))) {
    // Without them the component works as well; only the editor knows less of it.
    await writeAuthorTypes(io.cwd, join(__dirname, 'component')).catch(() => undefined);
  }
  const next = { source: 'weir dev', action: 'weir run', app: undefined, workflow: 'weir deploy' };
  const shown = relative(io.cwd, kind === 'workflow' ? dirname(path) : path);
  const advice = next[kind] === undefined ? '' : `\nTry it with: ${next[kind]} ${shown}`;
  // For people alone: with --json it is no part of the answer.
  const agents = existsSync(join(io.cwd, agentsFile))
    ? ''
    : '\nFor agents that work here: weir init agents';
  out.answer({ file: path, kind }, () => `Wrote ${shown}.${advice}${agents}`);
}

const agentsFile = 'AGENTS.md';

/** Keeps the existing content of the file. */
async function writeAgents({ io, out }: Tools): Promise<void> {
  const file = join(io.cwd, agentsFile);
  const existing = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  const text = withAgentsSection(existing);
  if (text !== undefined) await writeInside(io.cwd, file, text);
  const done =
    text === undefined
      ? `${agentsFile} has a section about Weir already: nothing was changed.`
      : `${existing === undefined ? 'Wrote' : 'Added a section to'} ${agentsFile}.`;
  out.answer({ file, kind: 'agents', changed: text !== undefined }, () => done);
}

/** @returns its path @throws WeirError `conflict` when it is there already */
async function writeNew(folder: string, { path: name, text }: NewFile): Promise<string> {
  const path = join(folder, name);
  try {
    await writeInside(folder, path, text, { replace: false });
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new WeirError('conflict', `${path} exists already; choose another name.`);
  }
}
