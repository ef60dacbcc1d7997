import { describe, expect, test, vi } from 'vitest';
import { WeirError } from '../../../../src/protocol/errors.ts';
import type { RuntimeClient } from '../../../../src/extension/model/runtime-client.ts';
import {
  planReconnect,
  planRestart,
  RuntimeLink,
  type RuntimeState,
} from '../../../../src/extension/connection/runtime-link.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

/** A connection that the test ends; the real one is driven in test/editor. */
function createClient(): RuntimeClient & { end(): void } {
  const listeners: (() => void)[] = [];
  let closed: string | undefined;
  const end = (): void => {
    if (closed !== undefined) return;
    closed = 'gone';
    for (const listener of listeners) listener();
  };
  return {
    isRemote: false,
    url: 'http://127.0.0.1:1',
    call: async () => {
      end();
      return {} as never;
    },
    onChanges: () => () => undefined,
    onClose: (listener) => {
      listeners.push(() => listener('gone'));
      return () => undefined;
    },
    get closed() {
      return closed;
    },
    close: end,
    end,
  };
}

const clock = new FakeClock(1_000_000);

function createLink(
  open: () => Promise<RuntimeClient>,
  connected: (client: RuntimeClient) => Promise<void> = () => Promise.resolve(),
) {
  const states: RuntimeState[] = [];
  const link = new RuntimeLink({
    open,
    connected,
    log: () => undefined,
    clock,
  });
  link.onState.on((state) => states.push(state));
  return { link, states };
}

test('what is refused starts nothing, and is no failure', async () => {
  const open = vi.fn<() => Promise<RuntimeClient>>(async () => createClient());
  const refusal = new WeirError('conflict', 'Not now.');
  let refused: WeirError | undefined = refusal;
  const link = new RuntimeLink({
    refused: () => refused,
    open,
    connected: () => Promise.resolve(),
    log: () => undefined,
    clock,
  });
  await expect(link.ready()).rejects.toBe(refusal);
  expect([link.state, link.failure, open.mock.calls.length]).toEqual(['idle', undefined, 0]);
  refused = undefined;
  await link.ready();
  expect(link.state).toBe('ready');
});

test('what fails to start can be stopped all the same', async () => {
  let fail: (error: Error) => void = () => undefined;
  const { link } = createLink(() => new Promise((_, reject) => (fail = reject)));
  const started = link.ready();
  const stopped = link.stop();
  fail(new Error('No room.'));
  await expect(started).rejects.toThrow('No room.');
  await stopped;
  expect(link.state).toBe('stopped');
});

test('starts one runtime however many ask at once', async () => {
  const open = vi.fn<() => Promise<RuntimeClient>>(async () => createClient());
  const { link, states } = createLink(open);
  const [a, b] = await Promise.all([link.ready(), link.ready()]);
  expect(a).toBe(b);
  expect(open).toHaveBeenCalledTimes(1);
  expect(states).toEqual(['starting', 'ready']);
});

test('starts the runtime again when it dies', async () => {
  const clients = [createClient(), createClient()];
  const { link } = createLink(async () => clients.shift() ?? createClient());
  const [first, second] = clients;
  await link.ready();
  first?.end();
  expect(link.state).toBe('starting');
  clock.pass(0);
  await expect.poll(() => link.client).toBe(second);
  expect(link.state).toBe('ready');
});

test('a click while it is started again takes nothing from the next attempts', async () => {
  const first = createClient();
  const open = vi.fn<() => Promise<RuntimeClient>>().mockResolvedValueOnce(first);
  const { link } = createLink(open);
  await link.ready();
  open.mockRejectedValueOnce(new Error('No disk.'));
  first.end();
  await expect(link.ready()).rejects.toThrow('No disk.');
  expect([link.state, link.failure]).toEqual(['starting', 'No disk.']);
  const back = createClient();
  open.mockResolvedValue(back);
  clock.pass(0);
  await expect.poll(() => link.client).toBe(back);
});

test('a runtime that was asked to stop is not started again', async () => {
  const open = vi.fn<() => Promise<RuntimeClient>>(async () => createClient());
  const { link, states } = createLink(open);
  await link.ready();
  await link.stop();
  expect(states).toEqual(['starting', 'ready', 'stopped']);
  expect(link.client).toBeUndefined();
  await link.ready();
  expect(open).toHaveBeenCalledTimes(2);
});

test('a start that fails gives the reason, and the next caller tries again', async () => {
  let fails = true;
  const { link } = createLink(async () => {
    if (fails) throw new Error('No disk.');
    return createClient();
  });
  await expect(link.ready()).rejects.toThrow('No disk.');
  expect([link.state, link.failure]).toEqual(['failed', 'No disk.']);
  fails = false;
  await link.ready();
  expect([link.state, link.failure]).toEqual(['ready', undefined]);
});

test('a connection whose runtime cannot be read is closed', async () => {
  const client = createClient();
  const { link, states } = createLink(
    async () => client,
    () => Promise.reject(new Error('The store is busy.')),
  );
  await expect(link.ready()).rejects.toThrow('The store is busy.');
  expect(client.closed).toBeDefined();
  expect([link.state, link.failure]).toEqual(['failed', 'The store is busy.']);
  // Its end is not the loss of a runtime.
  expect(states).toEqual(['starting', 'failed']);
});

test('a window that closes while it connects leaves no connection behind', async () => {
  const client = createClient();
  let connect = (): void => undefined;
  const opened = new Promise<RuntimeClient>((resolve) => (connect = () => resolve(client)));
  const { link, states } = createLink(() => opened);
  const ready = link.ready();
  link.dispose();
  connect();
  await expect(ready).rejects.toThrow('The window is closing.');
  expect(client.closed).toBeDefined();
  expect(link.client).toBeUndefined();
  expect(states).toEqual(['starting']);
});

test('after six losses in a minute it gives up', async () => {
  const clients: ReturnType<typeof createClient>[] = [];
  const { link } = createLink(async () => {
    const client = createClient();
    clients.push(client);
    return client;
  });
  await link.ready();
  for (let losses = 1; losses <= 5; losses++) {
    clients.at(-1)?.end();
    clock.pass(8000);
    await vi.waitFor(() => expect(link.state).toBe('ready'));
  }
  expect(clients).toHaveLength(6);
  clients.at(-1)?.end();
  expect([link.state, link.failure]).toEqual([
    'failed',
    expect.stringMatching(/^The runtime has ended six times .* run Weir: Restart Runtime\.$/),
  ]);
});

describe('planning a restart', () => {
  const now = 1_000_000;

  test('waits longer after each loss within a minute, then gives up', () => {
    const plans = [1, 2, 3, 4, 5, 6].map((n) =>
      planRestart(
        Array.from({ length: n }, () => now),
        now,
      ),
    );
    expect(plans).toEqual([
      { restart: true, delayMs: 0 },
      { restart: true, delayMs: 500 },
      { restart: true, delayMs: 1000 },
      { restart: true, delayMs: 2000 },
      { restart: true, delayMs: 4000 },
      { restart: false },
    ]);
  });

  test('losses of more than a minute ago do not count', () => {
    const old = Array.from({ length: 9 }, () => now - 60_000);
    expect(planRestart([...old, now], now)).toEqual({ restart: true, delayMs: 0 });
  });
});

describe('a runtime on another machine', () => {
  const remote = (open: () => Promise<RuntimeClient>) => {
    const states: RuntimeState[] = [];
    const link = new RuntimeLink({
      open,
      isRemote: () => true,
      connected: () => Promise.resolve(),
      log: () => undefined,
      clock,
    });
    link.onState.on((state) => states.push(state));
    return { link, states };
  };
  const pass = async (): Promise<void> => {
    clock.pass(30_000);
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  const unreachable = new WeirError('runtime_unavailable', 'No runtime answers.');

  test('is asked again for as long as it cannot be reached, and never given up', async () => {
    const open = vi.fn<() => Promise<RuntimeClient>>(() => Promise.reject(unreachable));
    const { link } = remote(open);
    await expect(link.ready()).rejects.toBe(unreachable);
    for (let tries = 1; tries < 20; tries++) {
      expect(open).toHaveBeenCalledTimes(tries);
      await pass();
    }
    open.mockResolvedValue(createClient());
    await pass();
    expect(link.state).toBe('ready');
  });

  test('is asked again whatever a person clicks meanwhile', async () => {
    const client = createClient();
    const open = vi.fn<() => Promise<RuntimeClient>>().mockResolvedValueOnce(client);
    const { link, states } = remote(open);
    await link.ready();
    open.mockImplementation(() => Promise.reject(unreachable));
    client.end();
    expect(link.failure).toBe('gone');
    for (let clicks = 0; clicks < 12; clicks++) {
      await expect(link.ready()).rejects.toBe(unreachable);
    }
    expect([link.state, link.failure]).toEqual(['starting', 'No runtime answers.']);
    // A click takes nothing from the attempts that were planned, and does not put them off.
    expect(clock.waits).toEqual([500]);
    await pass();
    expect(clock.waits).toEqual([1000]);
    const back = createClient();
    open.mockResolvedValue(back);
    await pass();
    expect([link.client, link.failure]).toEqual([back, undefined]);
    expect(states).toEqual(['starting', 'ready', 'starting', 'ready']);
  });

  test('is left for good when it is disconnected during an outage', async () => {
    const client = createClient();
    const open = vi.fn<() => Promise<RuntimeClient>>().mockResolvedValueOnce(client);
    const { link } = remote(open);
    await link.ready();
    open.mockRejectedValue(unreachable);
    client.end();
    await expect(link.ready()).rejects.toBe(unreachable);
    link.disconnect();
    for (let tries = 0; tries < 5; tries++) await pass();
    expect([open.mock.calls.length, link.state, clock.waits]).toEqual([2, 'stopped', []]);
  });

  test('is not asked again with a key that it refuses', async () => {
    const client = createClient();
    const open = vi.fn<() => Promise<RuntimeClient>>().mockResolvedValueOnce(client);
    const { link } = remote(open);
    await link.ready();
    open.mockRejectedValue(new WeirError('unauthorized', 'It has another API key.'));
    client.end();
    for (let tries = 0; tries < 5; tries++) await pass();
    expect(open).toHaveBeenCalledTimes(2);
    expect([link.state, link.failure]).toEqual(['failed', 'It has another API key.']);
  });

  test('is not stopped, only left', async () => {
    const client = createClient();
    const call = vi.spyOn(client, 'call');
    const { link, states } = remote(async () => client);
    await link.ready();
    await link.stop();
    expect([call.mock.calls, client.closed]).toEqual([[], 'gone']);
    expect(states).toEqual(['starting', 'ready', 'stopped']);
  });
});

test('what was begun for a runtime that is no longer meant comes to nothing', async () => {
  let answer: (client: RuntimeClient) => void = () => undefined;
  const [old, current] = [createClient(), createClient()];
  const open = vi
    .fn<() => Promise<RuntimeClient>>()
    .mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)))
    .mockResolvedValueOnce(current);
  const { link } = createLink(open);
  const begun = link.ready();
  link.disconnect();
  expect(await link.ready()).toBe(current);
  answer(old);
  await expect(begun).rejects.toMatchObject({ code: 'cancelled' });
  expect([link.client, link.state, old.closed]).toEqual([current, 'ready', 'gone']);
});

test.each([
  [1, 500],
  [2, 1000],
  [10, 30_000],
])('after %i losses a runtime elsewhere is asked again in %i ms', (losses, delayMs) => {
  expect(planReconnect(losses)).toEqual({ restart: true, delayMs });
});
