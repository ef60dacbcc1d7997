/** A source that is deleted while it runs: whoever waits for a run is answered, and nothing ends. */
import { expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const code = `export default {
  name: 'Slow',
  props: { http: { type: '$.interface.http', customResponse: true } },
  async run() { console.log('running'); await new Promise((go) => setTimeout(go, 60_000)); },
}`;

test.each([
  ['the run that goes on, the first of its source', 1],
  ['and those by hand that wait behind it', 3],
])('by hand and by HTTP: %s', async (_name, count) => {
  const folder = temporaryFolder();
  const path = await sourceFile(folder, 'slow.mjs', code);
  const runtime = await startRuntime({ folder });
  const { id, endpoint_url } = await runtime.restData<Source>('POST', '/v1/sources', {
    component_path: path,
  });
  const byHand = Array.from({ length: count }, () =>
    runtime.rest('POST', `/v1/sources/${id}/invocations`, { event: {} }),
  );
  const byHttp = Array.from({ length: count }, async () => (await fetch(endpoint_url!)).status);
  await until('its runs', async () => {
    const { body } = await runtime.rest('GET', `/v1/sources/${id}/invocations`);
    return (body as { data: unknown[] }).data.length === count * 2;
  });
  expect((await runtime.rest('DELETE', `/v1/sources/${id}`)).status).toBeLessThan(300);
  for (const answer of await Promise.all(byHand)) expect([200, 404]).toContain(answer.status);
  for (const status of await Promise.all(byHttp)) expect([400, 404]).toContain(status);
  expect((await runtime.rest('GET', '/v1/sources')).status).toBe(200);
  expect(runtime.output()).not.toMatch(/\n {4}at /);
});
