/** What a person reads and changes of a source's db, beside its runs (P9.12, P9.13). */
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Page, Source } from '../../src/protocol/catalogue.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { post } from '../support/post.ts';
import { startRuntime, useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

/** Waits as long as it is asked to, sets what it is asked to, and answers with what it holds. */
const code = `export default {
  name: 'Keeper', props: { http: { type: '$.interface.http', customResponse: true }, db: '$.service.db' },
  async run({ body }) {
    if (body.waitMs) await new Promise((resolve) => setTimeout(resolve, body.waitMs));
    for (const [key, value] of Object.entries(body.set ?? {})) this.db.set(key, value);
    const { pid } = process;
    this.http.respond({ status: 200, body: { pid, a: this.db.get('a') ?? null, b: this.db.get('b') ?? null } });
  },
}`;

const runtime = useRuntime();

async function keeper(name: string): Promise<Source> {
  const path = await runtime.file('keeper.mjs', code);
  return runtime.restData<Source>('POST', '/v1/sources', { component_path: path, name });
}

interface Held {
  readonly pid: number;
  readonly a: unknown;
  readonly b: unknown;
}

async function run(source: Source, body: unknown = {}): Promise<Held> {
  return (await post(source.endpoint_url!, body)).json() as Promise<Held>;
}

const at = ({ id }: Source, key?: string): string =>
  `/v1/sources/${id}/db${key === undefined ? '' : `/${encodeURIComponent(key)}`}`;

test('what was written is read by the process that runs already, and by every later one', async () => {
  const source = await keeper('Written');
  const { pid } = await run(source, { set: { a: 1, b: 1 } });
  expect(await runtime.restData('PUT', at(source, 'a'), { value: { n: [2] } })).toEqual({
    key: 'a',
    value: { n: [2] },
  });
  await runtime.restData('DELETE', at(source, 'b'));
  expect(await run(source)).toEqual({ pid, a: { n: [2] }, b: null });
  await runtime.restData('PUT', `/v1/sources/${source.id}`, { component_path: source.path });
  const updated = await run(source);
  expect(updated).toMatchObject({ a: { n: [2] }, b: null });
  expect(updated.pid).not.toBe(pid);
  await runtime.restData('DELETE', at(source));
  expect(await run(source)).toMatchObject({ a: null, b: null });
});

test('keys are listed page by page, in their order; any key can be written', async () => {
  const source = await keeper('Listed');
  const keys = ['', '/', '__proto__', 'a/b c?', 'z', 'é'];
  const connection = await runtime.connect();
  for (const key of keys) {
    await connection.call('service_db.set', { id: source.id, key, value: key });
  }
  const first = (await runtime.rest('GET', `${at(source)}?limit=4`)).body as Page<unknown>;
  expect(first.page_info).toMatchObject({ total_count: 6, count: 4 });
  const rest = `${at(source)}?limit=4&after=${first.page_info.end_cursor}`;
  const second = (await runtime.rest('GET', rest)).body as Page<unknown>;
  expect([...first.data, ...second.data]).toEqual(keys.map((key) => ({ key, value: key })));
  expect(await runtime.restData('GET', at(source, 'a/b c?'))).toEqual({
    key: 'a/b c?',
    value: 'a/b c?',
  });
});

describe('what a caller expects', () => {
  test('has to be there still', async () => {
    const source = await keeper('Expected');
    await run(source, { set: { a: { n: 1 } } });
    const stale = { value: 3, expected: { n: 2 } };
    expect(await runtime.rest('PUT', at(source, 'a'), stale)).toMatchObject({
      status: 409,
      body: { error: 'The key "a" of Expected has another value than expected: read it again.' },
    });
    expect(await runtime.rest('PUT', at(source, 'b'), stale)).toMatchObject({ status: 409 });
    expect(await run(source)).toMatchObject({ a: { n: 1 }, b: null });
    await runtime.restData('PUT', at(source, 'a'), { value: 3, expected: { n: 1 } });
    expect(await run(source)).toMatchObject({ a: 3 });
  });

  test('is looked at when the runs in flight have ended', async () => {
    const source = await keeper('Beside');
    await run(source, { set: { a: 1 } });
    const slow = run(source, { waitMs: 1000, set: { a: 2 } });
    await inFlight(source, 1);
    const edit = runtime.rest('PUT', at(source, 'a'), { value: 9, expected: 1 });
    expect(await edit).toMatchObject({ status: 409 });
    expect(await slow).toMatchObject({ a: 2 });
    expect(await run(source)).toMatchObject({ a: 2 });
  });
});

test('a change waits for the run in flight, and what comes in meanwhile runs after it', async () => {
  const source = await keeper('Between');
  const slow = run(source, { waitMs: 1000, set: { a: 'of the run' } });
  await inFlight(source, 1);
  const connection = await runtime.connect();
  const change = { id: source.id, key: 'a', value: 'of the person' };
  const edit = connection.call('service_db.set', change);
  // Answered after the change was asked for, as it goes over the same connection.
  await connection.call('runtime.info', {});
  const later = run(source);
  expect(await slow).toMatchObject({ a: 'of the run' });
  await edit;
  expect(await later).toMatchObject({ a: 'of the person' });
});

test('a change is refused while a run goes on and on, and that run keeps what it sets', async () => {
  const source = await keeper('Long');
  const long = run(source, { waitMs: 6500, set: { a: 1 } });
  await inFlight(source, 1);
  expect(await runtime.rest('PUT', at(source, 'a'), { value: 2 })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('A run of Long is going on') as string },
  });
  expect(await long).toMatchObject({ a: 1 });
  expect(await run(source)).toMatchObject({ a: 1 });
});

test('what makes no sense is refused with what to do', async () => {
  const source = await keeper('Refused');
  const path = await runtime.file('two.mjs', code.replace("db: '", "other: '$.service.db', db: '"));
  const two = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  const bare = await runtime.file(
    'bare.mjs',
    `export default { name: 'Bare', run() {} ,
    props: { http: '$.interface.http' } }`,
  );
  const none = await runtime.restData<Source>('POST', '/v1/sources', { component_path: bare });
  const refusals = [
    await runtime.rest('PUT', at(source, 'a'), {}),
    await runtime.rest('GET', at(source, 'nothing')),
    await runtime.rest('DELETE', at(source, 'nothing')),
    await runtime.rest('GET', at(two)),
    await runtime.rest('GET', `${at(two)}?prop=http`),
    await runtime.rest('GET', at(none)),
    await runtime.rest('GET', `${at(source)}?after=%21`),
  ];
  expect(refusals.map(({ status, body }) => [status, (body as { error: string }).error])).toEqual([
    [400, 'value is missing.'],
    [404, 'The db of Refused has no key "nothing".'],
    [404, 'The db of Refused has no key "nothing".'],
    [400, 'Keeper has several dbs: give prop, one of other, db.'],
    [404, 'Keeper has no prop "http" of type $.service.db.'],
    [404, 'Bare has no db: it declares no prop of type $.service.db.'],
    [400, expect.stringContaining('cursor')],
  ]);
  await runtime.restData('PUT', `${at(two, 'k')}?prop=other`, { value: null });
  expect(await runtime.restData('GET', `${at(two)}?prop=other`)).toEqual([
    { key: 'k', value: null },
  ]);
});

test('whatever runs and people do side by side, a restart reads what the next run would have read', async () => {
  const folder = temporaryFolder();
  const path = await sourceFile(folder, 'keeper.mjs', code);
  let mine = await startRuntime({ folder });
  onTestFinished(() => mine.kill());
  const source = await mine.restData<Source>('POST', '/v1/sources', { component_path: path });
  const key = fc.constantFrom('a', 'b');
  const value = fc.nat({ max: 1000 });
  const step = fc.oneof(
    fc.record({ waitMs: fc.nat({ max: 20 }), set: fc.dictionary(key, value) }),
    fc.record({ edit: key, value: fc.oneof(value, fc.constant(undefined)) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      const ended = steps.map(async (one) => {
        if (!('edit' in one)) return void (await run(source, one));
        const { status } = await mine.rest(
          one.value === undefined ? 'DELETE' : 'PUT',
          at(source, one.edit),
          { value: one.value },
        );
        expect([200, 404]).toContain(status);
      });
      await Promise.all(ended);
      const { a, b } = await run(source);
      await mine.kill();
      mine = await startRuntime({ folder });
      expect(await run(source)).toMatchObject({ a, b });
    }),
    { numRuns: 5, endOnFailure: true },
  );
});

test('the command line reads and changes it', async () => {
  const source = await keeper('Typed');
  const { name_slug: slug } = source;
  expect(await runtime.weir('db', 'set', slug, 'a', '{"n":1}')).toMatchObject({ code: 0 });
  expect(await runtime.weir('db', 'set', slug, 'a', 'plain')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`A text stands in double quotes: '"plain"'`) as string,
  });
  expect((await runtime.weir('db', 'get', slug, 'a')).stdout).toBe('{\n  "n": 1\n}\n');
  expect((await runtime.weir('db', 'list', slug)).stdout).toMatch(/KEY +VALUE\na +\{"n":1\}/);
  expect(await runtime.weir('db', 'delete', slug, 'a')).toMatchObject({ code: 0 });
  expect((await runtime.weir('db', 'list', slug)).stdout).toBe('The db is empty.\n');
  expect(await runtime.weir('db', 'set', slug, 'a', '-1')).toMatchObject({ code: 0 });
  expect((await runtime.weir('db', 'get', slug, 'a')).stdout).toBe('-1\n');
  expect(await runtime.weir('db', 'set', slug, 'a', '-1.5e3', '--json')).toMatchObject({ code: 0 });
  expect((await runtime.weir('db', 'get', slug, 'a')).stdout).toBe('-1500\n');
  await runtime.weir('db', 'set', slug, 'b', '2');
  await runtime.weir('db', 'clear', slug);
  expect(await run(source)).toMatchObject({ a: null, b: null });
});

async function inFlight({ id }: Source, wanted: number): Promise<void> {
  const connection = await runtime.connect();
  await until('the run to begin', async () => {
    const { hosts } = await connection.call('runtime.info', {});
    return hosts.some((host) => host.source_id === id && host.in_flight === wanted);
  });
}
