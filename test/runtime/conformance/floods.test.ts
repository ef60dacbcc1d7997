import { expect, test } from 'vitest';
import type { EmittedEvent, LogLine, Page, Source } from '../../../src/protocol/catalogue.ts';
import { until } from '../../support/until.ts';
import { conformanceWorld, endpointOf } from './world.ts';

/** A component that says far too much hurts nobody. */
const world = conformanceWorld('--set', 'retention.events=200000');

test('100,000 events of one run are all stored, in order, and the runtime answers meanwhile', async () => {
  const count = 100_000;
  const source =
    await world.deploy(`export default { name: 'Floods', dedupe: 'unique', props: { http: '$.interface.http' },
    async run() { for (let n = 0; n < ${count}; n++) this.$emit({ n }, { id: n }); } }`);
  // Somebody who watches, as an editor does.
  const watching = await world.runtime.connect();
  const told: unknown[] = [];
  watching.onChanges((batch) => {
    for (const change of batch) if (change.type === 'event') told.push(change.event.event);
  });
  let answersMeanwhile = 0;
  expect((await fetch(endpointOf(source), { method: 'POST' })).status).toBe(200);
  const invocation = await until('the end of the run', async () => {
    const { last_invocation } = await world.runtime.restData<Source>(
      'GET',
      `/v1/sources/${source.id}`,
    );
    if (last_invocation?.status === 'running') answersMeanwhile += 1;
    return last_invocation?.status === 'succeeded' && last_invocation;
  });
  expect([invocation.emitted_count, invocation.dropped_count]).toEqual([count, 0]);
  expect(answersMeanwhile).toBeGreaterThan(0);

  const page = async (query: string) =>
    (
      await world.runtime.rest(
        'GET',
        `/v1/sources/${source.id}/event_summaries?expand=event&limit=100${query}`,
      )
    ).body as Page<EmittedEvent>;
  const newest = await page('');
  expect(newest.page_info.total_count).toBe(count);
  expect(newest.data.map(({ event }) => event)).toEqual(
    Array.from({ length: 100 }, (_, i) => ({ n: count - 1 - i })),
  );
  const numbers = await streamed(source, count);
  expect(numbers.findIndex((n, i) => n !== i)).toBe(-1);
  await until('the watcher', () => told.length === count);
  expect(told.findIndex((event, i) => (event as { n: number }).n !== i)).toBe(-1);
});

/** The numbers of so many events, as its event stream tells them from the first one on. */
async function streamed({ id }: Source, count: number): Promise<number[]> {
  const { url, apiKey } = world.runtime;
  const headers = { authorization: `Bearer ${apiKey}`, 'last-event-id': '0-0' };
  const { body } = await fetch(`${url}/v1/sources/${id}/sse`, { headers });
  const numbers: number[] = [];
  let rest = '';
  for await (const chunk of body ?? []) {
    const messages = (rest + Buffer.from(chunk as Uint8Array).toString('latin1')).split('\n\n');
    rest = messages.pop() ?? '';
    for (const text of messages) {
      const n = /^data: \{"event":\{"n":(\d+)\}/m.exec(text)?.[1];
      if (n !== undefined) numbers.push(Number(n));
    }
    if (numbers.length >= count) break;
  }
  return numbers;
}

test('50 MB of console output are cut, with a line that says so; emits still arrive', async () => {
  const source = await world.deploy(`export default { name: 'Talks', run() {
    const line = 'x'.repeat(1000);
    for (let i = 0; i < 25_000; i++) { console.log(line); process.stdout.write(line + '\\n'); }
    console.error('y'.repeat(1e6));
    this.$emit('done');
  } }`);
  const run = await world.run(source);
  expect([run.status, run.emitted.map(({ event }) => event)]).toEqual(['succeeded', ['done']]);
  const lines = run.logs.filter(({ kind }) => kind === 'console');
  const size = lines.reduce((sum, { text }) => sum + text.length, 0);
  expect(size).toBeLessThan(2 * 1024 * 1024);
  expect(lines.at(-1)).toMatchObject({
    level: 'warn',
    text: 'Weir keeps 1 MB of console output; the rest was cut.',
  });
  const { body } = await world.runtime.rest('GET', `/v1/sources/${source.id}/logs?limit=3`);
  expect((body as Page<LogLine>).data.map(({ text }) => text)).toContain(
    'Weir keeps 1 MB of console output; the rest was cut.',
  );
});
