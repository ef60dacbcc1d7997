import { parseArgs } from 'node:util';
import path from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { isTarget, targets } from './package/contents.mts';
import { packageVsix } from './package/vsix.mts';

/**
 * Makes the VSIX files, one for each platform because esbuild's binary is inside.
 *
 *     npm run package [-- [--out DIR] [target…]]
 */
const all = Object.keys(targets).filter(isTarget);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: '.' } },
});
const unknown = positionals.find((name) => !isTarget(name));
if (unknown !== undefined) {
  console.error(`There is no target ${unknown}. The targets are ${all.join(', ')}.`);
  process.exit(2);
}
const wanted = positionals.length === 0 ? all : positionals.filter(isTarget);
for (const { file, megabytes } of await packageVsix(wanted, values.out, manifest.version)) {
  console.log(`${path.relative('.', file)}: ${megabytes.toFixed(2)} MB`);
}
