/** Tests of sources: saved from a run, run by `weir test`, offline. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Invocation, Source } from '../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startReceiver } from '../support/receiver.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const sender = 'signs-the-sender-in-55';
let runtime: TestRuntime;
let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
  runtime = await startRuntime({ folder });
});

const counter = (factor: number, url: string): string => `export default {
  name: 'Counter', key: 'counter', version: '0.0.1', type: 'source',
  props: {
    db: '$.service.db',
    http: { type: '$.interface.http', customResponse: true },
    by: { type: 'integer', default: 1 },
  },
  async run(event) {
    const { price } = await (await fetch('${url}/price?of=' + event.body.of)).json();
    const count = (this.db.get('count') ?? 0) + this.by;
    this.db.set('count', count);
    this.http.respond({ status: 202, body: { count } });
    const meta = { id: String(count), summary: 'Number ' + count, ts: Date.now() };
    this.$emit({ count, total: price * ${factor} }, meta);
  },
};`;

async function deployed(url: string): Promise<Source> {
  const file = join(folder, 'counter.mjs');
  await writeFile(file, counter(1, url));
  const configured_props = { by: 2 };
  return runtime.restData('POST', '/v1/sources', { component_path: file, configured_props });
}

const runsOf = ({ id }: Source): Promise<Invocation[]> =>
  runtime.restData('GET', `/v1/sources/${id}/invocations`);

test('a run becomes a test that runs without the server, and fails by path when the code is another', async () => {
  const server = await startReceiver({ answer: () => ({ body: { price: 4.5 } }) });
  const source = await deployed(server.url);
  for (let n = 0; n < 2; n += 1) {
    await fetch(source.endpoint_url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${sender}` },
      body: JSON.stringify({ of: 'tea' }),
    });
  }
  const runs = await until('two runs', async () => {
    const all = (await runsOf(source)).filter(({ hook, ended_at: ended }) => !hook && ended);
    return all.length === 2 && all;
  });
  const of = ['save-test', source.id, '--run', runs[0]?.id ?? '', '--name', 'third'];
  const saved = await runtime.weir(...of);
  expect([saved.code, saved.stderr]).toEqual([0, '']);
  expect(saved.stdout).toMatch(/1 request over HTTP will be answered from .*third\.har/);
  const file = join(folder, 'tests', 'third.test.yaml');
  const text = await readFile(file, 'utf8');
  expect(text).toContain('source: ../counter.mjs');
  expect(text).not.toContain(sender);
  expect(text).toMatch(/db:\n {2}db:\n {4}count: 4/);
  expect(text).toMatch(/- event:\n\s+count: 6\n\s+total: 4\.5/);
  await server.close();

  const before = (await runsOf(source)).length;
  const passed = await runtime.weir('test', folder);
  expect([passed.code, passed.stdout]).toEqual([
    0,
    expect.stringMatching(/^✔ counter\.mjs: third {2}\d+ ms\n1 passed/),
  ]);
  // Nothing of it was kept.
  expect(await runsOf(source)).toHaveLength(before);

  await writeFile(join(folder, 'counter.mjs'), counter(1, `${server.url}/other`));
  const unrecorded = await runtime.weir('test', folder);
  expect(unrecorded.code).toBe(1);
  expect(unrecorded.stdout).toMatch(/GET .*\/other\/price\?of=tea was not recorded/);

  await writeFile(join(folder, 'counter.mjs'), counter(2, server.url));
  const differs = await runtime.weir('test', folder);
  expect(differs.stdout).toContain('emits[0].event.total\n      expected 4.5\n      got      9');
  expect((await runtime.weir('test', folder, '--update')).code).toBe(0);
  expect(await readFile(file, 'utf8')).toContain('total: 9');
  // When it was emitted is not among what is expected: the same code passes again.
  const again = await runtime.weir('test', folder);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('1 passed')]);
});

test('what is wrong with the test of a source is told at its line', async () => {
  await deployed('http://127.0.0.1:9');
  const bad = join(folder, 'bad.test.yaml');
  await writeFile(bad, 'source: ./counter.mjs\nevnt: {}\nexpect: { emits: {} }\n');
  const wrong = await runtime.weir('test', bad);
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toMatch(/bad\.test\.yaml:2: "evnt" is not known here/);
  expect(wrong.stdout).toMatch(/bad\.test\.yaml:3: .*emits.* must be a list/);
  expect((await runtime.weir('save-test', 'nobody')).code).toBe(1);
});

test.each([
  [['exec_1', '--event', '{}'], 'A run or an event is given to a source'],
  [['counter', '--run', 'inv_1', '--event', '{}'], 'Give a run or an event, not both.'],
  [['counter', '--event', '{}', '--pin', 'a'], 'a source has none'],
])('save-test %s is refused, rather than to leave one out', async (given, message) => {
  const refused = await runtime.weir('save-test', ...given);
  expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining(message)]);
});

test('a value of the environment that a source emits is not written, not shown, and no difference', async () => {
  const secret = 'value-of-the-variable-81';
  await runtime.weir('env', 'set', 'SHOWN_KEY', secret);
  const file = join(folder, 'tells.mjs');
  const tells = (more: string): string =>
    `export default { name: 'Tells', key: 'tells', version: '0.0.1', type: 'source', async run() { this.$emit({ key: '${secret}${more}' }) } };`;
  await writeFile(file, tells(''));
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: file });
  const saved = await runtime.weir('save-test', source.id, '--event', '{}', '--name', 'tells');
  expect([saved.code, saved.stderr]).toEqual([0, '']);
  const text = await readFile(join(folder, 'tests', 'tells.test.yaml'), 'utf8');
  expect(text).toContain('[SHOWN_KEY]');
  expect(text).not.toContain(secret);
  expect((await runtime.weir('test', folder)).stdout).toContain('1 passed');
  await writeFile(file, tells('!'));
  const differs = await runtime.weir('test', folder);
  expect(differs.stdout).toContain('[SHOWN_KEY]!');
  expect(differs.stdout).not.toContain(secret);
});

test('a saved test has no value of a secret prop, in no form', async () => {
  const secret = 'k3y/of+sender 77';
  const server = await startReceiver({ answer: () => ({ body: { ok: true } }) });
  const code = `export default {
    name: 'Signed', key: 'signed', version: '0.0.1', type: 'source',
    props: { db: '$.service.db', http: '$.interface.http', key: { type: 'string', secret: true } },
    async run(event) {
      const url = '${server.url}/in/' + encodeURIComponent(this.key) + '?k=' + encodeURIComponent(this.key);
      const basic = 'Basic ' + Buffer.from('user:' + this.key).toString('base64');
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'x-own': this.key.replaceAll(' ', '_'), 'x-basic': basic },
        body: JSON.stringify({ key: this.key, form: new URLSearchParams({ k: this.key }).toString() }),
      });
      this.$emit({ url, text: 'by ' + this.key, ...(await answer.json()) });
    },
  };`;
  const path = join(folder, 'signed.mjs');
  await writeFile(path, code);
  const source: Source = await runtime.restData('POST', '/v1/sources', {
    component_path: path,
    configured_props: { key: secret },
  });
  const event = JSON.stringify({ body: { said: secret } });
  const saved = await runtime.weir('save-test', source.id, '--event', event, '--name', 'signed');
  expect([saved.code, saved.stderr]).toEqual([0, '']);
  const texts = await Promise.all(
    ['signed.test.yaml', 'signed.har'].map((name) => readFile(join(folder, 'tests', name), 'utf8')),
  );
  const inner = Buffer.from(`user:${secret}`).toString('base64').slice(10, -4);
  for (const form of [secret, encodeURIComponent(secret), 'k3y%2F', inner]) {
    expect(texts.join('')).not.toContain(form);
  }
  await server.close();
  const passed = await runtime.weir('test', folder);
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining('1 passed')]);
});
