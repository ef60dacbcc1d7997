/** A real EventSource client follows a source across a kill -9 by itself (P20.4). */
import { Agent, EventSource } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import type { EmittedEvent, Source } from '../../src/protocol/catalogue.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const code = `export default {
  name: 'Followed', props: { http: '$.interface.http' },
  run({ body }) { this.$emit(body); },
}`;

test('EventSource: nothing is missed and nothing comes twice, also what was emitted while it was away', async () => {
  const folder = temporaryFolder();
  let runtime = await startRuntime({ folder });
  const source = await runtime.weirJson<Source>(
    'deploy',
    await sourceFile(folder, 'followed.mjs', code),
  );
  const endpoint = source.endpoint_url ?? '';
  const post = async (n: number): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ n }) });
    expect(answer.status).toBe(200);
  };

  // The browser's EventSource sends no headers of one's own; a dispatcher adds the key.
  const authorization = `Bearer ${runtime.apiKey}`;
  const dispatcher = new Agent().compose((dispatch) => (options, handler) => {
    const headers = { ...(options.headers as Record<string, string>), authorization };
    return dispatch({ ...options, headers }, handler);
  });
  const follower = new EventSource(`${runtime.url}/v1/sources/${source.id}/sse`, {
    node: { dispatcher, reconnectionTime: 100 },
  });
  const seen: number[] = [];
  let opened = 0;
  follower.addEventListener('open', () => (opened += 1));
  follower.addEventListener('message', ({ data }: { readonly data: string }) => {
    seen.push((JSON.parse(data) as EmittedEvent & { event: { n: number } }).event.n);
  });
  onTestFinished(async () => {
    follower.close();
    await dispatcher.destroy();
  });
  await until('the stream', () => opened === 1);
  for (let n = 0; n < 20; n += 1) await post(n);
  await until('what was emitted', () => seen.length === 20);

  await runtime.kill();
  runtime = await startRuntime({ folder });
  // As many as it likes may be there before it has found back.
  for (let n = 20; n < 40; n += 1) await post(n);
  await until('what it missed', () => seen.length >= 40);
  await until('the second stream', () => opened === 2);
  await post(40);
  await until('what came then', () => seen.length >= 41);
  expect(seen).toEqual(Array.from({ length: 41 }, (_, n) => n));
});
