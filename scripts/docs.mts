import { writeFile } from 'node:fs/promises';
import { cliPage, workflowSchema } from './docs/pages.mts';

/** Writes docs/cli.md and the schema of workflow.yaml; `npm run docs` has docs/rest-api.md written by the test that tells its story to a runtime. */
await writeFile('docs/cli.md', await cliPage());
await writeFile('schemas/workflow.schema.json', await workflowSchema());
console.log('Wrote docs/cli.md and schemas/workflow.schema.json.');
