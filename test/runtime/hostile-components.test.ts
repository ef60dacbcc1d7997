import { describe, expect, test } from 'vitest';
import type {
  EmittedEvent,
  Invocation,
  LogLine,
  Page,
  Source,
} from '../../src/protocol/catalogue.ts';
import { useRuntime } from '../support/runtime.ts';

/** Whatever the code of one component does or sends, the runtime lives, and other components notice nothing. */
const runtime = useRuntime(['--set', 'run.outputMb=20']);

async function deploy(name: string, code: string): Promise<Source> {
  const path = await runtime.file(`${name.replaceAll(/\W/g, '-')}.mjs`, code);
  return runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
}

type Ran = Invocation & { logs: LogLine[]; emitted: EmittedEvent[] };

const run = (source: Source) =>
  runtime.restData<Ran>('POST', `/v1/sources/${source.id}/invocations`, {});

const listed = async (source: Source, path: string) =>
  (await runtime.rest('GET', `/v1/sources/${source.id}/${path}`)).body as Page<EmittedEvent>;

/** Runs it beside another one, which has to go on as before and after. */
async function runBeside(name: string, code: string): Promise<{ source: Source; ran: Ran }> {
  const other = await deploy(
    `beside ${name}`,
    `export default { name: 'Beside ${name}', props: { db: '$.service.db' }, run() { this.db.set('k', 1); this.$emit(1); } }`,
  );
  expect((await run(other)).status).toBe('succeeded');
  const source = await deploy(name, code);
  const ran = await run(source);
  expect((await run(other)).status).toBe('succeeded');
  expect((await listed(other, 'event_summaries')).data).toHaveLength(2);
  return { source, ran };
}

describe('150,000 in one turn', () => {
  test.each([
    ['log lines', `console.log('')`, 0],
    ['db writes', `this.db.set('key' + i, i)`, 0],
    ['emits', `this.$emit(i)`, 150_000],
  ])(
    '%s are stored',
    async (what, statement, emitted) => {
      const { ran } = await runBeside(
        what,
        `export default { name: '${what}', props: { db: '$.service.db' }, async run() { for (let i = 0; i < 150_000; i++) { ${statement}; } await new Promise((go) => setTimeout(go, 10)); } }`,
      );
      expect(ran.error).toBeNull();
      expect(ran.emitted_count).toBe(emitted);
    },
    60_000,
  );
});

test('bytes on the channel of its process end its own run with a sentence', async () => {
  const { ran } = await runBeside(
    'noise',
    `import { writeSync } from 'node:fs';
    export default { name: 'Noise', props: { db: '$.service.db' }, async run() { writeSync(3, 'noise without end'); await new Promise(() => {}); } }`,
  );
  expect(ran.status).toBe('failed');
  expect(ran.error).toMatchObject({ name: 'ProtocolError' });
  expect(ran.error?.message).toMatch(/^its process sent .*, which no component host sends$/);
});

test('a run that emits without end fails with the limit, soon', async () => {
  const { ran } = await runBeside(
    'flood',
    `export default { name: 'Flood', props: { db: '$.service.db' }, run() { for (let i = 0; i < 1200; i++) this.$emit('x'.repeat(1e6)); } }`,
  );
  expect(ran.status).toBe('failed');
  expect(ran.error?.message).toContain('has produced 20 MB of events, db and exports');
  expect(ran.emitted_count).toBe(19);
});

describe('JSON that the component has made its own', () => {
  test.each([
    ['no text', 'JSON.stringify = () => 42'],
    ['nothing', 'JSON.stringify = () => undefined'],
    ['no JSON', `JSON.stringify = () => '{'`],
    ['no parse', `JSON.parse = () => { throw new Error('mine') }`],
  ])('%s', async (name, spoil) => {
    const { source, ran } = await runBeside(
      name,
      `${spoil};
      export default { name: 'Spoilt ${name}', props: { db: '$.service.db' }, run() {
        this.db.set('k', { a: 1 }); this.$emit({ k: this.db.get('k') }, { id: 1, summary: 's' });
      } }`,
    );
    expect(ran.error).toBeNull();
    expect((await listed(source, 'event_summaries?expand=event')).data[0]?.event).toEqual({
      k: { a: 1 },
    });
  });
});

test('halves of characters are stored, and a db key with one is read again', async () => {
  const { source, ran } = await runBeside(
    'halves',
    `const half = '\\ud800';
    export default { name: 'Halves', props: { db: '$.service.db' }, run() {
      console.log(half); this.db.set(half, half);
      this.$emit({ [half]: half, kept: this.db.get(half) === half }, { id: half, name: half, summary: half, ts: 1e300 });
      throw new Error(half);
    } }`,
  );
  expect(ran.error).toMatchObject({ name: 'Error' });
  const path = `event_summaries?expand=event&event_name=${encodeURIComponent('\ufffd')}`;
  expect((await listed(source, path)).data[0]?.event).toMatchObject({ kept: true });
});

describe('answers that HTTP does not carry', () => {
  test.each([
    ['lengths that differ', `{ headers: { 'Content-Length': '99999' }, body: 'x' }`],
    ['a transfer encoding', `{ headers: { 'transfer-encoding': 'chunked' }, body: 'x' }`],
    ['a status without a body', `{ status: 204, body: 'x' }`],
    ['a switch of protocols', `{ status: 101, headers: { upgrade: 'x', connection: 'upgrade' } }`],
    ['a header with a line break', `{ headers: { 'x-a': 'b\\r\\nx-c: d' } }`],
    ['a header without a name', `{ headers: { '': 'b' } }`],
    ['a header beyond Latin-1', `{ headers: { 'x-a': '漢' } }`],
    ['a status of 99', `{ status: 99 }`],
    ['a status of text', `{ status: 'fine' }`],
  ])('%s', async (name, response) => {
    const source = await deploy(
      name,
      `export default { name: '${name}', props: { http: { type: '$.interface.http', customResponse: true } }, run() { this.http.respond(${response}); } }`,
    );
    const ask = () =>
      fetch(source.endpoint_url!, { signal: AbortSignal.timeout(5000) }).then(
        ({ status }) => status,
        () => 'cut off',
      );
    expect(await ask()).toBeDefined();
    expect((await runtime.rest('GET', '/v1/health')).status).toBe(200);
  });
});
