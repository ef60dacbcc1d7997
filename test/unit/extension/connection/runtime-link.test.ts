import { expect, test, vi } from 'vitest';
import type { RuntimeClient } from '../../../../src/extension/model/runtime-client.ts';
import {
  RuntimeLink,
  type RuntimeState,
} from '../../../../src/extension/connection/runtime-link.ts';

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

function createLink(open: () => Promise<RuntimeClient>) {
  const states: RuntimeState[] = [];
  const link = new RuntimeLink({
    open,
    connected: () => Promise.resolve(),
    now: () => 0,
    log: () => undefined,
  });
  link.onState.on((state) => states.push(state));
  return { link, states };
}

test('starts one runtime however many ask at once', async () => {
  const open = vi.fn<() => Promise<RuntimeClient>>(async () => createClient());
  const { link, states } = createLink(open);
  const [a, b] = await Promise.all([link.ready(), link.ready()]);
  expect(a).toBe(b);
  expect(open).toHaveBeenCalledTimes(1);
  expect(states).toEqual(['starting', 'ready']);
});

test('comes back by itself after a death', async () => {
  const clients = [createClient(), createClient()];
  const { link } = createLink(async () => clients.shift() ?? createClient());
  const [first, second] = clients;
  await link.ready();
  first?.end();
  expect(link.state).toBe('starting');
  await expect.poll(() => link.client).toBe(second);
  expect(link.state).toBe('ready');
});

test('an end that was asked for is no death', async () => {
  const open = vi.fn<() => Promise<RuntimeClient>>(async () => createClient());
  const { link, states } = createLink(open);
  await link.ready();
  await link.stop();
  expect(states).toEqual(['starting', 'ready', 'stopped']);
  expect(link.client).toBeUndefined();
  await link.ready();
  expect(open).toHaveBeenCalledTimes(2);
});

test('a start that fails says why, and the next need tries again', async () => {
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
