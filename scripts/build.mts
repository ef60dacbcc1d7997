import { cp, mkdir, rm } from 'node:fs/promises';
import { context, type BuildOptions } from 'esbuild';

/**
 * Builds everything that ships into dist/. One list of bundles, one place for their options.
 * `--watch` rebuilds on change and prints the lines that .vscode/tasks.json waits for.
 */
const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');

const node: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  sourcemap: production ? false : 'linked',
  minify: production,
  logLevel: 'warning',
  // esbuild ships unbundled (it has a binary); runtime.js is loaded by the CLI as a file; the optional
  // native helpers of ws are not used.
  external: ['vscode', 'esbuild', './runtime.js', 'bufferutil', 'utf-8-validate'],
};

const bundles: BuildOptions[] = [
  { ...node, entryPoints: { extension: 'src/extension/extension.ts' } },
  { ...node, entryPoints: { runtime: 'src/runtime/main.ts' } },
  { ...node, entryPoints: { 'component-host': 'src/component-host/main.ts' } },
  { ...node, entryPoints: { component: 'src/component/component.ts' } },
  { ...node, entryPoints: { cli: 'src/cli/main.ts' }, banner: { js: '#!/usr/bin/env node' } },
];

await rm('dist', { recursive: true, force: true });
await mkdir('dist', { recursive: true });
// The debug build has readable import names and is as fast (shared/design/performance.md).
await cp('node_modules/sql.js/dist/sql-wasm-debug.js', 'dist/sql-wasm-debug.js');
await cp('node_modules/sql.js/dist/sql-wasm-debug.wasm', 'dist/sql-wasm-debug.wasm');

for (const options of bundles) {
  const built = await context({ ...options, outdir: 'dist' });
  await built.rebuild();
  if (watch) await built.watch();
  else await built.dispose();
}
console.log(watch ? '[build] watching' : '[build] done');
