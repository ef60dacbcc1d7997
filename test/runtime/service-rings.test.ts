/** Sources that listen to themselves or to each other (P18.14). */
import { expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { until } from '../support/until.ts';
import { conformanceWorld, endpointOf } from './conformance/world.ts';

const world = conformanceWorld();

/** Emits what it runs with, one more. */
const counting = (name: string, more = '') =>
  world.deploy(`export default { name: '${name}', async run({ n = 0 }) {
    ${more} this.$emit({ n: n + 1 }); } }`);

const subscribe = (emitter: Source, listener: Source, event_name?: string) =>
  world.runtime.restData<{ id: string; warnings?: string[] }>('POST', '/v1/subscriptions', {
    emitter_id: emitter.id,
    listener_id: listener.id,
    event_name,
  });

/** What it has emitted, once an event was dropped, and why that was. */
async function atTheEnd(source: Source): Promise<{ emitted: unknown[]; dropped: string[] }> {
  const dropped = await until('the end of the ring', async () => {
    const lines = await world.logs(source, 'drop');
    return lines.length > 0 && lines;
  });
  return { emitted: (await world.events(source)).map(({ event }) => event), dropped };
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => ({ n: i + 1 }));
const ring = expect.stringContaining('after 32 runs in a row that events started') as string;

test('a source that listens to itself is warned of and ends, with a row that says why', async () => {
  const source = await counting('Hears itself');
  const { warnings } = await subscribe(source, source);
  expect(warnings).toEqual([expect.stringContaining('listens to itself')]);
  expect(await subscribe(source, source, 'named')).not.toHaveProperty('warnings');
  await world.run(source);
  expect(await atTheEnd(source)).toEqual({ emitted: upTo(32), dropped: [ring] });
  const rows = await world.events(source, '&include_dropped=true');
  expect(rows.at(-1)).toMatchObject({ event: { n: 33 }, dropped: ring });

  // A replay of the last run counts anew.
  const { body } = await world.runtime.rest('GET', `/v1/sources/${source.id}/invocations?limit=1`);
  const [last] = (body as { data: { id: string }[] }).data;
  await world.runtime.restData('POST', `/v1/sources/${source.id}/invocations/${last?.id}/replay`);
  await world.eventually(source, 64);
});

test('a ring of sources ends, also when the runtime is killed meanwhile', async () => {
  const pause = 'await new Promise((resolve) => setTimeout(resolve, 20));';
  const [one, two] = [await counting('Ring one', pause), await counting('Ring two', pause)];
  await subscribe(one, two);
  await subscribe(two, one);
  await world.run(one);
  await world.eventually(one, 5);
  await world.runtime.kill();
  await world.start();
  const { emitted, dropped } = await atTheEnd(one);
  // A run that the kill cut off has emitted nothing; it runs again.
  expect(emitted).toEqual(upTo(32).filter(({ n }) => n % 2 === 1));
  expect(dropped).toEqual([ring]);
});

test.each(['$errors', '$logs'])('a ring on %s ends', async (channel) => {
  const code = (name: string) =>
    `export default { name: '${name}', run() { console.log('here'); throw new Error('always'); } }`;
  const [one, two] = [await world.deploy(code('Fails one')), await world.deploy(code('Fails two'))];
  await subscribe(one, two, channel);
  await subscribe(two, one, channel);
  await world.run(one);
  expect((await atTheEnd(one)).dropped).toEqual([ring]);
  const { body } = await world.runtime.rest('GET', `/v1/sources/${one.id}/invocations?limit=100`);
  expect((body as { data: unknown[] }).data).toHaveLength(17);
});

test('a webhook that leads back to the endpoint of its source ends, with a delivery and a log line that say why', async () => {
  const source =
    await world.deploy(`export default { name: 'By webhook', props: { http: '$.interface.http' },
    run({ body }) { const n = body?.n ?? 0; this.$emit({ n: n + 1 }); } }`);
  const url = endpointOf(source);
  const { id } = await world.runtime.restData<{ id: string }>('POST', '/v1/webhooks', { url });
  await world.runtime.restData('POST', '/v1/subscriptions', {
    emitter_id: source.id,
    listener_id: id,
  });
  await world.run(source, { body: {} });
  const refused = await until('the refusal in the log', async () => {
    const lines = await world.logs(source, 'system');
    return lines.length > 0 && lines;
  });
  expect(refused).toEqual([expect.stringContaining('A webhook leads back to a source')]);
  expect((await world.events(source)).map(({ event }) => event)).toEqual(upTo(33));
  const exhausted = await until('the delivery that is given up', async () => {
    const path = `/v1/deliveries?webhook_id=${id}&status=exhausted`;
    const { body } = await world.runtime.rest('GET', path);
    const { data } = body as {
      data: { attempts: number; last_status: number; last_error: string }[];
    };
    return data.length > 0 && data;
  });
  expect(exhausted).toMatchObject([
    { last_status: 508, last_error: expect.stringContaining('leads back to a source') },
  ]);
});
