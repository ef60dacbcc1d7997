import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, type Connection } from '../../../src/client/connection.ts';
import { WeirError } from '../../../src/protocol/errors.ts';
import type { Change } from '../../../src/protocol/rpc.ts';
import { type Harness, type HarnessOptions, startHarness } from '../runtime/api/harness.ts';

async function connected(
  options: HarnessOptions = {},
): Promise<{ runtime: Harness; client: Connection }> {
  const runtime = await startHarness(options);
  const client = await connect(runtime);
  onTestFinished(() => client.close());
  return { runtime, client };
}

const never = (): Promise<never> => new Promise(() => undefined);

describe('call', () => {
  test('gives the handler checked params and returns its result', async () => {
    const { client } = await connected({
      handlers: {
        'sources.delete': (params) => ({ echoed: params }) as unknown as Record<string, never>,
      },
    });
    const result = await client.call('sources.delete', { id: 'dc_1', ignore_hook_errors: '1' });
    expect(result).toEqual({ echoed: { id: 'dc_1', ignore_hook_errors: true } });
  });

  test('rejects with the error of the runtime and the stack of the caller', async () => {
    const details = [{ message: 'a', prop: 'b' }];
    const { client } = await connected({
      handlers: {
        'sources.get': () => {
          throw new WeirError('not_found', 'There is no source "x".', details);
        },
      },
    });
    const theCaller = async (): Promise<unknown> => await client.call('sources.get', { id: 'x' });
    const error: unknown = await theCaller().catch((thrown: unknown) => thrown);
    expect(WeirError.is(error, 'not_found')).toBe(true);
    expect(error).toMatchObject({ message: 'There is no source "x".', details });
    expect((error as Error).stack).toMatch(/connection\.test\.ts/);
  });

  test('bad params are told by name', async () => {
    const { client } = await connected();
    const call = client.call('sources.list', { limit: 1000 });
    await expect(call).rejects.toMatchObject({ code: 'bad_input', details: [{ prop: 'limit' }] });
  });

  test('an error of ours says nothing of its words', async () => {
    const { client, runtime } = await connected({
      handlers: {
        'sources.get': () => {
          throw new TypeError('secret words');
        },
      },
    });
    const error: unknown = await client.call('sources.get', { id: 'x' }).catch((e: unknown) => e);
    expect(WeirError.is(error, 'internal')).toBe(true);
    expect((error as Error).message).not.toMatch(/secret/);
    expect(runtime.reported).toHaveLength(1);
  });

  test('progress reaches the call that asked, and no other', async () => {
    const { client } = await connected({
      handlers: {
        'runtime.stop': (_params, context) => {
          context.progress('one');
          context.progress('two');
          return {};
        },
      },
    });
    const told: string[] = [];
    const call = client.call('runtime.stop', {}, { progress: (message) => told.push(message) });
    await Promise.all([call, client.call('runtime.stop', {})]);
    expect(told).toEqual(['one', 'two']);
  });

  test('an abort reaches the handler and rejects at once', async () => {
    let signal: AbortSignal | undefined;
    const { client } = await connected({
      handlers: {
        'runtime.stop': (_params, context) => {
          signal = context.signal;
          return never();
        },
      },
    });
    const aborter = new AbortController();
    const call = client.call('runtime.stop', {}, { signal: aborter.signal });
    await expect.poll(() => signal).toBeDefined();
    aborter.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(() => signal?.aborted).toBe(true);
  });

  test('an aborted signal sends nothing', async () => {
    let calls = 0;
    const { client } = await connected({ handlers: { 'runtime.stop': () => (calls++, {}) } });
    const call = client.call('runtime.stop', {}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await client.call('runtime.stop', {});
    expect(calls).toBe(1);
  });
});

describe('the end of a connection', () => {
  test('rejects what waits with the stack of the caller, tells why, refuses what comes', async () => {
    const signals: AbortSignal[] = [];
    const { client, runtime } = await connected({
      handlers: {
        'runtime.stop': (_params, { signal }) => {
          signals.push(signal);
          return never();
        },
      },
    });
    const theCaller = async (): Promise<unknown> => await client.call('runtime.stop', {});
    const waiting = theCaller().catch((thrown: unknown) => thrown);
    await expect.poll(() => signals.length).toBe(1);
    const reason = new Promise((resolve) => client.onClose(resolve));
    runtime.rpc.close('The runtime stops.');
    expect(await reason).toBe('The runtime stops.');
    const error = await waiting;
    expect(WeirError.is(error, 'runtime_unavailable')).toBe(true);
    expect((error as Error).stack).toMatch(/connection\.test\.ts/);
    await expect(client.call('runtime.stop', {})).rejects.toMatchObject({
      code: 'runtime_unavailable',
    });
    expect(client.closed).toBe('The runtime stops.');
    await expect.poll(() => signals[0]?.aborted).toBe(true);
  });

  test('a client that goes away cancels what it asked for', async () => {
    let signal: AbortSignal | undefined;
    const { client, runtime } = await connected({
      handlers: {
        'runtime.stop': (_params, context) => {
          signal = context.signal;
          return never();
        },
      },
    });
    const call = client.call('runtime.stop', {});
    await expect.poll(() => signal).toBeDefined();
    client.close();
    await expect(call).rejects.toMatchObject({ code: 'runtime_unavailable' });
    await expect.poll(() => signal?.aborted).toBe(true);
    await expect.poll(() => runtime.rpc.clients).toBe(0);
  });
});

describe('changes', () => {
  const batch: readonly Change[] = [
    { type: 'source.deleted', id: 'dc_1' },
    { type: 'webhook.deleted', id: 'wh_1' },
  ];

  test('come as one batch to every client, and the feed is left with the last one', async () => {
    const { client, runtime } = await connected();
    const second = await connect(runtime);
    const got: (readonly Change[])[] = [];
    client.onChanges((changes) => got.push(changes));
    second.onChanges((changes) => got.push(changes));
    expect(runtime.subscribers).toBe(1);
    runtime.change(batch);
    await expect.poll(() => got).toEqual([batch, batch]);
    client.close();
    second.close();
    await expect.poll(() => runtime.subscribers).toBe(0);
  });
});

describe('connecting', () => {
  test('a wrong key', async () => {
    const { runtime } = await connected();
    const attempt = connect({ url: runtime.url, apiKey: 'wrong' });
    await expect(attempt).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('nobody listens', async () => {
    const runtime = await startHarness();
    await runtime.stop();
    await expect(connect(runtime)).rejects.toMatchObject({
      code: 'runtime_unavailable',
      message: expect.stringContaining(runtime.url),
    });
  });

  test('another protocol', async () => {
    const hello = { protocol: 99, version: '9.9.9', pid: 1 };
    const runtime = await startHarness({ rpc: { hello } });
    await expect(connect(runtime)).rejects.toThrow(/9\.9\.9/);
  });

  test('an abort while the other side is silent', async () => {
    const silent = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(silent, 'listening');
    onTestFinished(() => silent.close());
    const aborter = new AbortController();
    silent.on('connection', () => aborter.abort());
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const attempt = connect({ url, apiKey: 'x' }, { signal: aborter.signal });
    await expect(attempt).rejects.toMatchObject({ code: 'cancelled' });
  });
});
