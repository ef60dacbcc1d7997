/** Reserved channels, globs and auto-subscriptions (P18). */
import { expect, test } from 'vitest';
import type {
  AutoSubscription,
  EmittedEvent,
  Source,
  Subscription,
  Webhook,
} from '../../src/protocol/catalogue.ts';
import { startReceiver } from '../support/receiver.ts';
import { conformanceWorld } from './conformance/world.ts';
import { until } from '../support/until.ts';

const world = conformanceWorld();

const failing = (name: string) =>
  `export default { name: '${name}', run(event) {
    console.log('about to');
    if (event.fail) throw new TypeError('as you wish');
    this.$emit(event);
  } }`;
const listening = (name: string) =>
  `export default { name: '${name}', run(event) { this.$emit(event); } }`;
const post = <T>(path: string, body: object) => world.runtime.restData<T>('POST', path, body);
const webhook = (url: string) => post<Webhook>('/v1/webhooks', { url });
const subscribe = (emitter_id: string, listener_id: string, event_name?: string) =>
  post<Subscription>('/v1/subscriptions', { emitter_id, listener_id, event_name });
const subscriptions = async () => {
  const { body } = await world.runtime.rest('GET', '/v1/subscriptions?limit=100');
  return (body as { data: Subscription[] }).data;
};
const remove = (path: string) => world.runtime.rest('DELETE', path);

test('$errors: a failed run is told to webhooks and sources, with its event and its stack', async () => {
  const { url, received } = await startReceiver();
  const emitter = await world.deploy(failing('Fails at times'));
  const archive = await world.deploy(listening('Archive of errors'));
  const { id: hook } = await webhook(url);
  for (const listener of [hook, archive.id]) await subscribe(emitter.id, listener, '$errors');

  await world.run(emitter, { n: 1 });
  const failed = await world.run(emitter, { fail: true });
  const [heard] = await world.eventually(archive, 1);
  await until('the delivery', () => received.length === 1);
  const payload = {
    original_event: { fail: true },
    original_context: { id: failed.id, source_id: emitter.id, cause: 'manual', attempt: 1 },
    error: { code: 'TypeError', message: 'as you wish', ts: expect.stringMatching(/^\d{4}-.*Z$/) },
  };
  expect(heard?.event).toMatchObject(payload);
  expect(JSON.parse(received[0]!.body)).toMatchObject(payload);
  const { error } = heard!.event as { error: { stack: string } };
  expect(error.stack).toContain('component.mjs');

  // It is no event of the source's own: listed when asked for, counted nowhere.
  expect(failed).toMatchObject({ status: 'failed', emitted: [], emitted_count: 0 });
  expect((await world.events(emitter)).map(({ event }) => event)).toEqual([{ n: 1 }]);
  const [listed] = await world.events(emitter, '&event_name=$errors');
  expect(listed).toMatchObject({
    metadata: { name: '$errors', summary: 'TypeError: as you wish', emitter_id: emitter.id },
  });
});

test('without a listener nothing is made of an error, and a source never hears of its own', async () => {
  const emitter = await world.deploy(failing('Fails alone'));
  await subscribe(emitter.id, emitter.id, '$errors');
  await world.run(emitter, { fail: true });
  expect(await world.events(emitter, '&event_name=$errors')).toEqual([]);
});

test('$logs: the lines of each run; dc_* is every source, those to come too', async () => {
  const listener = await world.deploy(listening('Reads logs'));
  const { id } = await subscribe('dc_*', listener.id, '$logs');
  const emitter = await world.deploy(failing('Logs'));
  const ran = await world.run(emitter, { n: 1 });
  const [heard] = await world.eventually(listener, 1);
  expect(heard?.event).toMatchObject({
    context: { id: ran.id, source_id: emitter.id },
    status: 'succeeded',
    logs: [
      { kind: 'console', level: 'info', text: 'about to' },
      { kind: 'end', level: 'info' },
    ],
  });
  expect((await remove(`/v1/subscriptions/${id}`)).status).toBe(200);
});

test('auto-subscriptions are for sources deployed from then on', async () => {
  const before = await world.deploy(failing('There before'));
  const listener = await world.deploy(listening('Hears errors'));
  const create = () =>
    post<AutoSubscription>('/v1/auto_subscriptions', {
      event_name: '$errors',
      listener_id: listener.id,
    });
  const made = await create();
  expect(made).toEqual({ id: made.id, event_name: '$errors', listener_id: listener.id });
  expect(await create()).toEqual(made);
  const after = await world.deploy(failing('There afterwards'));
  for (const source of [before, after]) await world.run(source, { fail: true });
  const heard = await world.eventually(listener, 1);
  expect(heard.map(sourceOf)).toEqual([after.id]);

  expect((await remove(`/v1/auto_subscriptions/${made.id}`)).status).toBe(200);
  const later = await world.deploy(failing('There last'));
  expect((await subscriptions()).map(({ emitter_id }) => emitter_id)).not.toContain(later.id);
  const wrong = { event_name: 'alerts', listener_id: listener.id };
  expect(await world.runtime.rest('POST', '/v1/auto_subscriptions', wrong)).toMatchObject({
    status: 400,
  });
});

function sourceOf({ event }: EmittedEvent): string {
  return (event as { original_context: { source_id: string } }).original_context.source_id;
}

test('deleting an end deletes what hung on it', async () => {
  const emitter = await world.deploy(listening('Emitter to delete'));
  const listener = await world.deploy(listening('Listener to delete'));
  const { id: hook } = await webhook('http://127.0.0.1:9/');
  const auto = { event_name: '$logs', listener_id: hook };
  await post('/v1/auto_subscriptions', auto);
  const made: Subscription[] = [];
  for (const [from, to] of [
    [emitter.id, hook],
    ['dc_*', hook],
    [listener.id, emitter.name_slug],
    [emitter.name_slug, listener.name_slug],
  ] as const) {
    made.push(await subscribe(from, to, '$errors'));
  }
  const left = async () => {
    const ids = (await subscriptions()).map(({ id }) => id);
    return made.map(({ id }) => ids.includes(id));
  };
  expect(await left()).toEqual([true, true, true, true]);
  await remove(`/v1/webhooks/${hook}`);
  expect(await left()).toEqual([false, false, true, true]);
  const { body } = await world.runtime.rest('GET', '/v1/auto_subscriptions');
  expect((body as { data: unknown[] }).data).toEqual([]);
  await remove(`/v1/sources/${listener.id}`);
  expect(await left()).toEqual([false, false, false, false]);
});

test('a subscription is deleted by slugs as it was made', async () => {
  const [one, other] = await Promise.all(
    ['Slug one', 'Slug two'].map((name) => world.deploy(listening(name))),
  );
  const query = `emitter_id=${(one as Source).name_slug}&listener_id=${(other as Source).name_slug}`;
  expect((await world.runtime.rest('POST', `/v1/subscriptions?${query}`)).status).toBe(200);
  expect((await remove(`/v1/subscriptions?${query}&event_name=`)).status).toBe(200);
  expect((await remove(`/v1/subscriptions?${query}`)).status).toBe(404);
});
