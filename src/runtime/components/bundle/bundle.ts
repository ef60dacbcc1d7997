import { dirname, resolve } from 'node:path';
import type { BuildFailure, BuildOptions, BuildResult, Message, Plugin } from 'esbuild';
import { WeirError } from '../../../protocol/errors.ts';
import { withEsbuild } from './esbuild.ts';
import { platformModules } from './platform-modules.ts';
import { withPlainSources } from './source-map.ts';

/** The content of a deployment folder, and its origin. */
export interface Bundle {
  readonly code: Uint8Array;
  readonly map: Uint8Array;
  /** Absolute paths of all files on disk that went in, packages included. */
  readonly files: readonly string[];
  /** Bytes of each in `code`; files that were dropped entirely are missing. */
  readonly sizes: ReadonlyMap<string, number>;
}

export const bundleName = 'component.mjs';
export const mapName = `${bundleName}.map`;

/**
 * CommonJS packages inside the ESM bundle call `require` for Node's own modules. `__dirname` and
 * `__filename` are replaced by expressions instead, because components often declare them themselves.
 */
const banner = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`;

/**
 * Whether anything in a bundle uses its own path, `__dirname` included: most do not, and their files
 * need not be read once more to find out which.
 */
export function usesImportMeta(code: Uint8Array): boolean {
  return Buffer.from(code.buffer, code.byteOffset, code.byteLength).includes(
    'import.meta.',
    banner.length,
  );
}

/** Starts esbuild's process, which the first bundle would wait for. */
export async function warmBundler(): Promise<void> {
  await withEsbuild((esbuild) => esbuild.transform(''));
}

/**
 * Bundles a file once.
 *
 * @param entry the file's real path; errors name other files as seen from its folder
 * @param folder a folder beside which the deployment folder will lie; the source map's paths are
 *   relative to it, as absolute ones do not bind in the debugger.
 * @returns the bundle, or esbuild's messages when the code is wrong.
 */
export async function bundle(
  entry: string,
  folder: string,
  plugins: readonly Plugin[],
  signal: AbortSignal | undefined,
): Promise<Bundle | { readonly errors: readonly Message[] }> {
  const context = await withEsbuild((esbuild) =>
    esbuild.context({
      ...options,
      entryPoints: [entryName],
      absWorkingDir: dirname(entry),
      outfile: resolve(folder, bundleName),
      plugins: [entryPlugin(entry), platformModules, ...plugins],
    }),
  );
  const cancel = () => void context.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    signal?.throwIfAborted();
    return bundleOf(await context.rebuild(), dirname(entry), folder);
  } catch (error) {
    if (signal?.aborted === true) throw new WeirError('cancelled', 'The build was cancelled.');
    if (isBuildFailure(error)) return { errors: error.errors };
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    await context.dispose();
  }
}

/** esbuild takes a `*` in the path of an entry for a pattern, so that it is asked for by a name. */
const entryName = 'weir-entry';

function entryPlugin(path: string): Plugin {
  return {
    name: entryName,
    setup: (build) => {
      build.onResolve({ filter: /^weir-entry$/ }, ({ kind }) =>
        kind === 'entry-point' ? { path } : undefined,
      );
    },
  };
}

const options = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  charset: 'utf8',
  sourcemap: 'linked',
  legalComments: 'none',
  logLevel: 'silent',
  write: false,
  metafile: true,
  banner: { js: banner },
  define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
  // `.mjs` after `.js`: packages that ship both mean the `.js` when a CommonJS file leaves it out.
  resolveExtensions: ['.ts', '.mts', '.js', '.mjs', '.cjs', '.cts', '.json'],
  // Not the user's tsconfig: with `verbatimModuleSyntax` in it, interfaces imported like values, as
  // published TypeScript does, would stay and fail (P1.17).
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
} satisfies BuildOptions;

function bundleOf(
  result: BuildResult<typeof options>,
  workingFolder: string,
  folder: string,
): Bundle {
  const output = (ending: string): Uint8Array => {
    const file = result.outputFiles.find(({ path }) => path.endsWith(ending));
    if (file === undefined) throw new Error(`esbuild wrote no ${ending}`);
    return file.contents;
  };
  const contents = Object.values(result.metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs),
  );
  return {
    code: output(bundleName),
    map: withPlainSources(output(mapName), folder),
    files: Object.keys(result.metafile.inputs)
      .filter(isOnDisk)
      .map((path) => resolve(workingFolder, path)),
    sizes: new Map(
      contents
        .filter(([path]) => isOnDisk(path))
        .map(([path, { bytesInOutput }]) => [resolve(workingFolder, path), bytesInOutput]),
    ),
  };
}

/** Modules that are answered by a plugin carry their namespace. */
function isOnDisk(path: string): boolean {
  return !/^[a-z-]{2,}:/.test(path);
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && Array.isArray((error as Partial<BuildFailure>).errors);
}
