/**
 * A component that writes what it likes to the pipes of its process: its run ends, all that is kept of it can be
 * read, and a source beside it notices nothing.
 */
import { serialize } from 'node:v8';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { EmittedEvent, Invocation, Page, Source } from '../../src/protocol/catalogue.ts';
import { encode } from '../../src/protocol/message-pack/encode.ts';
import { holds } from '../support/holds.ts';
import { plainValue } from '../support/plain-value.ts';
import { useRuntime } from '../support/runtime.ts';
import { forgedOf, messageOf } from './support/messages.ts';
import { expectServing, unlessGone } from './support/served.ts';

const runtime = useRuntime(['--set', 'run.timeoutSeconds=3']);

/** It gets into the lists that its host gathers messages in: so its own come in turn, among those. */
const hostile = `import { writeSync } from 'node:fs';
import { deserialize } from 'node:v8';
const { push } = Array.prototype;
let forged = [];
Array.prototype.push = function (...items) {
  const [message] = items;
  if (forged.length === 0 || (message?.t !== 'progress' && message?.t !== 'done')) return push.apply(this, items);
  const own = forged.map((one) => (one?.n === 1 ? { ...one, n: message.n } : one));
  forged = [];
  return push.apply(this, [...own, ...items]);
};
const write = (fd, bytes) => {
  try { for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
};
export default {
  name: 'Hostile', props: { db: '$.service.db' },
  async run({ messages, channel, final, end }) {
    if (messages) forged = deserialize(Buffer.from(messages, 'base64'));
    this.$emit('its own');
    await new Promise((go) => setTimeout(go, 5));
    if (channel) write(3, Buffer.from(channel, 'base64'));
    if (final) write(4, Buffer.from(final, 'base64'));
    if (end === 'exit') process.exit(0);
    if (end === 'kill') process.kill(process.pid, 'SIGKILL');
    if (end === 'throw') throw new Error('thrown');
  },
};`;

const beside = `export default { name: 'Beside', props: { db: '$.service.db' }, run() {
  const count = (this.db.get('count') ?? 0) + 1; this.db.set('count', count); this.$emit(count);
} }`;

let source: Source;
let neighbour: Source;
let count = 0;

beforeAll(async () => {
  const deploy = async (name: string, code: string) =>
    runtime.restData<Source>('POST', '/v1/sources', {
      component_path: await runtime.file(name, code),
    });
  source = await deploy('hostile.mjs', hostile);
  neighbour = await deploy('beside.mjs', beside);
});

const ofThisRun = messageOf(fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.nat({ max: 9 })));
const messages = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: ofThisRun },
    { weight: 1, arbitrary: forgedOf(ofThisRun, plainValue) },
  ),
  { maxLength: 4 },
);
const bytes = fc.uint8Array({ maxLength: 60 }).map((all) => Buffer.from(all));
const framed = bytes.map((body) => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
});
const batches = fc.array(
  fc.record({ q: fc.oneof(fc.nat({ max: 9 }), fc.constant(2 ** 53)), m: messages }),
  { maxLength: 3 },
);
const encoded = fc.oneof(batches, plainValue).map((value) => encode(value));
const cut = fc.tuple(encoded, fc.nat()).map(([all, at]) => all.subarray(0, at % (all.length + 1)));
const end = fc.constantFrom('', '', 'exit', 'kill', 'throw');

interface Asked {
  readonly messages?: string;
  readonly channel?: string;
  readonly final?: string;
  readonly end: string;
}
const base64 = (all: Buffer) => all.toString('base64');
const asked: fc.Arbitrary<Asked> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ messages: messages.map((all) => base64(serialize(all))), end }),
  },
  { weight: 1, arbitrary: fc.record({ channel: fc.oneof(bytes, framed).map(base64), end }) },
  {
    weight: 2,
    arbitrary: fc.record({
      final: fc.oneof(bytes, encoded, cut).map(base64),
      end: fc.constantFrom('exit', 'kill'),
    }),
  },
);

const run = (one: Source, event: object) =>
  runtime.restData<Invocation>('POST', `/v1/sources/${one.id}/invocations`, { event });

const lists = [
  'event_summaries?expand=event&limit=5',
  'invocations?limit=5',
  'logs?limit=5',
  'activity',
];

test('what it forges arrives', async () => {
  const emit = { t: 'progress', n: 1, emits: [{ event: '"forged"', at: 1 }] };
  const forgedBy = (all: unknown) => run(source, { messages: base64(serialize(all)) });
  expect((await forgedBy([emit])).status).toBe('succeeded');
  const { data } = (await runtime.rest('GET', `/v1/sources/${source.id}/${lists[0]}`))
    .body as Page<EmittedEvent>;
  expect(data.map(({ event }) => event)).toEqual(['its own', 'forged']);
  expect((await forgedBy([{ ...emit, emits: 1 }])).status).toBe('failed');
});

test('whatever a process sends, its own run ends and nothing else does', async () => {
  await holds(
    fc.asyncProperty(asked, async (event) => {
      await unlessGone(runtime);
      const ran = await run(source, event);
      expect(['succeeded', 'failed', 'crashed']).toContain(ran.status);
      for (const list of lists) {
        const answer = await runtime.rest('GET', `/v1/sources/${source.id}/${list}`);
        expect(answer).toMatchObject({ status: 200 });
      }
      count += 1;
      expect((await run(neighbour, {})).status).toBe('succeeded');
      const { data } = (await runtime.rest('GET', `/v1/sources/${neighbour.id}/${lists[0]}`))
        .body as Page<EmittedEvent>;
      expect(data[0]?.event).toBe(count);
      await expectServing(runtime);
    }),
    40,
  );
});
