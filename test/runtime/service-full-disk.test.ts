/** A disk that takes no more while the runtime runs: said once, nothing is lost, and nothing ends. */
import { expect, test } from 'vitest';
import type { EmittedEvent, Page, Source } from '../../src/protocol/catalogue.ts';
import { post } from '../support/post.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const code = `export default {
  name: 'Kept',
  props: { http: '$.interface.http', timer: { type: '$.interface.timer', default: { intervalSeconds: 1 } } },
  run({ body }) { if (body !== undefined) this.$emit({ number: body.number }) },
}`;

test('a full disk is 503 and one sentence; what was acknowledged is there after a restart', async () => {
  const folder = temporaryFolder();
  const path = await sourceFile(folder, 'kept.mjs', code);
  const runtime = await startRuntime({ folder, largestFileKb: 4096 });
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  const sentence = /weir\.db could not be read or written .*start the runtime again/;
  runtime.expectErrors(sentence);
  const acknowledged: number[] = [];
  let refusal = '';
  for (let number = 0; refusal === ''; number += 1) {
    const answer = await post(source.endpoint_url!, { number, text: 'x'.repeat(50_000) });
    if (answer.status === 200) acknowledged.push(number);
    else refusal = `${answer.status} ${await answer.text()}`;
  }
  expect(acknowledged.length).toBeGreaterThan(10);
  expect(refusal).toBe('503 The event could not be stored.\n');
  const again = await fetch(source.endpoint_url!, { method: 'POST', body: 'once more' });
  expect([again.status, await again.text()]).toEqual([503, 'The event could not be stored.\n']);
  // P7.59: nothing was written any more.
  expect(again.headers.get('retry-after')).toBe('1');

  // Two ticks that find the store closed end nothing either.
  await new Promise((resolve) => setTimeout(resolve, 2200));
  for (const [method, to] of [
    ['POST', '/v1/webhooks'],
    ['GET', `/v1/sources/${source.id}`],
  ] as const) {
    const body = method === 'POST' ? { url: 'http://127.0.0.1:1/' } : undefined;
    const answer = await runtime.rest(method, to, body);
    expect(answer.body).toMatchObject({
      code: 'store_failed',
      error: expect.stringMatching(sentence),
    });
  }
  expect((await runtime.rest('GET', '/v1/health')).status).toBe(200);
  const said = runtime.output().match(/weir\.db .*start the runtime again\. Until then/g);
  expect(said).toHaveLength(1);
  expect(runtime.output()).not.toMatch(/tick|\n {4}at /);
  await runtime.stop();

  const after = await startRuntime({ folder });
  const numbers = await until('all events', async () => {
    const list = `/v1/sources/${source.id}/event_summaries?expand=event&limit=100`;
    const { data } = (await after.rest('GET', list)).body as Page<EmittedEvent>;
    const seen = new Set(data.map(({ event }) => (event as { number: number }).number));
    return acknowledged.every((one) => seen.has(one)) && seen;
  });
  expect(numbers.size).toBeGreaterThanOrEqual(acknowledged.length);
});
