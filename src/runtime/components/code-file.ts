/** A component that is given as text (P17.1), as a file: stack traces, breakpoints and npm need one. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Loader, Plugin } from 'esbuild';

/**
 * Writes it below a name made of its hash, so that the same text is the same file.
 *
 * @param folder made when it is missing
 * @returns the file's absolute path
 */
export async function writeCodeFile(folder: string, code: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const name = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const file = join(folder, name + (await codeExtension(code)));
  await writeFile(file, code, { mode: 0o600 });
  return file;
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
  const esbuild = await import('esbuild');
  try {
    const { metafile } = await esbuild.build({
      stdin: { contents: code, loader, sourcefile: 'code' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'silent',
      plugins: [leaveImports],
    });
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
