import { allBundles, build } from './bundles.mts';

/**
 * Builds everything into dist/. `--watch` rebuilds on change and prints the lines that
 * .vscode/tasks.json waits for.
 */
const watch = process.argv.includes('--watch');

await build({ names: allBundles, outdir: 'dist', production: false, watch });
console.log(watch ? '[build] watching' : '[build] done');
