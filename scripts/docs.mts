import { writeFile } from 'node:fs/promises';
import { appSchema, cliPage, workflowSchema } from './docs/pages.mts';

/** Writes docs/cli.md and the schemas of workflow.yaml and of definitions of apps; `npm run docs` has docs/rest-api.md written by the test that tells its story to a runtime. */
await writeFile('docs/cli.md', await cliPage());
await writeFile('schemas/workflow.schema.json', await workflowSchema());
await writeFile('schemas/app.schema.json', await appSchema());
console.log('Wrote docs/cli.md, schemas/workflow.schema.json and schemas/app.schema.json.');
