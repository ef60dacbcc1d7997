/** The verbs of the CLI against a real runtime: what they print, as text and as JSON, and how they end. */
import { mkdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type {
  Account,
  Delivery,
  EmittedEvent,
  LogLine,
  Source,
  Subscription,
  Webhook,
} from '../../src/protocol/catalogue.ts';
import { post } from '../support/post.ts';
import { runCli } from '../support/cli.ts';
import { greeter, inbox } from './support/components.ts';
import { temporaryFolder } from '../support/folder.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const runtime = useRuntime();

async function deployed(name: string): Promise<Source> {
  const path = await runtime.file('greeter.mjs', greeter);
  const props = ['--prop', 'city=Bern', '--prop', 'token=hunter2'];
  return await runtime.weirJson<Source>('deploy', path, '--name', name, ...props);
}

async function inboxed(name: string): Promise<Source> {
  const path = await runtime.file('inbox.mjs', inbox);
  return await runtime.weirJson<Source>('deploy', path, '--name', name);
}

async function send(source: Source, body: unknown): Promise<void> {
  const answer = await post(source.endpoint_url ?? '', body);
  expect(answer.status).toBe(200);
}

describe('invoke', () => {
  test('prints what was logged and emitted, harmless to the terminal', async () => {
    const source = await deployed('Invoked');
    const run = await runtime.weir('invoke', source.name_slug);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(
      /hello Bern[^]*Hello \\u001b\[31mBern[^]*"city": "Bern"[^]*succeeded/,
    );
    expect(run.stdout).not.toContain('\u001b');
  });

  test.each([
    ['JSON', '{"fail":true}', ''],
    ['stdin', '-', '{"fail":true}'],
    ['a file', 'FILE', ''],
  ])('gets its event from %s; a run that fails is exit 1', async (_name, event, stdin) => {
    const source = await deployed('Failing');
    const file = await runtime.file('event.json', '{"fail":true}');
    const args = ['invoke', source.id, '--event', event === 'FILE' ? file : event];
    const cli = { configFolder: join(runtime.folder, 'config'), stdin };
    const run = await runCli([...args, '--data', join(runtime.folder, 'data')], cli);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/failed: Error: as you wish/);
  });

  test('an event that is not JSON: exit 2', async () => {
    const source = await deployed('Misused');
    expect(await runtime.weir('invoke', source.id, '--event', '{"a":')).toMatchObject({ code: 2 });
  });
});

describe('events and logs', () => {
  test('the newest, oldest first, by channel and count', async () => {
    const source = await inboxed('Listed');
    for (let n = 1; n <= 12; n++) await send(source, { n, ...(n % 2 ? { channel: 'odd' } : {}) });
    const numbers = async (...flags: string[]): Promise<number[]> => {
      const events = await runtime.weirJson<EmittedEvent[]>('events', source.name_slug, ...flags);
      return events.map(({ event }) => (event as { n: number }).n);
    };
    await until('twelve events', async () => (await numbers('-n', '20')).length === 12);
    expect(await numbers()).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(await numbers('-n', '2')).toEqual([11, 12]);
    expect(await numbers('-n', '2', '--channel', 'odd')).toEqual([9, 11]);
    expect(await numbers('--search', 'odd')).toEqual([1, 3, 5, 7, 9, 11]);
    expect(await numbers('--search', '12')).toEqual([12]);
    expect((await runtime.weir('events', source.id, '-n', '1')).stdout).toContain('"n": 12');
    const logs = await runtime.weirJson<LogLine[]>('logs', source.id, '-n', '3');
    expect(logs.map(({ id }) => id)).toEqual(logs.map(({ id }) => id).toSorted((a, b) => a - b));
    expect((await runtime.weir('logs', source.id)).stdout).toMatch(/succeeded/);
  });

  test('an unknown source: exit 1', async () => {
    expect(await runtime.weir('events', 'nobody')).toMatchObject({ code: 1, stdout: '' });
  });
});

test('update, describe, list and delete', async () => {
  const { id } = await deployed('Changing');
  const renamed = await runtime.weirJson<Source>(
    'update',
    id,
    '--name',
    'Changed',
    '--prop',
    'city=Thun',
    '--deactivate',
  );
  expect(renamed).toMatchObject({
    name: 'Changed',
    active: false,
    configured_props: { city: 'Thun' },
  });
  expect((await runtime.weir('describe', 'changed')).stdout).toMatch(/^id: +dc_[^]*active: +false/);
  expect((await runtime.weir('describe', id, '--code')).stdout).toContain("name: 'Greeter'");
  expect((await runtime.weir('list')).stdout).toMatch(new RegExp(`${id} +changed +inactive`));
  expect((await runtime.weir('list', 'streams')).stdout).toContain(`/v1/sources/${id}/sse`);
  expect(await runtime.weir('update', id)).toMatchObject({ code: 2 });
  expect(await runtime.weir('update', id, '--activate', '--deactivate')).toMatchObject({ code: 2 });
  expect(await runtime.weir('list', 'nonsense')).toMatchObject({ code: 2 });
  expect(await runtime.weir('delete', id)).toMatchObject({ code: 0 });
  expect(await runtime.weir('describe', id)).toMatchObject({ code: 1 });
});

test('spellings of pd', async () => {
  const { id } = await deployed('Spelled');
  const code = await runtime.file('inbox.mjs', inbox);
  const updated = await runtime.weirJson<Source>('update', id, '--code', code, '--active', 'false');
  expect(updated).toMatchObject({ id, active: false, path: code });
  expect(await runtime.weirJson('update', id, '--active', 'true')).toMatchObject({ active: true });
  expect(await runtime.weir('update', id, '--active', 'maybe')).toMatchObject({ code: 2 });
  const both = await runtime.weir('update', id, '--active', 'true', '--deactivate');
  expect(both).toMatchObject({ code: 2 });
  expect((await runtime.weirJson<Source[]>('list', 'so')).map((one) => one.id)).toContain(id);
  expect((await runtime.weir('list', 'st')).stdout).toContain(`/v1/sources/${id}/sse`);
  const run = await runtime.weir('-p', 'work', 'list');
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining(id) });
  expect(run.stderr).toMatch(/no profiles/);
});

test.each([
  ['a webhook', ['webhooks', 'create', 'not-a-url']],
  ['a time', ['redeliver', '--failed', '--since', 'yesterday']],
  ['a file', ['deploy', resolve('README.md')]],
])('%s that the runtime refuses is wrong usage: exit 2', async (_name, args) => {
  expect(await runtime.weir(...args)).toMatchObject({ code: 2, stdout: '' });
});

test('webhooks, subscriptions and deliveries', async () => {
  const source = await inboxed('Delivered');
  // Nobody listens there, so that the delivery fails.
  const webhook = await runtime.weirJson<Webhook & { signing_secret: string }>(
    'webhooks',
    'create',
    'http://127.0.0.1:9/',
    '--name',
    'Nowhere',
  );
  expect(webhook.signing_secret).toMatch(/^whsec_/);
  expect((await runtime.weir('webhooks', 'list')).stdout).toContain('Nowhere');
  const made = await runtime.weirJson<Subscription>(
    'subscriptions',
    'create',
    source.id,
    webhook.id,
  );
  expect(await runtime.weirJson('list', 'subscriptions')).toEqual([made]);
  await send(source, { n: 1 });
  const delivery = await until('a failed delivery', async () => {
    const flags = ['--webhook', webhook.id, '--failed'];
    return (await runtime.weirJson<Delivery[]>('deliveries', ...flags))[0];
  });
  expect(delivery).toMatchObject({
    webhook_id: webhook.id,
    emitter_id: source.id,
    status: 'retrying',
  });
  // Still nobody listens there.
  const redelivered = await runtime.weir('redeliver', delivery.id);
  expect(redelivered).toMatchObject({ code: 1, stdout: expect.stringContaining(delivery.id) });
  await until('a second attempt', async () => {
    const [again] = await runtime.weirJson<Delivery[]>('deliveries');
    return (again?.attempt_count ?? 0) > delivery.attempt_count;
  });
  expect((await runtime.weir('describe', delivery.id)).stdout).toMatch(
    /attempt: [^]*error: +refused: Nothing listens[^]*attempt: +[^\n]*, by hand/,
  );
  expect((await runtime.weir('describe', webhook.id)).stdout).toContain('Nowhere');
  expect(await runtime.weir('redeliver')).toMatchObject({ code: 2 });
  expect(await runtime.weir('redeliver', delivery.id, '--since', '2026-01-01')).toMatchObject({
    code: 2,
  });
  expect(await runtime.weir('subscriptions', 'delete', source.id)).toMatchObject({ code: 2 });
  expect(await runtime.weir('subscriptions', 'delete', source.id, webhook.id)).toMatchObject({
    code: 0,
  });
  expect(await runtime.weirJson('subscriptions', 'list')).toEqual([]);
  expect(await runtime.weir('webhooks', 'delete', webhook.id)).toMatchObject({ code: 0 });
  expect(await runtime.weirJson('list', 'webhooks')).toEqual([]);
});

test('accounts: the credentials never come back', async () => {
  const field = ['--field', 'api_key=hunter2'];
  const account = await runtime.weirJson<Account>(
    'accounts',
    'add',
    'acme',
    '--name',
    'Mine',
    ...field,
  );
  expect(account).toMatchObject({ name: 'Mine', app: { id: 'acme' } });
  const listed = await runtime.weir('accounts', 'list');
  expect(listed.stdout).toContain(account.id);
  expect(JSON.stringify(account) + listed.stdout).not.toContain('hunter2');
  expect(await runtime.weir('accounts', 'add', 'acme', '--field', 'api_key')).toMatchObject({
    code: 2,
  });
  expect(await runtime.weir('accounts', 'add', 'acme')).toMatchObject({ code: 2 });
  expect(await runtime.weir('accounts', 'delete', account.id)).toMatchObject({ code: 0 });
  expect(await runtime.weirJson('accounts', 'list')).toEqual([]);
});

test('db copy writes an ordinary SQLite file, and only once', async () => {
  const file = join(runtime.folder, 'copy.db');
  expect(await runtime.weirJson('db', 'copy', file)).toMatchObject({
    file,
    bytes: expect.any(Number),
  });
  expect((await readFile(file)).toString('latin1', 0, 15)).toBe('SQLite format 3');
  expect(await runtime.weir('db', 'copy', file)).toMatchObject({ code: 1 });
});

test('doctor finds nothing wrong', async () => {
  const checks = await runtime.weirJson<{ name: string; state: string }[]>('doctor');
  expect(checks.filter(({ state }) => state === 'bad')).toEqual([]);
  expect((await runtime.weir('doctor')).stdout).toMatch(/ok +runtime: Weir /);
});

test('a data folder that is a file is told apart from one that lacks rights', async () => {
  const file = join(temporaryFolder(), 'data.txt');
  await writeFile(file, 'text');
  const looked = await runCli(['doctor', '--data', file], { configFolder: runtime.folder });
  expect(looked).toMatchObject({ code: 1, stdout: expect.stringContaining(`${file} is a file.`) });
});

test('doctor saves what can be read of a damaged store, when nobody has it open', async () => {
  const folder = temporaryFolder();
  const saved = join(folder, 'saved.db');
  const refused = await runtime.weir('doctor', '--salvage', saved);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('stop it first') });

  const data = join(folder, 'data');
  const copy = join(data, 'weir.db');
  await mkdir(data);
  expect(await runtime.weir('db', 'copy', copy)).toMatchObject({ code: 0 });
  await truncate(copy, (await stat(copy)).size - 15 * 8192);
  const cli = { configFolder: join(runtime.folder, 'config') };
  const looked = await runCli(['doctor', '--data', data], cli);
  expect(looked).toMatchObject({ code: 1, stdout: expect.stringContaining('cut short') });
  expect(looked.stdout).toContain('weir doctor --salvage FILE');
  const done = await runCli(['doctor', '--salvage', saved, '--data', data, '--json'], cli);
  expect(done.json()).toMatchObject({ file: saved, rows: expect.any(Number) });
  // What was saved is a store: a runtime starts on it.
  await rename(saved, copy);
  const again = await runCli(['doctor', '--data', data], cli);
  expect(again.stdout).toContain(`${copy} is undamaged.`);
});
