/** Rotation of the secret, and sending again by hand (P19.7, P19.13). */
import { Webhook as Verifier } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { Delivery, Result, Source, Webhook } from '../../src/protocol/catalogue.ts';
import { conformanceWorld } from './conformance/world.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

const world = conformanceWorld();

type Secret = Webhook & { readonly signing_secret: string };
interface Redelivered {
  readonly sent: readonly (Delivery & { readonly signed: string })[];
  readonly skipped: number;
}

const rest = <T>(method: string, path: string, body?: object) =>
  world.runtime.restData<T>(method, path, body);

async function delivered(name: string, url: string): Promise<{ source: Source; hook: Secret }> {
  const source = await world.deploy(
    `export default { name: '${name}', run(event) { this.$emit(event); } }`,
  );
  const hook = await rest<Secret>('POST', '/v1/webhooks', { url });
  const ends = { emitter_id: source.id, listener_id: hook.id };
  await rest('POST', '/v1/subscriptions', ends);
  return { source, hook };
}

const failed = () => ({ status: 500, body: 'no' });
const gone = () => ({ status: 410 });
const deliveries = (hook: string, query = '') => {
  const path = `/v1/deliveries?limit=100&webhook_id=${hook}${query}`;
  return rest<Delivery[]>('GET', path);
};
const settled = (hook: string, count: number) =>
  until(`${count} attempts`, async (seen) => {
    const all = seen(await deliveries(hook));
    return all.length === count && all.every(({ attempt_count: n }) => n > 0) && all;
  });

test('a new secret is shown once, the old one signs as well for a while, also after a restart', async () => {
  const { url, received } = await startReceiver();
  const { source, hook } = await delivered('Rotated', url);
  const rotate = (body: object) =>
    rest<Secret & { old_secret_until: number }>(
      'POST',
      `/v1/webhooks/${hook.id}/rotate_secret`,
      body,
    );
  const rotated = await rotate({});
  expect(rotated.signing_secret).toMatch(/^whsec_/);
  expect(rotated.signing_secret).not.toBe(hook.signing_secret);
  const inADay = Date.now() / 1000 + 86_400;
  expect(Math.abs(rotated.old_secret_until - inADay)).toBeLessThan(60);
  expect(JSON.stringify(await rest('GET', `/v1/webhooks/${hook.id}`))).not.toContain('whsec_');

  await world.runtime.kill();
  await world.start();
  const knownTo = async (event: number): Promise<boolean[]> => {
    await world.run(source, event);
    const arrival = await until('the delivery', () =>
      received.find((one) => one.body === `${event}`),
    );
    return [hook, rotated].map(({ signing_secret }) => {
      try {
        new Verifier(signing_secret).verify(
          arrival.body,
          arrival.headers as Record<string, string>,
        );
        return true;
      } catch {
        return false;
      }
    });
  };
  expect(await knownTo(1)).toEqual([true, true]);
  await rotate({ grace_seconds: 0 });
  expect(await knownTo(2)).toEqual([false, false]);
  expect(await world.runtime.rest('POST', '/v1/webhooks/wh_nobody/rotate_secret')).toMatchObject({
    status: 404,
  });
});

test('an attempt tells its phases, and whether a person made it; it is signed now', async () => {
  const { url, received } = await startReceiver({ answer: failed });
  const { source, hook } = await delivered('Timed', url);
  await world.run(source, { n: 1 });
  const [delivery] = await settled(hook.id, 1);
  const again = await rest<Delivery & { signed: string }>(
    'POST',
    `/v1/deliveries/${delivery!.id}/redeliver`,
  );
  expect(again).toMatchObject({ signed: 'now', status: 'retrying', last_status: 500 });
  expect(again.next_attempt_at).toBe(delivery!.next_attempt_at);
  const { attempts } = await rest<Result<'deliveries.get'>>(
    'GET',
    `/v1/deliveries/${delivery!.id}`,
  );
  expect(attempts.at(0)).toMatchObject({
    manual: false,
    timing: {
      dns_ms: null,
      connect_ms: expect.any(Number),
      tls_ms: null,
      first_byte_ms: expect.any(Number),
      total_ms: expect.any(Number),
    },
    response: { status: 500, headers: { connection: 'keep-alive' }, body: 'no' },
  });
  expect(attempts.at(-1)).toMatchObject({ manual: true });
  const [first, byHand] = received;
  expect(byHand!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  new Verifier(hook.signing_secret).verify(byHand!.body, byHand!.headers as Record<string, string>);
});

test('a person sees what was given up, and sends all that failed since then again, in order', async () => {
  // 410 is given up at once.
  const made = await startReceiver({ answer: gone });
  const { source, hook } = await delivered('Given up', made.url);
  await world.run(source, 'too old');
  await settled(hook.id, 1);
  const since = new Date(Date.now() + 1).toISOString();
  await until('the next millisecond', () => Date.now() > Date.parse(since));
  for (const n of [1, 2, 3]) await world.run(source, n);
  await settled(hook.id, 4);
  expect(await deliveries(hook.id, '&status=exhausted')).toHaveLength(4);

  made.answer = () => ({});
  made.received.length = 0;
  const body = { failed: true, webhook_id: hook.id, since };
  const redelivered = await rest<Redelivered>('POST', '/v1/deliveries/redeliver', body);
  expect(redelivered).toMatchObject({ skipped: 0 });
  expect(redelivered.sent.map(({ status, signed }) => [status, signed])).toEqual(
    [1, 2, 3].map(() => ['delivered', 'now']),
  );
  expect(made.bodies()).toEqual(['1', '2', '3']);

  const [left] = await deliveries(hook.id, '&status=exhausted');
  const cli = await world.runtime.weir('redeliver', left!.id);
  expect(cli).toMatchObject({ code: 0, stdout: expect.stringContaining('delivered') });
  expect(await deliveries(hook.id, '&status=exhausted')).toEqual([]);
});

test('a target that is still down is given up after three', async () => {
  const { url, received } = await startReceiver({ answer: gone });
  const { source, hook } = await delivered('Still down', url);
  for (let n = 0; n < 5; n++) await world.run(source, n);
  await settled(hook.id, 5);
  received.length = 0;
  const run = await world.runtime.weir('redeliver', '--failed', '--webhook', hook.id);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(/^2 were not sent/) });
  expect(received.map(({ body }) => body)).toEqual(['0', '1', '2']);
});

test.each([
  [{}, 400],
  [{ failed: true, ids: ['del_1'] }, 400],
  [{ ids: ['del_999999'] }, 404],
  [{ failed: true, since: 'yesterday' }, 400],
])('redeliver %j: %d', async (body, status) => {
  const answer = await world.runtime.rest('POST', '/v1/deliveries/redeliver', body);
  expect(answer).toMatchObject({ status, body: { error: expect.any(String) } });
});
