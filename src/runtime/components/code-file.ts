/** A component that is given as text (P17.1), as a file: stack traces, breakpoints and npm need one. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Loader, Plugin } from 'esbuild';
import { temporaryIn } from '../base/temporary-folders.ts';
import { withEsbuild } from './bundle/esbuild.ts';

/**
 * Writes it below a name made of its hash, so that the same text is the same file. One that is there
 * already is left alone, as another build may be reading it; a new one appears whole.
 *
 * @param folder made when it is missing
 * @returns the file's absolute path
 */
export async function writeCodeFile(folder: string, code: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const name = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const file = join(folder, name + (await codeExtension(code)));
  if ((await readFile(file, 'utf8').catch(() => undefined)) === code) return file;
  const temporary = temporaryIn(folder);
  try {
    await writeFile(temporary, code, { mode: 0o600 });
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  return file;
}

/**
 * Removes the files of code that is not saved, such as that of actions (P12.12). Only at a start, because later a build
 * may be reading them.
 * @param paths of the saved components, null for components without one. A data folder that was moved or restored has
 * other paths, so only the names count, which are unique.
 */
export async function removeUnusedCodeFiles(
  folder: string,
  paths: Iterable<string | null>,
): Promise<void> {
  const used = new Set([...paths].map((path) => path !== null && basename(path)));
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const unused = names.filter((name) => !used.has(name));
  await Promise.all(unused.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/**
 * Text brings no extension to say what it is written in: an ES module, CommonJS or TypeScript.
 * JavaScript is tried first, as the same text can mean something else in TypeScript (`a<b>(c)`). What is
 * neither goes as TypeScript, whose messages fit both.
 */
export async function codeExtension(code: string): Promise<'.mjs' | '.cjs' | '.ts'> {
  const format = await formatOf(code, 'js');
  if (format === undefined) return '.ts';
  return format === 'cjs' ? '.cjs' : '.mjs';
}

/** Undefined for text that does not parse. */
async function formatOf(code: string, loader: Loader): Promise<'cjs' | 'esm' | undefined> {
  try {
    const { metafile } = await withEsbuild((esbuild) =>
      esbuild.build({
        stdin: { contents: code, loader, sourcefile: 'code' },
        bundle: true,
        platform: 'node',
        format: 'esm',
        write: false,
        metafile: true,
        logLevel: 'silent',
        plugins: [leaveImports],
      }),
    );
    return Object.values(metafile.inputs)[0]?.format ?? 'esm';
  } catch {
    return undefined;
  }
}

/** Only the text itself is looked at. */
const leaveImports: Plugin = {
  name: 'weir-leave-imports',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path, external: true },
    );
  },
};
