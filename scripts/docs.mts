import { writeFile } from 'node:fs/promises';
import { appSchema, cliPage, manifest, workflowSchema } from './docs/pages.mts';

/** Writes docs/cli.md the schemas of workflow.yaml and of definitions of apps, and the manifest's tools for language models; `npm run docs` has docs/rest-api.md written by the test that tells its story to a runtime. */
await writeFile('docs/cli.md', await cliPage());
await writeFile('schemas/workflow.schema.json', await workflowSchema());
await writeFile('schemas/app.schema.json', await appSchema());
await writeFile('package.json', await manifest());
console.log(
  'Wrote docs/cli.md, schemas/workflow.schema.json, schemas/app.schema.json and the tools in package.json.',
);
