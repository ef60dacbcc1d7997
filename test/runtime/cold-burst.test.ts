/** Many sources without a process are called at the same time. */
import { expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { allEvents } from '../support/all-events.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { postedStatus } from '../support/post.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const count = 12;

async function waitingStarts({ url, apiKey }: TestRuntime): Promise<number> {
  const response = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const text = await response.text();
  return Number(/^weir_queue_depth\{of="starts",state="waiting"\} (\d+)$/m.exec(text)?.[1]);
}

test('P22.8 starts wait in order, visibly; the server answers meanwhile, and kill -9 loses nothing', async () => {
  const folder = temporaryFolder();
  let runtime = await startRuntime({ folder });
  const sources: Source[] = [];
  for (let n = 0; n < count; n += 1) {
    const code = `export default { name: 'S${n}', props: { http: '$.interface.http' }, run({ body }) { this.$emit(body); } }`;
    const path = await sourceFile(folder, `s${n}.mjs`, code);
    sources.push(await runtime.restData<Source>('POST', '/v1/sources', { component_path: path }));
  }
  await runtime.stop();
  runtime = await startRuntime({ folder });
  expect(await waitingStarts(runtime)).toBe(0);
  const acknowledged: Source[] = [];
  const calls = Promise.all(
    sources.map(async (source) => {
      if ((await postedStatus(source.endpoint_url!, { of: source.id })) === 200)
        acknowledged.push(source);
    }),
  );
  await until('starts that wait', async (seen) => seen(await waitingStarts(runtime)) > 0);
  expect((await fetch(`${runtime.url}/healthz/live`)).status).toBe(200);
  await until('an answer', () => acknowledged.length > 0);
  await runtime.kill();
  await calls;

  runtime = await startRuntime({ folder });
  await until('all events', async () => {
    const events = await Promise.all(acknowledged.map(({ id }) => allEvents(runtime, id)));
    return events.every((own) => own.length === 1);
  });
  expect(await waitingStarts(runtime)).toBe(0);
});
