/**
 * Fifty actions of the registry's packages, as they are: a client that has never seen one lists, configures and runs them.
 * Each is bundled and has a process, which takes this file longer than most.
 */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { WholeActionRun } from '../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startReceiver } from '../support/receiver.ts';
import { registryScope } from '../support/registry-packages.ts';
import { startRuntime } from '../support/runtime.ts';
import { agentIn, patient } from './support/agent.ts';

const marker = 'MARKER-fifty-77c1d2';
/** At most so many of each package, so that no app makes up most of them. */
const packages = {
  gitlab: 10,
  launchdarkly: 9,
  linear_app: 6,
  monday: 9,
  notion: 10,
  ramp: 3,
  slack: 12,
};
const count = 50;

interface InputSchema {
  readonly properties?: Readonly<Record<string, PropSchema>>;
  readonly required?: readonly string[];
}
type Values = Readonly<Record<string, unknown>>;

interface PropSchema {
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly { readonly const: unknown }[];
  readonly items?: PropSchema;
  readonly minimum?: number;
}

/** What a model that knows the schema alone might give. */
function example({ type, enum: values, oneOf, items, minimum, ...schema }: PropSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (values !== undefined) return values[0];
  if (oneOf !== undefined) return oneOf[0]?.const;
  if (type === 'array') return [example(items ?? {})];
  if (type === 'integer' || type === 'number') return minimum ?? 1;
  if (type === 'boolean') return true;
  return type === 'object' ? {} : 'text';
}

function actionFiles(): readonly string[] {
  return Object.entries(packages)
    .flatMap(([app, most]) => {
      const folder = join(registryScope, app, 'actions');
      const files = readdirSync(folder).map((name) => join(folder, name, `${name}.mjs`));
      return files.filter((file) => existsSync(file)).slice(0, most);
    })
    .slice(0, count);
}

/** @returns results in the order of the items; a few are worked on at a time */
async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return results;
}

test('fifty unseen actions are listed, configured and run, and show no secret', async () => {
  const folder = temporaryFolder();
  const fake = await startReceiver();
  fake.answer = () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"ok":true,"data":{},"items":[]}',
  });
  const runtime = await startRuntime({ folder, args: ['--redirect', `*=${fake.url}`] });
  for (const app of Object.keys(packages)) {
    const field = ['--field', `oauth_access_token=${marker}`, '--field', `api_key=${marker}`];
    await runtime.weirJson('accounts', 'add', app, ...field);
  }
  const files = actionFiles();
  const keys = await Promise.all(
    files.map(async (file) => /key: "([\w-]+)"/.exec(await readFile(file, 'utf8'))?.[1] ?? file),
  );
  const { client, call, seen, said } = await agentIn(
    folder,
    '--per-minute',
    '10000',
    '--actions',
    ...files,
    ...keys.flatMap((key) => ['--live', key]),
  );
  const { tools } = await client.listTools(undefined, patient);
  expect(said()).toBe('');
  const actions = tools.filter(({ name }) => name !== 'read' && name !== 'configure_action');
  expect(actions.map(({ name }) => name)).toEqual(keys);
  expect(actions).toHaveLength(count);
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  const fitting = (schema: InputSchema, before: Values = {}): Values => {
    const properties = schema.properties ?? {};
    const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(before, name));
    const given = missing.map((name) => [name, example(properties[name] ?? {})] as const);
    const values = { ...before, ...Object.fromEntries(given) };
    expect(ajv.validate(schema, values)).toBe(true);
    return values;
  };
  const ran = await each(actions, async ({ name, inputSchema }) => {
    const values = fitting(inputSchema as InputSchema);
    if (inputSchema['additionalProperties'] !== true) {
      return { name, isConfigured: false, answer: await call(name, values) };
    }
    // More props may follow from the values: the next schema says which.
    const next = await call('configure_action', { action: name, values });
    const { data } = next.structuredContent as { readonly data: { input_schema: InputSchema } };
    return {
      name,
      isConfigured: true,
      answer: await call(name, fitting(data.input_schema, values)),
    };
  });
  // Of what the fake answers some make an error of their own, and that is an answer: none is refused before its run.
  const refused = ran.filter(({ answer }) => answer.isError === true);
  expect(refused.map(({ name, answer }) => [name, answer.content])).toEqual([]);
  expect(ran.filter(({ isConfigured }) => isConfigured).length).toBeGreaterThan(1);

  const runs = await runtime.weirJson<{ id: string; key: string }[]>('action-runs', '-n', '100');
  expect(runs.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
  const asked = new Set<string>();
  for (const { id, key } of runs) {
    // Its requests went to the fake: everything is redirected.
    const run = await runtime.restData<WholeActionRun>('GET', `/v1/action_runs/${id}`);
    expect(run).toMatchObject({ agent: 'test-agent 1.0.0', status: expect.stringMatching(/ed$/) });
    if (run.requests.length > 0) asked.add(key);
    expect(JSON.stringify(run)).not.toContain(marker);
  }
  expect(asked.size).toBeGreaterThan(count / 2);
  expect(seen() + JSON.stringify(tools)).not.toContain(marker);
}, 600_000);
