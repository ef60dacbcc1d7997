import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { build, type BuildOptions } from 'esbuild';

const testFolder = path.resolve('test', 'editor');
// Inside the project, so that mocha and playwright-core are found from there.
const outFolder = path.resolve('.cache', 'editor-tests');
const options: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  sourcemap: 'inline',
  logLevel: 'warning',
  external: ['vscode', 'mocha', 'playwright-core', 'oidc-provider'],
  // test/support undoes what it made at the end of a test, whoever runs that.
  alias: { vitest: path.join(testFolder, 'support', 'vitest-hooks.ts') },
};

/**
 * Bundles one module that runs inside the extension host.
 *
 * @returns the file it became
 */
export async function bundleForEditor(entry: string, outdir = outFolder): Promise<string> {
  const name = path.basename(entry, '.ts');
  await build({ ...options, outdir, entryPoints: { [name]: entry } });
  return path.join(outdir, `${name}.js`);
}

/**
 * Bundles tests into two CommonJS files: what runs inside the extension host, and the suite that it
 * loads once mocha's globals exist.
 *
 * @param folder where they are, inside test/editor
 * @returns the file whose `run()` runs everything
 */
export async function bundleTests(folder: '.' | 'package' | 'restricted'): Promise<string> {
  const outdir = path.join(outFolder, folder);
  const names = await readdir(path.join(testFolder, folder));
  const files = names.filter((name) => name.endsWith('.test.ts')).sort();
  const modules = ['support/hooks.ts', ...files.map((name) => `${folder}/${name}`)];
  await build({
    ...options,
    stdin: {
      // One bundle for all files, so that they share one browser connection.
      contents: modules.map((file) => `import './${file}';`).join('\n'),
      resolveDir: testFolder,
      sourcefile: 'suite.ts',
      loader: 'ts',
    },
    outfile: path.join(outdir, 'suite.js'),
  });
  return bundleForEditor(path.join(testFolder, 'support', 'run.ts'), outdir);
}
