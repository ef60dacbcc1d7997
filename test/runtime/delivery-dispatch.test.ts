import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WeirError } from '../../src/protocol/errors.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { ownerOf } from '../support/records.ts';
import { signingSecret, World } from './delivery-world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
});
afterEach(() => world.close());

const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i));
const failWith = (target: Receiver, status: number, headers: Record<string, string> = {}) => {
  target.answer = (_arrival, response) => void response.writeHead(status, headers).end('no');
};

test('the bare payload arrives, signed, and the attempt is kept', async () => {
  const told: number[] = [];
  world.signals.on('delivery', ({ n }) => told.push(n));
  const target = await world.target('wh_1');
  const [n] = await world.emit(['wh_1'], '{"text":"ünïcødé"}');
  await expect.poll(() => told).toEqual([n]);
  const [{ path, headers, body }] = target.received as [Received];
  expect([path, body]).toEqual(['/hook', '{"text":"ünïcødé"}']);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-pd-emitter-id': 'dc_1',
  });
  expect(new Webhook(signingSecret).verify(body, headers as Record<string, string>)).toEqual({
    text: 'ünïcødé',
  });
  expect(await world.state(n!)).toEqual({ status: 'delivered', attempts: 1, in: null });
  expect(await world.store.deliveries.attempts(n!)).toMatchObject([
    {
      request: {
        method: 'POST',
        url: `${target.url}/hook`,
        body,
        headers: { 'webhook-id': headers['webhook-id'] },
      },
      response: { status: 200, body: 'ok' },
      error: null,
    },
  ]);
});

test('first attempts go out in emission order, one in flight per webhook', async () => {
  const target = await world.target('wh_1');
  let mostOpen = 0;
  target.answer = (_arrival, response) => {
    mostOpen = Math.max(mostOpen, target.open());
    setImmediate(() => response.end());
  };
  for (let i = 0; i < 10; i++)
    await world.emit(['wh_1'], ...numbers(10).map((payload) => `${i}${payload}`));
  await expect.poll(() => target.received).toHaveLength(100);
  expect(target.bodies().map(Number)).toEqual(numbers(100).map(Number));
  expect(mostOpen).toBe(1);
});

test('a failed one is retried on its own schedule and holds nobody back', async () => {
  const target = await world.target('wh_1');
  target.answer = ({ body }, response) => void response.writeHead(body === '1' ? 500 : 200).end();
  const made = await world.emit(['wh_1'], '1', '2', '3');
  await expect.poll(() => world.status(made[2]!)).toBe('delivered');
  expect(target.bodies()).toEqual(['1', '2', '3']);
  expect(await world.state(made[0]!)).toEqual({ status: 'retrying', attempts: 1, in: 1000 });
  world.pass(999);
  expect(target.open()).toBe(0);
  world.pass(1);
  await expect
    .poll(() => world.state(made[0]!))
    .toEqual({ status: 'retrying', attempts: 2, in: 5000 });
  failWith(target, 204);
  world.pass(5000);
  await expect.poll(() => world.status(made[0]!)).toBe('delivered');
  expect(target.bodies()).toEqual(['1', '2', '3', '1', '1']);
  const ids = target.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set([ids[0], ids[3], ids[4]]).size).toBe(1);
  expect(new Set(ids).size).toBe(3);
});

test('Retry-After is followed', async () => {
  const target = await world.target('wh_1');
  failWith(target, 429, { 'retry-after': '42' });
  const [n] = await world.emit(['wh_1'], '1');
  await expect.poll(() => world.state(n!)).toEqual({ status: 'retrying', attempts: 1, in: 42_000 });
});

test('a slow target does not delay another', async () => {
  const slow = await world.target('wh_slow');
  const quick = await world.target('wh_quick');
  slow.answer = () => {};
  await world.emit(['wh_slow', 'wh_quick'], ...numbers(20));
  await expect.poll(() => quick.received).toHaveLength(20);
  expect(slow.received).toHaveLength(1);
});

test('retries of a target that hangs do not hold back its first attempts', async () => {
  const target = await world.target('wh_1');
  failWith(target, 500);
  const failed = await world.emit(['wh_1'], ...numbers(10));
  await expect
    .poll(() => Promise.all(failed.map((n) => world.status(n))))
    .toEqual(failed.map(() => 'retrying'));
  target.answer = ({ body }, response) => void (body === 'new' && response.end());
  world.pass(1000);
  await world.emit(['wh_1'], 'new');
  await expect.poll(() => target.bodies()).toContain('new');
});

test('a dead target is given up after eight attempts; each of them is kept', async () => {
  const dead = await world.target('wh_1');
  await dead.close();
  const [n] = await world.emit(['wh_1'], '1');
  for (const [i, delay] of [1, 5, 30, 120, 600, 1800, 7200].entries()) {
    await expect
      .poll(() => world.state(n!))
      .toEqual({ status: 'retrying', attempts: i + 1, in: delay * 1000 });
    world.pass(delay * 1000);
  }
  await expect.poll(() => world.state(n!)).toEqual({ status: 'exhausted', attempts: 8, in: null });
  const attempts = await world.store.deliveries.attempts(n!);
  expect(attempts.map(({ error }) => error?.class)).toEqual(
    Array.from({ length: 8 }, () => 'refused'),
  );
  expect((await world.store.deliveries.get(n!))!.lastError).toContain('Nothing listens at');
  expect(await world.open()).toEqual([]);
});

test('a target that does not answer in time is a timeout', async () => {
  await world.deliveries.close();
  await world.start({ timeoutMs: 50 });
  const target = await world.target('wh_1');
  target.answer = () => {};
  const [n] = await world.emit(['wh_1'], '1');
  await expect.poll(() => world.status(n!)).toBe('retrying');
  expect(await world.store.deliveries.attempts(n!)).toMatchObject([
    { response: null, error: { class: 'timeout' } },
  ]);
});

test('a setting lets more first attempts fly', async () => {
  await world.deliveries.close();
  await world.start({ concurrency: 3 });
  const target = await world.target('wh_1');
  target.answer = () => {};
  await world.emit(['wh_1'], ...numbers(10));
  await expect.poll(() => target.open()).toBe(3);
});

describe('by hand', () => {
  test('delivers one that was given up', async () => {
    const target = await world.target('wh_1');
    failWith(target, 410);
    const [n] = await world.emit(['wh_1'], '1');
    await expect.poll(() => world.status(n!)).toBe('exhausted');
    failWith(target, 500);
    expect(await world.deliveries.redeliver(n!)).toMatchObject({
      status: 'exhausted',
      attempts: 2,
      nextAt: null,
    });
    failWith(target, 200);
    expect(await world.deliveries.redeliver(n!)).toMatchObject({
      status: 'delivered',
      attempts: 3,
      nextAt: null,
    });
    expect(await world.deliveries.redeliver(n!)).toMatchObject({
      status: 'delivered',
      attempts: 4,
    });
    world.pass(86_400_000);
    expect(target.received).toHaveLength(4);
  });

  test('one delivered meanwhile is not sent again on its schedule', async () => {
    const target = await world.target('wh_1');
    failWith(target, 500);
    const [n] = await world.emit(['wh_1'], '1');
    await expect.poll(() => world.status(n!)).toBe('retrying');
    failWith(target, 200);
    await world.deliveries.redeliver(n!);
    world.pass(1000);
    const [later] = await world.emit(['wh_1'], '2');
    await expect.poll(() => world.status(later!)).toBe('delivered');
    expect(target.bodies()).toEqual(['1', '1', '2']);
  });

  test('one whose webhook is gone cannot be sent', async () => {
    await world.target('wh_1');
    const [n] = await world.emit(['wh_1'], '1');
    await expect.poll(() => world.status(n!)).toBe('delivered');
    world.deliveries.forget('wh_1');
    await world.store.webhooks.delete('wh_1');
    await expect(world.deliveries.redeliver(n!)).rejects.toMatchObject({ code: 'not_found' });
    await expect(world.deliveries.redeliver(999)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the webhook changes', () => {
  const change = async (fields: { active?: boolean; url?: string }) => {
    await world.store.webhooks.update('wh_1', { ...fields, updatedAt: 3 });
    world.signals.emit('webhook', 'wh_1');
  };

  test('switched off it keeps what waits, first attempts and retries, and goes on when switched on', async () => {
    const target = await world.target('wh_1');
    failWith(target, 500);
    const [retrying] = await world.emit(['wh_1'], 'retry');
    await expect.poll(() => world.status(retrying!)).toBe('retrying');
    await change({ active: false });
    const [waiting] = await world.emit(['wh_1'], 'first');
    world.pass(60_000);
    expect(target.received).toHaveLength(1);
    failWith(target, 200);
    await change({ active: true });
    await expect
      .poll(() => Promise.all([world.status(retrying!), world.status(waiting!)]))
      .toEqual(['delivered', 'delivered']);
  });

  test('a new URL is used from the next attempt on', async () => {
    const before = await world.target('wh_1');
    failWith(before, 500);
    const [n] = await world.emit(['wh_1'], '1');
    await expect.poll(() => world.status(n!)).toBe('retrying');
    const after = await world.target('wh_other');
    await change({ url: `${after.url}/hook` });
    world.pass(1000);
    await expect.poll(() => after.bodies()).toEqual(['1']);
  });

  test('deleted: nothing more is sent, and what was in flight leaves no trace', async () => {
    const target = await world.target('wh_1');
    let answer: () => void = () => {};
    target.answer = (_arrival, response) => {
      answer = () => void response.writeHead(500).end();
    };
    const other = await world.target('wh_2');
    await world.emit(['wh_1'], '1', '2');
    await expect.poll(() => target.received).toHaveLength(1);
    world.deliveries.forget('wh_1');
    await world.store.webhooks.delete('wh_1');
    answer();
    await world.emit(['wh_2'], '3');
    await expect.poll(() => other.received).toHaveLength(1);
    world.pass(60_000);
    expect(target.received).toHaveLength(1);
    expect(await world.open()).toEqual([]);
  });
});

test('an event that is gone is given up with a sentence', async () => {
  const target = await world.target('wh_1');
  failWith(target, 500);
  const [n] = await world.emit(['wh_1'], '1');
  await expect.poll(() => world.status(n!)).toBe('retrying');
  await world.store.events.delete(await ownerOf(world.store, 'dc_1'), {});
  world.pass(1000);
  await expect.poll(() => world.status(n!)).toBe('exhausted');
  expect((await world.store.deliveries.get(n!))!.lastError).toBe('The event is no longer stored.');
});

describe('a restart', () => {
  test('goes on where the last one stopped, cuts off nothing for good', async () => {
    const target = await world.target('wh_1');
    target.answer = () => {};
    const made = await world.emit(['wh_1'], '1', '2', '3');
    await expect.poll(() => target.received).toHaveLength(1);
    const closed = world.deliveries.close(20);
    world.pass(20);
    await closed;
    expect(await world.store.deliveries.attempts(made[0]!)).toEqual([]);
    target.answer = (_arrival, response) => void response.end();
    await world.start();
    await expect.poll(() => world.status(made[2]!)).toBe('delivered');
    expect(target.bodies()).toEqual(['1', '1', '2', '3']);
  });

  test('lets an attempt in flight finish in time', async () => {
    const target = await world.target('wh_1');
    let answer: () => void = () => {};
    target.answer = (_arrival, response) => {
      answer = () => void response.end();
    };
    const [n] = await world.emit(['wh_1'], '1');
    await expect.poll(() => target.received).toHaveLength(1);
    const closed = world.deliveries.close(5000);
    answer();
    await closed;
    expect(await world.status(n!)).toBe('delivered');
  });

  test('keeps the time of a retry, and does one that was due at once', async () => {
    const target = await world.target('wh_1');
    failWith(target, 500);
    const [n] = await world.emit(['wh_1'], '1');
    await expect.poll(async () => (await world.state(n!)).in).toBe(1000);
    await world.deliveries.close();
    world.pass(400);
    await world.start();
    world.pass(599);
    expect(target.received).toHaveLength(1);
    world.pass(1);
    await expect.poll(async () => (await world.state(n!)).attempts).toBe(2);
    await world.deliveries.close();
    world.pass(3_600_000);
    failWith(target, 200);
    await world.start();
    world.pass(0);
    await expect.poll(() => world.status(n!)).toBe('delivered');
  });
});

test('a target that comes back gets what waited, oldest first', async () => {
  const target = await world.target('wh_1');
  const port = Number(new URL(target.url).port);
  await target.close();
  const made = await world.emit(['wh_1'], ...numbers(5));
  const attempts = () => Promise.all(made.map(async (n) => (await world.state(n)).attempts));
  await expect.poll(attempts).toEqual(made.map(() => 1));
  const back = await startReceiver({ port });
  world.pass(1000);
  await expect.poll(() => back.bodies().toSorted()).toEqual(numbers(5));
});

/** What a dispatcher reads, from a disk that fails to be read. */
const reads = (broken: () => boolean) => {
  const { deliveries, webhooks } = world.store;
  const outgoing: typeof deliveries.outgoing = async (n) => {
    if (broken()) throw new WeirError('store_failed', 'The disk does not read.');
    return deliveries.outgoing(n);
  };
  return { deliveries: { ...deliveries, outgoing }, webhooks };
};

describe('a delivery that cannot be read is told', () => {
  test('and keeps its place: it goes out before the next event', async () => {
    const target = await world.target('wh_1');
    await world.deliveries.close();
    const [first] = await world.emit(['wh_1'], '1');
    let broken = true;
    await world.start({ store: reads(() => broken) });
    await expect.poll(() => world.takeReports()).toMatchObject([{ code: 'store_failed' }]);
    expect(await world.state(first!)).toMatchObject({ status: 'pending', attempts: 0 });
    broken = false;
    const [second] = await world.emit(['wh_1'], '2');
    await expect.poll(() => world.status(second!)).toBe('delivered');
    expect(await world.status(first!)).toBe('delivered');
    expect(target.bodies()).toEqual(['1', '2']);
  });

  test('when a retry is due, and ends nothing', async () => {
    const target = await world.target('wh_1');
    failWith(target, 500);
    const [n] = await world.emit(['wh_1'], '1');
    await expect.poll(() => world.state(n!)).toMatchObject({ status: 'retrying', in: 1000 });
    await world.deliveries.close();
    await world.start({ store: reads(() => true) });
    world.pass(1000);
    await expect.poll(() => world.takeReports()).toMatchObject([{ code: 'store_failed' }]);
    expect(await world.state(n!)).toMatchObject({ status: 'retrying', attempts: 1 });
  });
});

test('what a commit has just given out is sent without a read', async () => {
  const target = await world.target('wh_1');
  await world.deliveries.close();
  await world.start({ store: reads(() => true) });
  const [n] = await world.emit(['wh_1'], '1');
  await expect.poll(() => world.status(n!)).toBe('delivered');
  expect(target.bodies()).toEqual(['1']);
});

test('two attempts at one delivery at once, by hand and on schedule, both count', async () => {
  const target = await world.target('wh_1');
  failWith(target, 500);
  const [n] = await world.emit(['wh_1'], '1');
  await expect.poll(() => world.state(n!)).toMatchObject({ status: 'retrying', attempts: 1 });
  const answers: (() => void)[] = [];
  target.answer = (_arrival, response) =>
    void answers.push(() => void response.writeHead(500).end());
  world.pass(1000);
  const byHand = world.deliveries.redeliver(n!);
  await expect.poll(() => answers).toHaveLength(2);
  for (const answer of answers) answer();
  await byHand;
  await expect.poll(() => world.state(n!)).toMatchObject({ status: 'retrying', attempts: 3 });
  expect(await world.store.deliveries.attempts(n!)).toHaveLength(3);
});
