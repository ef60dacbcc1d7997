import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type {
  ActionRun,
  EmittedEvent,
  Invocation,
  Page,
  Result,
  Source,
} from '../../src/protocol/catalogue.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

/** Files in and out of components: forms, uploads, `dir` props (P7.11, P7.16, P14.8), and what a caller asks for. */
const runtime = useRuntime();

const deploy = (code: string) =>
  runtime.restData<Source>('POST', '/v1/sources', { component_code: `export default { ${code} }` });
const echo = `props: { http: '$.interface.http' }, run(event) { console.log('ran'); this.$emit(event); }`;
interface Event {
  body: unknown;
  bodyRaw: string;
}
const firstEvent = ({ id }: Source): Promise<Event> =>
  until('the event', async () => {
    const { body } = await runtime.rest('GET', `/v1/sources/${id}/event_summaries?expand=event`);
    return (body as Page<EmittedEvent>).data[0]?.event as Event | undefined;
  });
const invocations = async ({ id }: Source) =>
  (
    (await runtime.rest('GET', `/v1/sources/${id}/invocations`)).body as Page<Invocation>
  ).data.filter(({ cause }) => cause === 'http');
const detail = ({ id }: Source, invocation: Invocation | undefined) =>
  runtime.restData<Result<'invocations.get'>>(
    'GET',
    `/v1/sources/${id}/invocations/${invocation?.id}`,
  );

test('a form: fields are text, each file is an address that serves its bytes', async () => {
  const source = await deploy(echo);
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  const form = new FormData();
  form.append('title', 'a file');
  form.append('doc', new Blob([bytes], { type: 'image/png' }), 'ä "x".png');
  form.append('empty', new Blob([]), 'empty.txt');
  await fetch(source.endpoint_url!, { method: 'POST', body: form });
  const { body } = await firstEvent(source);
  expect(body).toEqual({
    title: 'a file',
    doc: {
      url: expect.stringContaining('/h/file_'),
      filename: expect.stringContaining('.png'),
      mimetype: 'image/png',
    },
    empty: expect.objectContaining({ filename: 'empty.txt' }),
  });
  const { doc, empty } = body as Record<string, { url: string }>;
  const answer = await fetch(doc!.url);
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  expect([
    answer.headers.get('content-type'),
    answer.headers.get('content-disposition'),
    answer.headers.get('x-content-type-options'),
  ]).toEqual(['image/png', expect.stringMatching(/^attachment; /), 'nosniff']);
  expect(await (await fetch(empty!.url)).text()).toBe('');
  const head = await fetch(doc!.url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '256']);
  expect((await fetch(doc!.url, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${doc!.url.slice(0, -1)}_`)).status).toBe(404);
});

test.for([
  ['by header', '', { 'x-pd-upload-body': '1' }],
  ['by query', '?pipedream_upload_body=1', {}],
] as const)(
  'a body above the limit is refused, or handed on as an address: %s',
  async ([, query, headers]) => {
    const source = await deploy(echo);
    const big = 'x'.repeat(2 * 1024 * 1024);
    const refused = await fetch(source.endpoint_url!, { method: 'POST', body: big });
    expect([refused.status, await refused.text()]).toEqual([
      413,
      expect.stringContaining('x-pd-upload-body: 1'),
    ]);
    const taken = await fetch(source.endpoint_url! + query, {
      method: 'POST',
      body: big,
      headers: { ...headers, 'content-type': 'text/csv' },
    });
    expect(taken.status).toBe(200);
    const { body, bodyRaw } = await firstEvent(source);
    expect(bodyRaw).toBe('');
    const answer = await fetch((body as { raw_body_url: string }).raw_body_url);
    expect([answer.headers.get('content-type'), (await answer.text()).length]).toEqual([
      'text/csv',
      big.length,
    ]);
  },
);

test('x-pd-notrigger keeps the request and runs nothing', async () => {
  const source = await deploy(echo);
  const answer = await fetch(`${source.endpoint_url}?x-pd-notrigger=1`, {
    method: 'POST',
    body: 'sample',
  });
  expect(answer.status).toBe(200);
  const [only] = await invocations(source);
  expect(only).toMatchObject({ status: 'cancelled', emitted_count: 0 });
  const { logs } = await detail(source, only);
  expect(logs.map(({ text }) => text)).toEqual([
    'Recorded without a run, as the caller asked.',
    expect.stringContaining('cancelled'),
  ]);
});

test('x-pd-nostore runs, and keeps neither the request nor what it logged', async () => {
  const source = await deploy(echo);
  await fetch(source.endpoint_url!, {
    method: 'POST',
    body: 'secret',
    headers: { 'x-pd-nostore': '1' },
  });
  expect((await firstEvent(source)).body).toBe('secret');
  const [only] = await invocations(source);
  expect((await detail(source, only)).logs.map(({ text }) => text)).toEqual([
    expect.stringContaining('succeeded'),
  ]);
  const replayed = await runtime.rest(
    'POST',
    `/v1/sources/${source.id}/invocations/${only!.id}/replay`,
  );
  expect(replayed.status).toBeGreaterThanOrEqual(400);
});

describe('dir', () => {
  test('writes a file, hands on its address, and is off the keys of this', async () => {
    const source = await deploy(`
      props: { http: '$.interface.http', dir: { type: 'dir', accessMode: 'write', optional: true } },
      async run() {
        const { Readable } = await import('node:stream');
        const file = await this.dir.open('id-1/a b.txt').fromReadableStream(Readable.from(Buffer.from('content')), 'text/plain', 7);
        this.$emit({ body: { keys: Object.keys(this), file: await file.withoutPutUrl().withGetUrl(), json: file,
          text: String(await file.toBuffer()), stash: process.env.STASH_DIR } });
      }`);
    await runtime.restData('POST', `/v1/sources/${source.id}/invocations`, {});
    const { body } = await firstEvent(source);
    const stash = join(runtime.folder, 'data', 'stash', source.id);
    expect(body).toEqual({
      keys: ['http'],
      file: {
        path: 'id-1/a b.txt',
        s3Key: 'id-1/a b.txt',
        type: 'text/plain',
        get_url: expect.stringContaining('/h/file_'),
      },
      json: { path: 'id-1/a b.txt', s3Key: 'id-1/a b.txt', type: 'text/plain' },
      text: 'content',
      stash,
    });
    expect(await readFile(join(stash, 'id-1', 'a b.txt'), 'utf8')).toBe('content');
    expect(await (await fetch((body as { file: { get_url: string } }).file.get_url)).text()).toBe(
      'content',
    );
  });

  test('no path leads out of it; an action has one, too', async () => {
    const ran = await runtime.restData<ActionRun>('POST', '/v1/actions/run', {
      component_code: `export default { type: 'action', props: { syncDir: { type: 'dir', sync: true } }, async run() {
        const refused = ['../x', 'a/../../x', ''].map((path) => { try { this.syncDir.open(path); return 'opened'; } catch (error) { return error.name; } });
        await this.syncDir.open('/absolute/is/inside.txt').fromFile(process.argv[1]);
        return [refused, (await this.syncDir.open('absolute/is/inside.txt').toBuffer()).length > 0, process.env.STASH_DIR];
      } }`,
    });
    expect(ran.error).toBeUndefined();
    expect(ran.return_value).toEqual([
      ['RangeError', 'RangeError', 'RangeError'],
      true,
      join(runtime.folder, 'data', 'stash', 'actions'),
    ]);
  });
});
