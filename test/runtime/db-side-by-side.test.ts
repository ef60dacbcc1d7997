import { expect, onTestFinished, test } from 'vitest';
import * as fc from 'fast-check';
import type { Page, Source } from '../../src/protocol/catalogue.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { holds } from '../support/holds.ts';
import { post } from '../support/post.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';

/**
 * HTTP requests that run side by side and set the same keys (P9.11): after a kill -9 the next process
 * reads what the last one would have read. Each request is a list of steps; a step waits for some turns,
 * or until another request has set a key, and then sets or clears one.
 */
const code = `export default {
  name: 'Shared', props: { http: { type: '$.interface.http', customResponse: true }, db: '$.service.db' },
  async run({ body }) {
    for (const { turns = 0, after, key, value } of body.steps ?? []) {
      const turn = () => new Promise((resolve) => setImmediate(resolve));
      for (let i = 0; i < turns; i++) await turn();
      while (after !== undefined && this.db.get(after) === undefined) await turn();
      if (value === null) this.db.set(key);
      else this.db.set(key, value);
    }
    const all = Object.fromEntries(['a', 'b', 'c'].map((key) => [key, this.db.get(key) ?? null]));
    this.http.respond({ status: 200, body: all });
    if (body.throws) throw new Error('after it has set');
  },
}`;

const step = fc.record({
  turns: fc.nat({ max: 30 }),
  key: fc.constantFrom('a', 'b', 'c'),
  value: fc.oneof(fc.nat({ max: 1000 }), fc.constant(null)),
});
const request = fc.record({
  steps: fc.array(step, { maxLength: 4 }),
  throws: fc.boolean(),
});

async function read(source: Source): Promise<unknown> {
  const answer = await post(source.endpoint_url!, {});
  return answer.json();
}

async function ended(runtime: TestRuntime, source: Source): Promise<void> {
  await expect
    .poll(async () => {
      const list = `/v1/sources/${source.id}/invocations?limit=100`;
      const { data } = (await runtime.rest('GET', list)).body as Page<{ ended_at: number | null }>;
      return data.every(({ ended_at }) => ended_at !== null);
    })
    .toBe(true);
}

test('what a restart reads is what the next run would have read', async () => {
  const folder = temporaryFolder();
  const path = await sourceFile(folder, 'shared.mjs', code);
  let runtime = await startRuntime({ folder });
  onTestFinished(() => runtime.kill());
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  await holds(
    fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 12 }), async (requests) => {
      await Promise.all(requests.map((body) => post(source.endpoint_url!, body)));
      const before = await read(source);
      await ended(runtime, source);
      await runtime.kill();
      runtime = await startRuntime({ folder });
      expect(await read(source)).toEqual(before);
    }),
    6,
    { endOnFailure: true },
  );
});

test('an older value does not come back with the run that set it first and ends last', async () => {
  const folder = temporaryFolder();
  const path = await sourceFile(folder, 'shared.mjs', code);
  const args = ['--set', 'run.idleSeconds=0.2'];
  const runtime = await startRuntime({ folder, args });
  onTestFinished(() => runtime.kill());
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  const slow = post(source.endpoint_url!, {
    steps: [
      { key: 'a', value: 1 },
      { after: 'c', key: 'b', value: 1 },
    ],
  });
  await expect.poll(() => read(source)).toMatchObject({ a: 1 });
  await post(source.endpoint_url!, {
    steps: [
      { key: 'a', value: 2 },
      { key: 'c', value: 2 },
    ],
  });
  await slow;
  // Its process ends when it is idle; the next one reads what is stored.
  const connection = await runtime.connect();
  const hosts = async () => (await connection.call('runtime.info', {})).hosts;
  await expect
    .poll(async () => (await hosts()).some((one) => one.source_id === source.id))
    .toBe(false);
  expect(await read(source)).toEqual({ a: 2, b: 1, c: 2 });
});
