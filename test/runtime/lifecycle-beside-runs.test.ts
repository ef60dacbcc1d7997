/** Switching off and updating beside runs, ticks and other changes (P12, P8). */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/protocol/rpc.ts';
import type { Invocation, LogLine, Page, Source } from '../../src/protocol/catalogue.ts';
import { post } from '../support/post.ts';
import { startReceiver } from '../support/receiver.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const runtime = useRuntime();

const deploy = (path: string, more: object = {}) =>
  runtime.restData<Source>('POST', '/v1/sources', { component_path: path, ...more });
const switchOff = (id: string) => runtime.restData('PUT', `/v1/sources/${id}`, { active: false });
const invoke = (id: string, event: object) =>
  runtime.restData<Invocation>('POST', `/v1/sources/${id}/invocations`, { event });
const dataOf = async <T>(path: string): Promise<T[]> =>
  ((await runtime.rest('GET', path)).body as Page<T>).data.toReversed();
const invocations = (id: string) => dataOf<Invocation>(`/v1/sources/${id}/invocations?limit=100`);
const texts = async (id: string) =>
  (await dataOf<LogLine>(`/v1/sources/${id}/logs?limit=100`))
    .filter(({ kind }) => kind === 'console')
    .map(({ text }) => text);

/** Where a component waits until the test lets it go on: it asks for a path. */
interface Gate {
  readonly url: string;
  /** Resolves when a component waits at this path. */
  readonly reached: (path: string) => Promise<void>;
  /** Whoever waits at this path goes on, and whoever comes. */
  readonly open: (path: string) => void;
}

interface Door {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

function newDoor(): Door {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

async function gate(): Promise<Gate> {
  const doors = new Map<string, Door>();
  const doorOf = (path: string): Door => {
    const door = doors.get(path) ?? newDoor();
    doors.set(path, door);
    return door;
  };
  const receiver = await startReceiver({
    answer: async ({ path }) => {
      await doorOf(path).opened;
      return {};
    },
  });
  return {
    url: receiver.url,
    reached: async (path) => {
      await until(`a request for ${path}`, () =>
        receiver.received.some((one) => one.path === path),
      );
    },
    open: (path) => doorOf(path).open(),
  };
}

/** Ticks once a second; its deactivate hook waits at the gate. */
const ticking = (gateUrl: string) => `export default {
  name: 'Ticking',
  props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 1 } } },
  hooks: { async deactivate() { await fetch('${gateUrl}/hook') } },
  run() {},
}`;

async function twoMoreTicks(id: string): Promise<void> {
  const before = (await invocations(id)).length;
  await until('two ticks', async (seen) => seen((await invocations(id)).length) >= before + 2);
}

describe('switching off', () => {
  test('what comes while the hook runs never does, and whoever asked is told (P12.19)', async () => {
    const { url, reached, open } = await gate();
    const source = await deploy(
      await runtime.file(
        'queue.mjs',
        `export default { name: 'Queue',
          hooks: { async deactivate() { console.log('deactivate'); await fetch('${url}/hook') } },
          run() { console.log('run') } }`,
      ),
    );
    const off = switchOff(source.id);
    await reached('/hook');
    const run = invoke(source.id, {});
    await until('the run', async (seen) => seen(await invocations(source.id)).length === 2);
    open('/hook');
    await off;
    expect(await run).toMatchObject({ status: 'cancelled', error: { name: 'Inactive' } });
    expect(await texts(source.id)).toEqual(['deactivate']);
  });

  test('a request is answered while the deactivate hook waits for it (P12.9)', async () => {
    const source = await deploy(
      await runtime.file(
        'verified-off.mjs',
        `export default { name: 'Verified off', props: { http: { type: '$.interface.http', customResponse: true } },
          hooks: { async deactivate() { const r = await fetch(this.http.endpoint); console.log(r.status, await r.text()) } },
          run() { this.http.respond({ status: 202, body: 'yes' }) } }`,
      ),
    );
    await switchOff(source.id);
    expect(await texts(source.id)).toEqual(['202 yes']);
    expect((await post(source.endpoint_url!, {})).status).toBe(404);
  });

  test('stops the timers before the hook runs (P12.19)', async () => {
    const { url, reached, open } = await gate();
    const path = await runtime.file('ticking-off.mjs', ticking(url));
    const [source, other] = [await deploy(path), await deploy(path)];
    const off = switchOff(source.id);
    await reached('/hook');
    const before = await invocations(source.id);
    await twoMoreTicks(other.id);
    expect(await invocations(source.id)).toHaveLength(before.length);
    open('/hook');
    await off;
    await runtime.restData('DELETE', `/v1/sources/${other.id}`);
  });
});

describe('an update', () => {
  test('keeps its code while another source is deleted, and lets the old code go (P12.12)', async () => {
    const { url, reached, open } = await gate();
    const code = (version: number) => `export default { name: 'Kept', version: '0.0.${version}',
      hooks: { async deactivate() { await fetch('${url}/hook') } }, run() {} }`;
    const path = await runtime.file('kept.mjs', code(1));
    const source = await deploy(path);
    const other = await deploy(
      await runtime.file('other.mjs', `export default { name: 'Other', run() {} }`),
    );
    await runtime.file('kept.mjs', code(2));
    const updating = runtime.restData<Source>('PUT', `/v1/sources/${source.id}`, {
      component_path: path,
    });
    await reached('/hook');
    await runtime.restData('DELETE', `/v1/sources/${other.id}`);
    open('/hook');
    const updated = await updating;
    const folders = await readdir(join(runtime.folder, 'data', 'deployments'));
    expect(folders).toContain(updated.code_hash);
    expect(folders).not.toContain(source.code_hash);
    expect(folders).not.toContain(other.code_hash);
  });

  test('that a tick falls into does not make it tick again (P8.20)', async () => {
    const { url, reached, open } = await gate();
    const code = (load: string) => `${load}
      export default { name: 'Updated', run() {},
        props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 3 } } } }`;
    const path = await runtime.file('updated.mjs', code(''));
    const source = await deploy(path);
    await runtime.file('updated.mjs', code(`await fetch('${url}/load');`));
    const updated = runtime.restData('PUT', `/v1/sources/${source.id}`, { component_path: path });
    await reached('/load');
    const ticks = (count: number) =>
      until(`tick ${count}`, async (seen) => {
        const found = seen(await invocations(source.id));
        return found.length >= count && found.every(({ ended_at }) => ended_at !== null) && found;
      });
    await ticks(1);
    open('/load');
    await updated;
    const [first, second] = await ticks(2);
    expect(second!.created_at - first!.created_at).toBeGreaterThan(1500);
  });
});

describe('a deploy', () => {
  test('that fails: nobody subscribed to it, and who heard of it is told (P12.6, P18.9)', async () => {
    const { url, reached, open } = await gate();
    const connection = await runtime.connect();
    const told: Change[] = [];
    connection.onChanges((batch) => told.push(...batch));
    const listener = await deploy(
      await runtime.file('listens.mjs', `export default { name: 'Listens', run() {} }`),
    );
    const path = await runtime.file(
      'doomed.mjs',
      `export default { name: 'Doomed', run() {},
        hooks: { async deploy() { this.$emit(1); await fetch('${url}/hook'); throw new Error('no') } } }`,
    );
    const deploying = runtime.rest('POST', '/v1/sources', { component_path: path });
    await reached('/hook');
    for (const [emitter_id, listener_id] of [
      ['doomed', listener.id],
      [listener.id, 'doomed'],
    ]) {
      const asked = { emitter_id, listener_id };
      expect((await runtime.rest('POST', '/v1/subscriptions', asked)).status).toBe(404);
    }
    open('/hook');
    expect((await deploying).status).toBe(422);
    await until('the end of what was told', (seen) => {
      const heard = told.find((change) => change.type === 'event');
      return seen(told).some(
        (change) =>
          change.type === 'source.deleted' && change.id === heard?.event.metadata.emitter_id,
      );
    });
  });
});

describe('an update beside runs', () => {
  test('a request is answered while the deactivate hook of the old code waits for it (P12.9)', async () => {
    const path = await runtime.file(
      'verified-update.mjs',
      `export default { name: 'Verified update', props: { http: { type: '$.interface.http', customResponse: true } },
        hooks: { async deactivate() { const r = await fetch(this.http.endpoint); console.log(r.status, await r.text()) } },
        run() { this.http.respond({ status: 202, body: 'yes' }) } }`,
    );
    const source = await deploy(path);
    await runtime.restData('PUT', `/v1/sources/${source.id}`, { component_path: path });
    expect(await texts(source.id)).toEqual(['202 yes']);
  });

  test('ends a run that takes too long, so that the deactivate hook has its process (P12.19)', async () => {
    const { url, reached, open } = await gate();
    const code = (word: string, afterwards: string): string => `export default { name: 'Endless',
      hooks: { deactivate() { console.log('signs off') } },
      async run() { console.log('${word}'); ${afterwards} } }`;
    const endless = code('old', `await fetch('${url}/run'); while (true);`);
    const path = await runtime.file('endless-update.mjs', endless);
    const source = await deploy(path);
    const cancelled = invoke(source.id, {});
    await reached('/run');
    open('/run');
    const waits = invoke(source.id, {});
    await runtime.file('endless-update.mjs', code('new', ''));
    await runtime.restData('PUT', `/v1/sources/${source.id}`, { component_path: path });
    expect(await cancelled).toMatchObject({ status: 'cancelled' });
    // What waited runs with the new code.
    expect(await waits).toMatchObject({ status: 'succeeded' });
    expect(await texts(source.id)).toEqual(['old', 'signs off', 'new']);
  });
});

test('a delete whose hook fails leaves what waits, and it runs (P12.22)', async () => {
  const { url, reached, open } = await gate();
  const path = await runtime.file(
    'delete-fails.mjs',
    `export default { name: 'Delete fails',
      hooks: { async deactivate() { await fetch('${url}/hook'); throw new Error('No such hook') } },
      run() {} }`,
  );
  const { id } = await deploy(path);
  const deleting = runtime.rest('DELETE', `/v1/sources/${id}`);
  await reached('/hook');
  const waits = invoke(id, {});
  await until('the run that waits', async () => (await invocations(id)).length > 1);
  open('/hook');
  expect((await deleting).status).toBe(422);
  expect(await waits).toMatchObject({ status: 'succeeded' });
});
