import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { Argument } from 'commander';
import { importsWeir, writeAuthorTypes } from '../../client/author-types.ts';
import { WeirError } from '../../protocol/errors.ts';
import { UsageError } from '../arguments.ts';
import type { Tools, Verb } from '../cli.ts';
import { type Kind, newComponent, wordsOf } from '../templates.ts';

interface InitFlags {
  readonly db?: boolean;
  readonly http?: boolean;
  readonly timer?: boolean;
  readonly typescript?: boolean;
}

export const init: Verb = (program, cli) => {
  program
    .command('init')
    .description('Write a new component that works as it is')
    .addArgument(new Argument('<kind>', 'what to write').choices(['source', 'action', 'app']))
    .argument('<name>', 'its name, which the file and the key are named after')
    .option('--http', 'source: runs on a request')
    .option('--timer', 'source: runs on a schedule')
    .option('--db', 'source: keeps values between runs')
    .option('--typescript', 'TypeScript, with the types of weir/component')
    .action(async (kind: Kind, name: string, flags: InitFlags, command) => {
      const { db = false, http = false, timer = false, typescript = false } = flags;
      if (kind !== 'source' && (db || http || timer)) {
        throw new UsageError('--db, --http and --timer are for sources only.');
      }
      if (wordsOf(name).length === 0) {
        throw new UsageError(`The name "${name}" has no letters or digits to name a file after.`);
      }
      const file = newComponent(kind, { name, db, http, timer, typescript });
      await cli.run(command, async (tools) => await write(tools, kind, file));
    });
};

async function write(
  { io, out }: Tools,
  kind: Kind,
  file: { readonly path: string; readonly text: string },
): Promise<void> {
  const path = resolve(io.cwd, file.path);
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, file.text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new WeirError('conflict', `${path} exists already; choose another name.`);
  }
  if (importsWeir(file.text)) {
    // Without them the component works as well; only the editor knows less of it.
    await writeAuthorTypes(io.cwd, join(__dirname, 'component')).catch(() => undefined);
  }
  const next = { source: 'weir dev', action: 'weir run', app: undefined }[kind];
  const shown = relative(io.cwd, path);
  const advice = next === undefined ? '' : `\nTry it with: ${next} ${shown}`;
  out.answer({ file: path, kind }, () => `Wrote ${shown}.${advice}`);
}
