/** An SSE reader that reconnects after kill -9 of the runtime misses nothing and gets nothing twice. */
import { expect, test } from 'vitest';
import type { EmittedEvent, LogLine, Source } from '../../src/protocol/catalogue.ts';
import { post } from '../support/post.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';
import { readStream, type SseMessage } from '../support/sse-reader.ts';
import { until } from '../support/until.ts';

const code = `export default {
  name: 'Inbox', props: { http: '$.interface.http' },
  run({ body }) { console.log('line ' + body.n); this.$emit(body, { summary: 'n' + body.n, id: body.n }) },
}`;

test('events and logs, over a kill', async () => {
  const folder = temporaryFolder();
  let runtime = await startRuntime({ folder });
  const path = await sourceFile(folder, 'inbox.mjs', code);
  const source = await runtime.weirJson<Source>('deploy', path);
  const send = (n: number) => post(source.endpoint_url!, { n });
  const stream = `/v1/sources/${source.name_slug}/sse`;
  const logs = await readStream(runtime, `/v1/sources/${source.id}/logs/sse`);
  const before = await readStream(runtime, stream);
  for (let n = 0; n < 10; n++) await send(n);
  await until('ten events', () => before.length === 10);
  await until(
    'ten lines',
    () =>
      logs.filter(({ data }) => (data as { text: string }).text.startsWith('line')).length === 10,
  );
  const list = `/v1/sources/${source.id}/event_summaries?expand=event&limit=1`;
  const [newest] = await runtime.restData<EmittedEvent[]>('GET', list);
  expect(before.at(-1)).toEqual({ id: newest?.id, data: newest });

  const lines = (messages: readonly SseMessage[]) =>
    messages.map(({ data }) => (data as LogLine).text).filter((text) => text.startsWith('line'));

  await runtime.kill();
  runtime = await startRuntime({ folder });
  for (let n = 10; n < 20; n++) await send(n);
  const logsAfter = await readStream(runtime, `/v1/sources/${source.id}/logs/sse`, logs.at(-1)?.id);
  const after = await readStream(runtime, stream, before.at(-1)?.id);
  for (let n = 20; n < 30; n++) await send(n);
  await until('the others', () => after.length >= 20);
  const numbers = [...before, ...after].map(({ data }) => (data as EmittedEvent).metadata.id);
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, i) => i));
  await until('the other lines', () => lines(logsAfter).length >= 20);
  const all = [...lines(logs), ...lines(logsAfter)];
  expect(all).toEqual(Array.from({ length: 30 }, (_, i) => `line ${i}`));
});

test('P20.4 a reader that was told nothing before a kill begins with all there is, or at a time', async () => {
  const folder = temporaryFolder();
  let runtime = await startRuntime({ folder });
  const path = await sourceFile(folder, 'inbox.mjs', code);
  const source = await runtime.weirJson<Source>('deploy', path);
  const stream = `/v1/sources/${source.id}/sse`;
  await readStream(runtime, stream, '0-0');
  await runtime.kill();
  runtime = await startRuntime({ folder });
  await post(source.endpoint_url!, { n: 0 });
  const list = `/v1/sources/${source.id}/event_summaries?limit=1`;
  const [first] = await until('the first event', async () => {
    const found = await runtime.restData<EmittedEvent[]>('GET', list);
    return found.length > 0 && found;
  });
  const [ms = ''] = first!.id.split('-');
  await until('the clock to go on', () => Date.now() > Number(ms));
  await post(source.endpoint_url!, { n: 1 });
  const all = await readStream(runtime, stream, '0-0');
  const later = await readStream(runtime, `${stream}?last_event_id=${Number(ms) + 1}-0`);
  const told = (messages: readonly SseMessage[]) =>
    messages.map(({ data }) => (data as EmittedEvent).metadata.id);
  await until('both, and the second', () => all.length === 2 && later.length === 1);
  expect([told(all), told(later)]).toEqual([[0, 1], [1]]);
});

test('a stop tells the readers why and does not wait for them', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  const path = await sourceFile(folder, 'inbox.mjs', code);
  const { id } = await runtime.weirJson<Source>('deploy', path);
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  const stream = await fetch(new URL(`/v1/sources/${id}/sse`, runtime.url), { headers });
  const [exitCode, text] = await Promise.all([runtime.stop(), stream.text()]);
  expect(exitCode).toBe(0);
  expect(text).toMatch(/^:sse-handshake\n\nevent: closed\ndata: .*stopping/);
});
