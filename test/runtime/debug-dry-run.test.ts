import { beforeEach, expect, test } from 'vitest';
import type { Connection } from '../../src/client/connection.ts';
import type { DryRun, Invocation, Source } from '../../src/protocol/catalogue.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';

const code = (word: string) => `export default {
  name: 'Counts', type: 'source', dedupe: 'unique',
  props: { db: '$.service.db', http: { type: '$.interface.http', customResponse: true }, step: { type: 'integer', default: 2 } },
  async run(event) {
    const count = (this.db.get('count') ?? 0) + this.step;
    this.db.set('count', count);
    console.log('${word}', count);
    if (event.body?.fail) throw new Error('asked to fail');
    this.http.respond({ status: 201, headers: { 'x-count': count }, body: { count } });
    this.$emit({ count, body: event.body }, { id: count, summary: '${word}', name: 'counts' });
  },
};`;

let runtime: TestRuntime;
let client: Connection;
let folder: string;
let source: Source;

beforeEach(async () => {
  folder = temporaryFolder();
  runtime = await startRuntime({ folder });
  client = await runtime.connect();
  const path = await sourceFile(folder, 'counts.mjs', code('deployed'));
  source = await client.call('sources.deploy', { component_path: path });
});

const post = (body: unknown) =>
  fetch(source.endpoint_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const runs = async () => (await client.call('invocations.list', { id: source.id })).data;

test('a dry run shows emits, state and logs, and keeps none of them', async () => {
  await post({ n: 1 });
  const before = await runs();
  const run = await client.call('sources.dryRun', { id: source.id, event: { body: { n: 2 } } });
  expect(run).toMatchObject<Partial<DryRun>>({
    status: 'succeeded',
    error: null,
    emits: [{ event: { count: 4, body: { n: 2 } }, id: 4, name: 'counts', summary: 'deployed' }],
    db: [{ prop: 'db', key: 'count', value: 4 }],
  });
  expect(run.response).toBeNull();
  expect(run.logs.map(({ text }) => text)).toEqual(['deployed 4']);
  expect(await runs()).toEqual(before);
  expect((await post({ n: 3 })).headers.get('x-count')).toBe('4');
});

test('a past request is run as it was received, against the code of the file, and its answer shown', async () => {
  await post({ n: 'Ä' });
  const [received] = await runs();
  await sourceFile(folder, 'counts.mjs', code('edited'));
  const run = await client.call('sources.dryRun', {
    id: source.id,
    component_path: source.path ?? '',
    invocation_id: received?.id ?? '',
  });
  expect(run.emits).toMatchObject([{ event: { body: { n: 'Ä' } }, summary: 'edited' }]);
  // Whoever sent it would have got this; the caller of that day got the other one.
  expect(run.response).toMatchObject({ status: 201, body: '{"count":4}' });
  expect((await client.call('sources.get', { id: source.id })).code_hash).toBe(source.code_hash);
});

test('what a dry run throws is its result, mapped to the file', async () => {
  const run = await client.call('sources.dryRun', { id: source.id, event: { body: { fail: 1 } } });
  expect(run.status).toBe('failed');
  expect(run.error?.stack).toContain(`${source.path}:8:`);
  expect(run.db).toEqual([{ prop: 'db', key: 'count', value: 2 }]);
});

test('a file that is not deployed, an action too', async () => {
  const path = await sourceFile(
    folder,
    'add.mjs',
    `export default { name: 'Adds', type: 'action', props: { a: { type: 'integer' } },
      run({ $ }) { $.export('seen', this.a); return this.a + 1; } };`,
  );
  const run = await client.call('sources.dryRun', {
    component_path: path,
    configured_props: { a: 41 },
  });
  expect(run).toMatchObject({ exports: { seen: 41 }, return_value: 42 });
  await expect(client.call('sources.dryRun', { component_path: path })).rejects.toMatchObject({
    code: 'bad_input',
  });
});

test('what it does to data stores is shown, and read back by the run alone', async () => {
  await client.call('data_stores.create', { name: 'notes' });
  const write = await sourceFile(
    folder,
    'write.mjs',
    `export default { name: 'Writes', type: 'action', props: { store: 'data_store', word: 'string' },
      async run() { await this.store.set('word', this.word); const read = await this.store.get('word'); await this.store.delete('old'); return [read, await this.store.keys()]; } };`,
  );
  const read = await sourceFile(
    folder,
    'read.mjs',
    `export default { name: 'Reads', type: 'action', props: { store: 'data_store' }, run() { return this.store.entries(); } };`,
  );
  const store = { storeId: 'notes' };
  const run = await client.call('sources.dryRun', {
    component_path: write,
    configured_props: { store, word: 'drafted' },
  });
  expect(run).toMatchObject({
    status: 'succeeded',
    return_value: ['drafted', ['word']],
    data_stores: [
      { store: 'notes', op: 'set', key: 'word', value: 'drafted' },
      { store: 'notes', op: 'delete', key: 'old', value: null },
    ],
  });
  const kept = await client.call('actions.run', {
    component_path: read,
    configured_props: { store },
  });
  expect(kept.return_value).toEqual([]);
});

test('a replay is a new invocation that names the old one', async () => {
  await post({ n: 1 });
  const [received] = await runs();
  const again = await runtime.restData<Invocation & { emitted: unknown[] }>(
    'POST',
    `/v1/sources/${source.id}/invocations/${received?.id}/replay`,
  );
  expect(again).toMatchObject({ cause: 'replay', replay_of: received?.id, status: 'succeeded' });
  expect(again.emitted).toMatchObject([{ event: { count: 4, body: { n: 1 } } }]);
  const missing = client.call('sources.replay', { id: source.id, invocation_id: 'inv_999' });
  await expect(missing).rejects.toMatchObject({ code: 'not_found' });
});

test('weir replay: by event, by run, those that failed, since a time', async () => {
  await post({ n: 1 });
  await post({ fail: true });
  const [failed, first] = await runs();
  const [event] = (await client.call('events.list', { id: source.id })).data;
  const replayed = async (...args: string[]) =>
    (await runtime.weirJson<Invocation[]>('replay', 'counts', ...args)).map(
      ({ replay_of }) => replay_of,
    );
  expect(await replayed(event?.id ?? '')).toEqual([first?.id]);
  expect(await replayed(first?.id ?? '')).toEqual([first?.id]);
  const soon = new Date(Date.now() + 60_000).toISOString();
  expect(await replayed('--failed', '--since', soon)).toEqual([]);
  const run = await runtime.weir('replay', 'counts', '--failed');
  expect(run.code).toBe(1);
  expect(run.stdout).toContain(failed?.id);
  expect((await runtime.weir('replay', 'counts')).code).toBe(2);
});

test('an action whose additionalProps fail runs with the props it declares, and says so', async () => {
  const component_path = await sourceFile(
    folder,
    'action.mjs',
    `export default { type: 'action', props: { table: 'string' },
      additionalProps() { throw new Error('Not reachable.'); },
      run() { console.log(this.table); } };`,
  );
  const run = await client.call('sources.dryRun', {
    component_path,
    configured_props: { table: 't' },
  });
  expect(run.logs.map(({ text }) => text)).toEqual([
    'additionalProps failed: Not reachable. The action runs with the props it declares.',
    't',
  ]);
});
