/** Emits with a `delivery_ts` (P10.13, P10.19 to P10.21, P11.15, P18.15). */
import { expect, test } from 'vitest';
import type { EmittedEvent, Invocation, Page, Source } from '../../src/protocol/catalogue.ts';
import type { Change } from '../../src/protocol/rpc.ts';
import { startReceiver } from '../support/receiver.ts';
import { readStream } from '../support/sse-reader.ts';
import { until } from '../support/until.ts';
import { conformanceWorld, endpointOf } from './conformance/world.ts';

const world = conformanceWorld('--set', 'scheduled.events=6');

/** Emits what its event lists, each `{n, id, in}` due in so many ms. */
const scheduler = (name: string, more = '') =>
  world.deploy(`export default { name: '${name}', ${more} run({ emits, ts }) {
    for (const { n, id, after } of emits) {
      this.$emit({ n }, { id, summary: 'Number ' + n, delivery_ts: after === undefined ? undefined : ts + after });
    }
  } }`);

interface Emits {
  readonly n: number;
  readonly id?: string;
  /** Ms after `ts`. */
  readonly after?: number;
}

const schedule = (source: Source, emits: readonly Emits[], ts = Date.now()) =>
  world.run(source, { emits, ts });

const waiting = (source: Source) => world.events(source, '&event_name=$in');
const numbers = (events: readonly EmittedEvent[]) =>
  events.map(({ event }) => (event as { n: number }).n);
const subscribe = (emitter_id: string, listener_id: string, event_name?: string) =>
  world.runtime.restData('POST', '/v1/subscriptions', { emitter_id, listener_id, event_name });
const inAnHour = 3_600_000;

test('an event waits until it is due, seen by nobody, and is one like any other then', async () => {
  const source = await scheduler('Later');
  const listener = await world.deploy(
    `export default { name: 'Hears later', run(event) { this.$emit({ heard: event.n }); } }`,
  );
  const { url, received } = await startReceiver();
  const hook = await world.runtime.restData<{ id: string }>('POST', '/v1/webhooks', { url });
  await subscribe(source.id, listener.id);
  await subscribe(source.id, hook.id);
  const told: Change[] = [];
  (await world.runtime.connect()).onChanges((batch) => told.push(...batch));
  const stream = await readStream(world.runtime, `/v1/sources/${source.id}/sse`);

  const ts = Date.now();
  const { id: run } = await schedule(source, [{ n: 1, after: 4000 }, { n: 2 }], ts);
  expect(numbers(await world.events(source, '&include_dropped=true'))).toEqual([2]);
  expect(await world.logs(source, 'end')).toEqual([
    expect.stringMatching(/1 event · 1 scheduled$/),
  ]);
  const [one] = await waiting(source);
  expect(one).toMatchObject({
    event: { n: 1 },
    metadata: { delivery_ts: ts + 4000, summary: 'Number 1', name: '' },
    invocation_id: run,
    dropped: null,
  });
  expect((await world.runtime.weir('scheduled', 'list', source.name_slug)).stdout).toContain(
    one?.id,
  );

  const [, event] = await world.eventually(source, 2);
  expect(event).toMatchObject({ event: { n: 1 }, invocation_id: run });
  expect(event?.indexed_at_ms).toBeGreaterThanOrEqual(ts + 4000);
  expect(event?.metadata).not.toHaveProperty('delivery_ts');
  expect(await waiting(source)).toEqual([]);
  expect((await world.eventually(listener, 2)).map((made) => made.event)).toEqual([
    { heard: 2 },
    { heard: 1 },
  ]);
  await until('both deliveries', () => received.length === 2);
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([{ n: 2 }, { n: 1 }]);
  const toldOf = await until('both to be told', () => {
    const ids = told.flatMap((one) => (one.type === 'event' ? [one.event] : []));
    const ofSource = ids.filter(({ metadata }) => metadata.emitter_id === source.id);
    return ofSource.length === 2 && ofSource;
  });
  expect(numbers(toldOf)).toEqual([2, 1]);
  await until('both on the stream', () => stream.length === 2);
  expect(stream.map(({ data }) => (data as EmittedEvent).id)).toEqual(
    (await world.events(source)).map(({ id }) => id),
  );
});

test('a kill -9 loses nothing; what became due meanwhile comes at once, by due time, then in order', async () => {
  const source = await scheduler('Killed');
  const ts = Date.now();
  await schedule(
    source,
    [
      { n: 3, after: 3200 },
      { n: 1, after: 3000 },
      { n: 4, after: 3200 },
      { n: 9, after: inAnHour },
    ],
    ts,
  );
  await schedule(source, [{ n: 2, after: 3000 }], ts);
  await world.runtime.kill();
  await until('all of them to be due', () => Date.now() > ts + 3200);
  await world.start();
  expect(numbers(await world.eventually(source, 4))).toEqual([1, 2, 3, 4]);
  expect(numbers(await waiting(source))).toEqual([9]);
  // Once, also after another restart.
  await world.runtime.stop();
  await world.start();
  await schedule(source, [{ n: 5 }]);
  expect(numbers(await world.events(source))).toEqual([1, 2, 3, 4, 5]);
});

test('one that is past goes out at once', async () => {
  const source = await scheduler('Past');
  await schedule(source, [{ n: 1, after: -5000 }]);
  expect(numbers(await world.events(source))).toEqual([1]);
});

test('two of an id are one, also over restarts; apart from emits without a delivery_ts', async () => {
  const source = await scheduler('Deduped', `dedupe: 'unique',`);
  await schedule(source, [
    { n: 1, id: 'a', after: 700 },
    { n: 2, id: 'a', after: 900 },
    { n: 3, id: 'a' },
  ]);
  await world.runtime.kill();
  await world.start();
  await schedule(source, [{ n: 4, id: 'a', after: 600 }]);
  await until('the one that waited', async () => (await world.events(source)).length === 2);
  await schedule(source, [{ n: 5, id: 'a', after: 100 }]);
  await schedule(source, [{ n: 6, id: 'a' }]);
  const all = await world.events(source, '&include_dropped=true');
  expect(numbers(all.filter(({ dropped }) => dropped === null))).toEqual([3, 1]);
  expect(numbers(all.filter(({ dropped }) => dropped !== null))).toEqual([2, 4, 5, 6]);
  expect(await waiting(source)).toEqual([]);
});

test('what waits is cancelled by its id, over REST and from the command line', async () => {
  const source = await scheduler('Cancelled');
  await schedule(
    source,
    [1, 2, 3, 4].map((n) => ({ n, after: inAnHour + n })),
  );
  const ids = (await waiting(source)).map(({ id }) => id);
  const cancel = (query: string) =>
    world.runtime.rest('DELETE', `/v1/sources/${source.id}/events?${query}`);
  const told: Change[] = [];
  (await world.runtime.connect()).onChanges((batch) => told.push(...batch));
  expect(await cancel('start_id=1-1&event_name=$in')).toMatchObject({ status: 404 });
  expect((await cancel(`start_id=${ids[1]}&end_id=${ids[1]}&event_name=$in`)).status).toBe(202);
  // Who shows what waits is told, wherever it was cancelled.
  const ofSource = await until('the source to be told', () =>
    told.find((change) => change.type === 'source'),
  );
  expect(ofSource).toMatchObject({ source: { id: source.id } });
  // Events are deleted, what waits is not.
  expect((await cancel('')).status).toBe(202);
  expect(numbers(await waiting(source))).toEqual([1, 3, 4]);
  const one = await world.runtime.weir('scheduled', 'cancel', 'cancelled', ids[0]!);
  expect(one.stdout).toContain(ids[0]);
  const none = await world.runtime.weir('scheduled', 'cancel', 'cancelled');
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--all')]);
  expect(numbers(await waiting(source))).toEqual([3, 4]);
  await world.runtime.weir('scheduled', 'cancel', 'cancelled', '--all');
  expect(await waiting(source)).toEqual([]);
  // There is room again.
  await schedule(
    source,
    [1, 2, 3, 4, 5, 6].map((n) => ({ n, after: inAnHour })),
  );
  expect(await waiting(source)).toHaveLength(6);
});

test('more than may wait is dropped, and says what to do', async () => {
  const source = await scheduler('Full');
  await schedule(
    source,
    [1, 2, 3, 4, 5, 6, 7].map((n) => ({ n, after: inAnHour })),
  );
  await schedule(source, [{ n: 8, after: inAnHour }, { n: 9 }, { n: 10, after: 1e15 }]);
  expect(numbers(await waiting(source))).toEqual([1, 2, 3, 4, 5, 6]);
  const all = await world.events(source, '&include_dropped=true');
  expect(all.map(({ event, dropped }) => [(event as { n: number }).n, dropped])).toEqual([
    [7, expect.stringContaining('raise scheduled.events')],
    [9, null],
    [8, expect.stringContaining('raise scheduled.events')],
    [10, expect.stringContaining('ten years')],
  ]);
});

test('a source that was switched off emits what waits; one that was deleted does not', async () => {
  const source = await scheduler('Switched off');
  const gone = await scheduler('Deleted');
  await schedule(source, [{ n: 1, after: 2500 }]);
  await schedule(gone, [{ n: 1, after: 1000 }]);
  await world.runtime.restData('PUT', `/v1/sources/${source.id}`, { active: false });
  expect((await world.runtime.rest('DELETE', `/v1/sources/${gone.id}`)).status).toBe(200);
  expect(numbers(await world.eventually(source, 1))).toEqual([1]);
});

/** As `pipedream-new-scheduled-tasks` does it: a task goes to itself, and its run emits it. */
test('a published scheduler works: tasks it sends itself, and their cancelling', async () => {
  const source = await world.deploy(`
    export default {
      name: 'Tasks', dedupe: 'unique', props: { http: '$.interface.http' },
      run(event) {
        if (event.path === '/schedule') {
          const { id, message, after } = event.body;
          this.$emit({ message, $channel: 'self', $id: id },
            { name: 'self', id, delivery_ts: Date.now() + after });
        } else if (event.$channel === 'self') {
          const { $id: id, $channel, ...task } = event;
          this.$emit(task, { id, summary: JSON.stringify(task), ts: +new Date() });
        }
      },
    }`);
  await subscribe(source.id, source.id, 'self');
  const task = async (id: string, after: number) => {
    const body = JSON.stringify({ id, message: id, after });
    const headers = { 'content-type': 'application/json' };
    const url = `${endpointOf(source)}/schedule`;
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
  };
  await task('soon', 2500);
  await task('never', inAnHour);
  const found = await until('both to wait', async () => {
    const tasks = await waiting(source);
    return tasks.length === 2 && tasks.find(({ metadata }) => metadata.id === 'never');
  });
  const range = `start_id=${found.id}&end_id=${found.id}&event_name=$in`;
  await world.runtime.rest('DELETE', `/v1/sources/${source.id}/events?${range}`);
  const events = await world.eventually(source, 2);
  expect(events.map(({ event, metadata }) => [metadata.name, event])).toEqual([
    ['self', { message: 'soon', $channel: 'self', $id: 'soon' }],
    ['', { message: 'soon' }],
  ]);
  expect(await waiting(source)).toEqual([]);
  const { body } = await world.runtime.rest('GET', `/v1/sources/${source.id}/invocations`);
  const causes = (body as Page<Invocation>).data.map(({ cause }) => cause);
  expect(causes).toEqual(['event', 'http', 'http']);
});
