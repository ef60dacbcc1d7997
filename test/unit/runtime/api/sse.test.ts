import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WeirError } from '../../../../src/protocol/errors.ts';
import { createSseFace, type SseFace, type SseOptions } from '../../../../src/runtime/api/sse.ts';
import {
  createEventFeed,
  createLogFeed,
  createMessageFeed,
} from '../../../../src/runtime/api/sse-feeds.ts';
import { Signals } from '../../../../src/runtime/events/signals.ts';
import type { InvocationCommit } from '../../../../src/runtime/store/commit.ts';
import type { InvocationRecord } from '../../../../src/runtime/store/history/invocations.ts';
import type { EventRecord, NewEvent } from '../../../../src/runtime/store/history/events.ts';
import { createServer } from '../../../../src/runtime/server/server.ts';

interface World {
  readonly url: string;
  readonly face: SseFace;
  readonly signals: Signals;
  /** Events that the store can read, as it does before they are on disk. */
  readonly stored: EventRecord[];
  /** Applies to the store at once; returns how to make it durable, which is when the signal comes. */
  write(ids: readonly string[], payload?: string): () => void;
  onFlush: () => Promise<void> | void;
}

async function start(
  options: Pick<SseOptions, 'maxBuffered' | 'keepAliveMs' | 'closeGraceMs'> = {},
): Promise<World> {
  const signals = new Signals();
  const stored: EventRecord[] = [];
  const number = (id: string): number => Number(id.replace('-', '.'));
  const logs = { after: async () => [] };
  const face = createSseFace({
    signals,
    feeds: {
      events: createEventFeed({
        signals,
        report: () => undefined,
        store: {
          flush: async () => await world.onFlush(),
          events: {
            after: async (emitter, id, limit) =>
              stored
                .filter((e) => e.emitterId === emitter && number(e.id) > number(id))
                .slice(0, limit),
          },
        },
      }),
      messages: createMessageFeed({
        signals,
        report: () => undefined,
        store: { flush: () => Promise.resolve(), streams: { after: async () => [] } },
      }),
      logs: createLogFeed({
        signals,
        report: () => undefined,
        store: { flush: () => Promise.resolve(), logs },
      }),
    },
    operations: {
      call: (_name, params) => {
        const { id } = params as { id: string };
        if (id === 'slug' || id === 'dc_1') return Promise.resolve({ id: 'dc_1' });
        return Promise.reject(new WeirError('not_found', 'No such source.'));
      },
    },
    ...options,
  });
  const server = await createServer({
    apiKey: 'k',
    callerOf: () => undefined,
    endpoint: () => undefined,
    api: async (request, response, _refuse, caller) => {
      const [, source = '', feed] = (request.url ?? '').split('/');
      const seen = request.headers['last-event-id'] as string | undefined;
      await face.open(response, {
        caller,
        source,
        feed: feed === 'logs' ? 'logs' : 'events',
        seen,
        isHead: request.method === 'HEAD',
      });
    },
    upgrade: () => undefined,
    warn: () => undefined,
    report: () => undefined,
  });
  onTestFinished(() => server.close(100));
  const world: World = {
    url: server.url,
    face,
    signals,
    stored,
    onFlush: () => undefined,
    write(ids, payload = '{"n":1}') {
      const events: NewEvent[] = ids.map((id) => newEvent(id, payload));
      for (const event of events) stored.push(recordLike(event));
      const commit = { n: 7, emitterId: 'dc_1', events } as unknown as InvocationCommit;
      return () =>
        signals.emit('committed', {
          run: { n: commit.n, record: () => ({}) as InvocationRecord },
          commit,
          made: { logIds: [], deliveries: [], triggered: [] },
        });
    },
  };
  return world;
}

function newEvent(id: string, payload: string): NewEvent {
  return { id, indexedAt: 5, emitId: 'e', channel: '', payload, webhooks: [], triggers: [] };
}

function recordLike(event: NewEvent): EventRecord {
  const { id, indexedAt, emitId, channel, payload } = event;
  const rest = {
    emitterId: 'dc_1',
    invocation: 7,
    dedupeId: null,
    summary: null,
    ts: null,
    dropped: null,
  };
  return { id, indexedAt, emitId, channel, payload, ...rest };
}

interface Reader {
  readonly status: number;
  readonly body: () => string;
  readonly ids: () => string[];
  readonly ended: () => boolean;
  readonly leave: () => void;
}

async function read(world: World, path: string, lastEventId?: string): Promise<Reader> {
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const headers = {
    authorization: 'Bearer k',
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  const response = await fetch(world.url + path, { headers, signal: leave.signal });
  let body = '';
  let ended = false;
  const consume = async (): Promise<void> => {
    for await (const piece of response.body ?? []) body += Buffer.from(piece).toString();
  };
  consume()
    .catch(() => undefined)
    .finally(() => (ended = true));
  return {
    status: response.status,
    body: () => body,
    ids: () => [...body.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? ''),
    ended: () => ended,
    leave: () => leave.abort(),
  };
}

describe('events', () => {
  test('a handshake, then each event with its id, whole, in one message', async () => {
    const world = await start();
    const reader = await read(world, '/slug');
    await expect.poll(reader.body).toBe(':sse-handshake\n\n');
    world.write(['10-0', '10-1'], '{"long":"line\\nbreak"}')();
    await expect.poll(reader.ids).toEqual(['10-0', '10-1']);
    const data = /^data: (.*)$/m.exec(reader.body())?.[1] ?? '';
    expect(JSON.parse(data)).toEqual({
      id: '10-0',
      indexed_at_ms: 5,
      event: { long: 'line\nbreak' },
      metadata: { emit_id: 'e', name: '', emitter_id: 'dc_1' },
      invocation_id: 'inv_7',
      dropped: null,
    });
  });

  test('nothing but messages is on the wire: the end of the connection is the end', async () => {
    const world = await start();
    const { port } = new URL(world.url);
    const socket = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let said = '';
    socket.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = once(socket, 'end');
    socket.write(
      `GET /slug HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer k\r\n\r\n`,
    );
    await expect.poll(() => said).toContain(':sse-handshake');
    world.write(['10-0'])();
    await expect.poll(() => said).toContain('id: 10-0');
    world.face.close('Over.');
    await ended;
    const [head = '', body = ''] = said.split('\r\n\r\n');
    expect(head.toLowerCase()).toContain('connection: close');
    expect(head.toLowerCase()).not.toContain('transfer-encoding');
    expect(body).toMatch(
      /^:sse-handshake\n\nid: 10-0\ndata: \{.*\}\n\nevent: closed\ndata: \{"error":"Over\."\}\n\n$/,
    );
  });

  test('HEAD is answered with the headers of a stream, and keeps none open', async () => {
    const world = await start();
    const headers = { authorization: 'Bearer k' };
    const answer = await fetch(`${world.url}/slug`, { method: 'HEAD', headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await answer.text()).toBe('');
    expect((await fetch(`${world.url}/nobody`, { method: 'HEAD', headers })).status).not.toBe(200);
  });

  test('a payload over several lines stays one message', async () => {
    const world = await start();
    const reader = await read(world, '/dc_1');
    world.write(['10-0'], '{\r\n"a":1\n}')();
    await expect.poll(reader.ids).toEqual(['10-0']);
    const lines = [...reader.body().matchAll(/^data: (.*)$/gm)].map(([, line]) => line ?? '');
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines.join('\n'))).toMatchObject({ event: { a: 1 } });
  });

  test('events of other sources are not for this reader', async () => {
    const world = await start();
    const reader = await read(world, '/dc_1');
    const commit = { n: 1, emitterId: 'dc_2', events: [newEvent('1-0', '1')] };
    world.signals.emit('committed', { commit, made: {} } as never);
    world.write(['2-0'])();
    await expect.poll(reader.ids).toEqual(['2-0']);
  });
});

describe('Last-Event-ID', () => {
  test('gives what was missed, over many pages, then goes on live', async () => {
    const world = await start();
    const missed = Array.from({ length: 450 }, (_, i) => `${i + 1}-0`);
    world.write(missed)();
    const reader = await read(world, '/dc_1', '5-0');
    await expect.poll(reader.ids).toHaveLength(445);
    world.write(['1000-0'])();
    await expect.poll(reader.ids).toEqual([...missed.slice(5), '1000-0']);
  });

  test('an event that is in the store but not on disk is told after it is, and once', async () => {
    const world = await start();
    world.write(['1-0'])();
    const makeDurable = world.write(['2-0']);
    let flushed: () => void = () => undefined;
    world.onFlush = () => new Promise((resolve) => (flushed = resolve));
    const reader = await read(world, '/dc_1', '1-0');
    await expect.poll(() => flushed.length).toBe(1);
    expect(reader.ids()).toEqual([]);
    world.onFlush = () => undefined;
    makeDurable();
    flushed();
    await expect.poll(reader.ids).toEqual(['2-0']);
    // Its signal may also come after the switch to following.
    makeDurable();
    world.write(['3-0'])();
    await expect.poll(reader.ids).toEqual(['2-0', '3-0']);
  });

  test('no event is lost or repeated while commits go on during the catch-up', async () => {
    const world = await start();
    const all = Array.from({ length: 1000 }, (_, i) => `${i + 1}-0`);
    world.write(all.slice(0, 500))();
    const reader = await read(world, '/dc_1', '0-0');
    for (let next = 500; next < 1000; next += 10) {
      world.write(all.slice(next, next + 10))();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => reader.ids().length).toBe(1000);
    expect(reader.ids()).toEqual(all);
  });

  test('one that is no id is bad input', async () => {
    const world = await start();
    expect((await read(world, '/dc_1', 'yesterday')).status).toBe(400);
  });
});

describe('the end of a stream', () => {
  test('an unknown source is 404', async () => {
    expect((await read(await start(), '/none')).status).toBe(404);
  });

  test('a source that is deleted ends its streams and tells why', async () => {
    const world = await start();
    const reader = await read(world, '/dc_1');
    world.signals.emit('emitterDeleted', 'dc_1');
    await expect.poll(reader.ended).toBe(true);
    expect(reader.body()).toMatch(/event: closed\ndata: .*deleted/);
  });

  test('close tells why', async () => {
    const world = await start();
    const reader = await read(world, '/dc_1');
    world.face.close('The runtime stops.');
    await expect.poll(reader.ended).toBe(true);
    expect(reader.body()).toMatch(/The runtime stops\./);
  });

  test('a reader that does not read is cut off; the others get everything', async () => {
    const world = await start({ maxBuffered: 100_000, closeGraceMs: 60_000 });
    const good = await read(world, '/dc_1');
    const slow: Socket = connect(Number(new URL(world.url).port), '127.0.0.1');
    onTestFinished(() => void slow.destroy());
    slow.on('error', () => undefined);
    const head = 'GET /dc_1 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n';
    slow.write(`${head}authorization: Bearer k\r\n\r\n`);
    await once(slow, 'data');
    slow.pause();
    const closed = once(slow, 'close');
    let last = '';
    slow.on('data', (piece: Buffer) => (last = (last + piece.toString()).slice(-500)));
    slow.pause();
    const payload = JSON.stringify('x'.repeat(1_000_000));
    for (let i = 1; i <= 30; i++) {
      world.write([`${i}-0`], payload)();
      await expect.poll(() => good.body().length).toBeGreaterThan(i * 1_000_000);
    }
    expect(good.ended()).toBe(false);
    slow.resume();
    await closed;
    expect(last).toMatch(/event: closed\ndata: .*too slow/);
  });
});

test('keep-alives', async () => {
  const reader = await read(await start({ keepAliveMs: 10 }), '/dc_1');
  await expect.poll(reader.body).toMatch(/:keepalive\n\n:keepalive\n\n/);
});

test('log lines of the source, from runs and from outside of them', async () => {
  const world = await start();
  const reader = await read(world, '/dc_1/logs');
  const line = { at: 1, kind: 'console', level: 'info', text: 'hi' } as const;
  const made = { logIds: [3, 4], deliveries: [], triggered: [] };
  for (const emitterId of ['dc_2', 'dc_1']) {
    const commit = {
      n: 7,
      emitterId,
      events: [],
      logs: [line, line],
    } as unknown as InvocationCommit;
    const run = { n: commit.n, record: () => ({}) as InvocationRecord };
    world.signals.emit('committed', { run, commit, made });
  }
  world.signals.emit('log', { ...line, id: 6, emitterId: 'dc_2', invocation: null, text: 'other' });
  world.signals.emit('log', {
    ...line,
    id: 5,
    emitterId: 'dc_1',
    invocation: null,
    text: 'refused',
  });
  await expect.poll(reader.ids).toEqual(['3', '4', '5']);
  expect(reader.body()).toMatch(/"invocation_id":"inv_7".*"text":"hi"[^]*"text":"refused"/);
});
