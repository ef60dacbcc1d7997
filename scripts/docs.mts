import { writeFile } from 'node:fs/promises';
import { cliPage } from './docs/pages.mts';

/** Writes docs/cli.md; `npm run docs` has docs/rest-api.md written by the test that tells its story to a runtime. */
await writeFile('docs/cli.md', await cliPage());
console.log('Wrote docs/cli.md.');
