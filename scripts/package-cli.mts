import path from 'node:path';
import { parseArgs } from 'node:util';
import { packageCli } from './package/cli.mts';

/**
 * Makes the npm package of the command line.
 *
 *     npm run package:cli [-- --out DIR]
 */
const { values } = parseArgs({ options: { out: { type: 'string', default: '.' } } });
const { file, megabytes } = await packageCli(values.out);
console.log(`${path.relative('.', file)}: ${megabytes.toFixed(2)} MB`);
