/** A client that a public generator makes of /v1/openapi.json compiles, and talks to the runtime. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { build } from 'esbuild';
import { generate } from 'openapi-typescript-codegen';
import { expect, test } from 'vitest';
import type { EmittedEvent, Source, Webhook } from '../../src/protocol/catalogue.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';

const code = `export default { name: 'Echo', run(event) { this.$emit(event, { summary: 'echo' }) } }`;

/** What of the generated client is called here. */
interface Client {
  readonly OpenAPI: { BASE: string; TOKEN: string };
  readonly SourcesService: {
    sourcesDeploy(o: { requestBody: object }): Promise<{ data: Source }>;
    sourcesInvoke(o: { id: string; requestBody: object }): Promise<{ data: { status: string } }>;
  };
  readonly EventsService: {
    eventsList(o: { id: string; expand: string }): Promise<{ data: EmittedEvent[] }>;
    eventsDelete(o: { id: string }): Promise<unknown>;
  };
  readonly WebhooksService: {
    webhooksCreate(o: { requestBody: object }): Promise<{ data: Webhook }>;
    webhooksGet(o: { id: string }): Promise<{ data: Webhook }>;
  };
}

test('generated, compiled and used', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  const { body: description } = await runtime.rest('GET', '/v1/openapi.json');
  const checked = await new Validator().validate(
    structuredClone(description) as Record<string, unknown>,
  );
  expect(checked).toMatchObject({ valid: true });

  const output = join(folder, 'client');
  const input = description as Record<string, unknown>;
  await generate({ input, output, useOptions: true, useUnionTypes: true, exportSchemas: false });
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  };
  const project = join(folder, 'tsconfig.json');
  await writeFile(project, JSON.stringify({ compilerOptions, include: ['client'] }));
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const compiled = await promisify(execFile)(process.execPath, [tsc, '-p', project]);
  expect(compiled).toEqual({ stdout: '', stderr: '' });

  const outfile = join(folder, 'client.mjs');
  const entryPoints = [join(output, 'index.ts')];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node' });
  const client = (await import(outfile)) as Client;
  Object.assign(client.OpenAPI, { BASE: runtime.url, TOKEN: runtime.apiKey });
  const component_path = await sourceFile(folder, 'echo.mjs', code);
  const { data: source } = await client.SourcesService.sourcesDeploy({
    requestBody: { component_path, name: 'Generated' },
  });
  const { id } = source;
  const run = await client.SourcesService.sourcesInvoke({ id, requestBody: { event: { n: 1 } } });
  expect(run.data.status).toBe('succeeded');
  const events = await client.EventsService.eventsList({ id, expand: 'event' });
  expect(events.data).toMatchObject([{ event: { n: 1 }, metadata: { summary: 'echo' } }]);
  await client.EventsService.eventsDelete({ id });
  expect((await client.EventsService.eventsList({ id, expand: 'event' })).data).toEqual([]);
  const made = await client.WebhooksService.webhooksCreate({
    requestBody: { url: 'http://127.0.0.1:9/hook' },
  });
  expect(made.data.id).toMatch(/^wh_/);
  await expect(client.WebhooksService.webhooksGet({ id: 'wh_nobody' })).rejects.toMatchObject({
    status: 404,
  });
});
