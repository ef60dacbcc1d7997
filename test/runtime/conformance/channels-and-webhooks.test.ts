import { expect, test } from 'vitest';
import type { Source, Subscription, Webhook } from '../../../src/protocol/catalogue.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../../support/receiver.ts';
import { conformanceWorld } from './world.ts';

/** Who hears what (P18, P19). */
const world = conformanceWorld();

const listening = (name: string) =>
  `export default { name: '${name}', run(event) { this.$emit({ heard: event }); } }`;
const webhook = (url: string) => world.runtime.restData<Webhook>('POST', '/v1/webhooks', { url });
const subscribe = (emitter: Source, listener: { readonly id: string }, event_name?: string) =>
  world.runtime.restData<Subscription>('POST', '/v1/subscriptions', {
    emitter_id: emitter.id,
    listener_id: listener.id,
    ...(event_name === undefined ? {} : { event_name }),
  });

test('P10.12 an event on a named channel reaches only who subscribed to that channel', async () => {
  const { url, received } = await startReceiver();
  const emitter = await world.deploy(
    `export default { name: 'Two channels', run() { this.$emit('plain 1'); this.$emit('alarm', { name: 'alerts' }); this.$emit('other', { name: 'others' }); this.$emit('plain 2'); } }`,
  );
  const onDefault = await webhook(`${url}/default`);
  const onAlerts = await webhook(`${url}/alerts`);
  const sourceOnDefault = await world.deploy(listening('Hears the default channel'));
  const sourceOnAlerts = await world.deploy(listening('Hears alerts'));
  await subscribe(emitter, onDefault);
  await subscribe(emitter, onAlerts, 'alerts');
  await subscribe(emitter, sourceOnDefault, '');
  await subscribe(emitter, sourceOnAlerts, 'alerts');

  await world.run(emitter);
  await until('the deliveries', () => received.length === 3);
  const heard = async (source: Source, count: number) =>
    (await world.eventually(source, count)).map(({ event }) => event);
  expect(await heard(sourceOnDefault, 2)).toEqual([{ heard: 'plain 1' }, { heard: 'plain 2' }]);
  expect(await heard(sourceOnAlerts, 1)).toEqual([{ heard: 'alarm' }]);
  const at = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body);
  expect(at('/default')).toEqual(['"plain 1"', '"plain 2"']);
  expect(at('/alerts')).toEqual(['"alarm"']);

  const channel = async (query: string) =>
    (await world.events(emitter, query)).map(({ event }) => event);
  expect(await channel('&event_name=alerts')).toEqual(['alarm']);
  expect(await channel('')).toHaveLength(4);
});

test('P19.4 the body of a delivery is the payload, byte for byte, and two webhooks both get it', async () => {
  const { url, received } = await startReceiver();
  const payload = { text: 'ü "quoted" </script> \u2028', n: 1.5, list: [null, true], empty: {} };
  const emitter = await world.deploy(
    `export default { name: 'Emits payloads', run(event) { this.$emit(event, { id: 1, summary: 'not in the body', ts: 1 }); } }`,
  );
  for (const path of ['/one', '/two']) await subscribe(emitter, await webhook(url + path));
  await world.run(emitter, payload);
  await until('both deliveries', () => received.length === 2);
  expect(received.map(({ path }) => path).toSorted()).toEqual(['/one', '/two']);
  for (const { body, headers } of received) {
    expect(body).toBe(JSON.stringify(payload));
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['x-pd-emitter-id']).toBe(emitter.id);
  }
});

test('P18.11 what dedupe drops is not delivered, and nothing that was emitted before the subscription', async () => {
  const { url, received } = await startReceiver();
  const emitter = await world.deploy(
    `export default { name: 'Once each', dedupe: 'unique', run(ids) { for (const id of ids) this.$emit(id, { id }); } }`,
  );
  await world.run(emitter, ['before']);
  await subscribe(emitter, await webhook(url));
  await world.run(emitter, ['before', 'a', 'a']);
  await world.run(emitter, ['a', 'b']);
  await until('b', () => received.some(({ body }) => body === '"b"'));
  expect(received.map(({ body }) => body)).toEqual(['"a"', '"b"']);
});

test('P18.2 creating a subscription is a 200, twice the same one; event_name= deletes the one on the default channel', async () => {
  const emitter = await world.deploy(`export default { name: 'Emitter', run() {} }`);
  const { id: listener } = await webhook('http://127.0.0.1:9/nobody');
  const parts = `emitter_id=${emitter.id}&listener_id=${listener}`;
  const call = (method: string, query: string) =>
    world.runtime.rest(method, `/v1/subscriptions?${query}`);
  const record = { emitter_id: emitter.id, listener_id: listener, event_name: '' };

  const created = await call('POST', parts);
  expect(created).toMatchObject({ status: 200, body: { data: record } });
  expect(await call('POST', `${parts}&event_name=`)).toEqual(created);
  const named = await call('POST', `${parts}&event_name=alerts`);
  expect(named).toMatchObject({ status: 200, body: { data: { event_name: 'alerts' } } });

  expect((await call('DELETE', `${parts}&event_name=unknown`)).status).toBe(404);
  expect((await call('DELETE', `${parts}&event_name=`)).status).toBe(200);
  const { body } = await world.runtime.rest('GET', '/v1/users/me/subscriptions?limit=100');
  const left = (body as { data: Subscription[] }).data;
  expect(left.filter(({ emitter_id }) => emitter_id === emitter.id)).toEqual([
    { ...record, event_name: 'alerts', id: expect.stringMatching(/^sub_/) as string },
  ]);
});
