import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { appSchema, cliPage, manifest, workflowSchema } from '../../../scripts/docs/pages.mts';

test('docs/cli.md is up to date; else run: npm run docs', async () => {
  expect(await readFile('docs/cli.md', 'utf8')).toBe(await cliPage());
});

test('schemas/workflow.schema.json is up to date; else run: npm run docs', async () => {
  expect(await readFile('schemas/workflow.schema.json', 'utf8')).toBe(await workflowSchema());
});

test('schemas/app.schema.json is up to date; else run: npm run docs', async () => {
  expect(await readFile('schemas/app.schema.json', 'utf8')).toBe(await appSchema());
});

test('the tools in package.json are those of weir mcp; else run: npm run docs', async () => {
  expect(await readFile('package.json', 'utf8')).toBe(await manifest());
});
