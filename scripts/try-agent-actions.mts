/**
 * Lists, configures, checks and runs actions of the registry's packages through `weir mcp`, against one server that
 * answers every request with an empty object. Not part of the tests: `node scripts/try-agent-actions.mts [count]`,
 * after `npm run build`.
 */
import { mkdtempSync, readdirSync, existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { registryScope as packages, setup } from '../test/support/registry-packages.ts';

const count = Number(process.argv[2] ?? 50);
const marker = 'MARKER-77c1d2';
await setup();
const apps = ['linear_app', 'monday', 'notion', 'slack', 'launchdarkly', 'ramp', 'gitlab'];
/** Some of each package, so that no app makes up most of them. */
const each = Math.ceil(count / apps.length) + 2;
const files = apps
  .flatMap((app) =>
    readdirSync(join(packages, app, 'actions'))
      .map((name) => join(packages, app, 'actions', name, `${name}.mjs`))
      .filter((file) => existsSync(file))
      .slice(0, each),
  )
  .slice(0, count);

const folder = mkdtempSync(join(tmpdir(), 'weir-agent-actions-'));
const data = join(folder, 'data');
const env = { ...(process.env as Record<string, string>), XDG_CONFIG_HOME: join(folder, 'config') };
const cli = resolve('dist/cli.js');
let requests = 0;
const fake = createServer((request, response) => {
  requests += 1;
  request.resume();
  response.setHeader('content-type', 'application/json').end('{"ok":true,"data":{}}');
});
await new Promise<void>((listening) => fake.listen(0, '127.0.0.1', listening));
const url = `http://127.0.0.1:${(fake.address() as AddressInfo).port}`;
const runtime = spawn(process.execPath, [cli, 'serve', '--data', data, '--redirect', `*=${url}`], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
await new Promise((served) => runtime.stdout.once('data', served));
for (const app of apps) {
  const field = ['--field', `oauth_access_token=${marker}`, '--field', `api_key=${marker}`];
  const added = ['accounts', 'add', app, ...field, '--data', data];
  spawnSync(process.execPath, [cli, ...added], { env });
}

let seen = '';
async function connected(...more: readonly string[]) {
  const client = new Client({ name: 'try-agent-actions', version: '1.0.0' });
  const args = [
    cli,
    'mcp',
    '--data',
    data,
    '--per-minute',
    '10000',
    '--actions',
    ...files,
    ...more,
  ];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  const { tools } = await client.listTools(undefined, { timeout: 600_000 });
  seen += JSON.stringify(tools);
  const call = async (name: string, given: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: given }, undefined, {
      timeout: 120_000,
    });
    seen += JSON.stringify(result);
    return result;
  };
  return { client, tools, call };
}

interface PropSchema {
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly { readonly const: unknown }[];
  readonly items?: PropSchema;
  readonly minimum?: number;
}

function example({ type, enum: values, oneOf, items, minimum, ...schema }: PropSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (values !== undefined) return values[0];
  if (oneOf !== undefined) return oneOf[0]?.const;
  if (type === 'array') return [example(items ?? {})];
  if (type === 'integer' || type === 'number') return minimum ?? 1;
  if (type === 'boolean') return true;
  return type === 'object' ? {} : 'text';
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
const dry = await connected();
const actions = dry.tools.filter(({ name }) => name !== 'read' && name !== 'configure_action');
const tally = {
  files: files.length,
  listed: actions.length,
  valid: 0,
  configured: 0,
  dry: 0,
  ran: 0,
  refused: 0,
  failed: 0,
};
const values = new Map<string, Record<string, unknown>>();
for (const { name, inputSchema } of actions) {
  ajv.compile(inputSchema);
  tally.valid += 1;
  const properties = (inputSchema.properties ?? {}) as Record<string, PropSchema>;
  const given = Object.fromEntries(
    (inputSchema.required ?? []).map((prop) => [prop, example(properties[prop] ?? {})]),
  );
  values.set(name, given);
  const next = await dry.call('configure_action', { action: name, values: given });
  if (next.isError !== true) {
    tally.configured += 1;
    const { data: configured } = next.structuredContent as { data: { input_schema: object } };
    if (configured.input_schema !== undefined) ajv.compile(configured.input_schema);
  } else console.log(`configure ${name}: ${JSON.stringify(next.content).slice(0, 200)}`);
  const checked = await dry.call(name, given);
  if (checked.isError === true)
    console.log(`dry ${name}: ${JSON.stringify(checked.content).slice(0, 200)}`);
  else tally.dry += 1;
}
await dry.client.close();
const dryRequests = requests;
const live = await connected(...actions.flatMap(({ name }) => ['--live', name]));
for (const { name } of actions) {
  const ran = await live.call(name, values.get(name) ?? {});
  const { data: shown } = ran.structuredContent as { data?: { error?: { message: string } } };
  if (ran.isError === true) tally.refused += 1;
  else if (shown?.error === undefined) tally.ran += 1;
  else {
    tally.failed += 1;
    console.log(`failed ${name}: ${shown.error.message.slice(0, 150)}`);
  }
}
await live.client.close();
console.log(
  JSON.stringify({
    ...tally,
    requestsOfDryRuns: dryRequests,
    requests,
    marker: seen.includes(marker),
  }),
);
const ended = new Promise((exited) => runtime.once('exit', exited));
runtime.kill();
await ended;
fake.close();
fake.closeAllConnections();
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
