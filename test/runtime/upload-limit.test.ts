import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EmittedEvent, Page, Source } from '../../src/protocol/catalogue.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const runtime = useRuntime(['--set', 'http.uploadLimitMb=1']);
const kb = 1024;

function send(source: Source, size: number, counted: boolean): Promise<Response> {
  const bytes = new Uint8Array(size).fill(0x61);
  // A stream has no length that a header could tell.
  const body = counted ? bytes : new Blob([bytes]).stream();
  return fetch(source.endpoint_url!, {
    method: 'POST',
    headers: { 'x-pd-upload-body': '1' },
    body,
    duplex: 'half',
  });
}

test('an uploaded body above the limit is a 413 and leaves nothing; one below is kept (P7.41)', async () => {
  const path = await runtime.file(
    'taker.mjs',
    `export default { name: 'Taker', props: { http: '$.interface.http' }, run({ body }) { this.$emit(body); } }`,
  );
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  for (const counted of [true, false]) {
    const answer = await send(source, 1025 * kb, counted);
    expect(answer.status).toBe(413);
    expect(await answer.text()).toContain('larger than 1 MB');
  }
  expect((await send(source, 1024 * kb, false)).status).toBe(200);
  const event = await until('the event', async () => {
    const list = await runtime.rest('GET', `/v1/sources/${source.id}/event_summaries?expand=event`);
    return (list.body as Page<EmittedEvent>).data[0];
  });
  const { raw_body_url: url } = event.event as { raw_body_url: string };
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(1024 * kb);
  expect(await readdir(join(runtime.folder, 'data', 'files'))).toHaveLength(1);
});
