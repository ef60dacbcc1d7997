import { writeFile } from 'node:fs/promises';
import { pages } from './docs/pages.mts';

/** Writes docs/rest-api.md and docs/cli.md. A unit test fails while they are stale. */
for (const [file, text] of Object.entries(await pages())) {
  await writeFile(file, text);
  console.log(`Wrote ${file}.`);
}
