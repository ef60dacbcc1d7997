import { writeFile } from 'node:fs/promises';
import { appSchema, cliPage, manifest, roomsPage, workflowSchema } from './docs/pages.mts';
import { roomsPicture } from './docs/rooms.mts';
import { house } from './lint/house.mts';

/** Writes docs/cli.md, docs/rooms.md with its picture, the schemas of workflow.yaml and of app definitions, and the manifest's tools for language models; `npm run docs` has docs/rest-api.md written by the test that tells its story to a runtime. */
await writeFile('docs/cli.md', await cliPage());
await writeFile('docs/rooms.md', await roomsPage());
await writeFile('docs/images/rooms.svg', roomsPicture(house));
await writeFile('schemas/workflow.schema.json', await workflowSchema());
await writeFile('schemas/app.schema.json', await appSchema());
await writeFile('package.json', await manifest());
console.log(
  'Wrote docs/cli.md, docs/rooms.md, docs/images/rooms.svg, schemas/workflow.schema.json, schemas/app.schema.json and the tools in package.json.',
);
