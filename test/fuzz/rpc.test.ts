/** The RPC socket with the key: whatever a client sends, others go on, and what asks is answered. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Connection } from '../../src/client/connection.ts';
import { catalogue } from '../../src/protocol/schemas/catalogue.ts';
import { holds } from '../support/holds.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';
import { anyValue } from './support/messages.ts';
import { expectServing, unlessGone } from './support/served.ts';

const runtime = useRuntime();
let other: Connection;

beforeAll(async () => {
  const { connect } = await import('../../src/client/connection.ts');
  other = await connect(runtime);
  runtime.atEnd(() => other.close());
});

/** Those that end the runtime or wait for something to happen are left out. */
const methods = Object.keys(catalogue).filter(
  (name) => !/^runtime\.|follow|wait|debug|deploy|install/.test(name),
);
const params = fc.oneof(
  fc.record(
    {
      params: fc.dictionary(
        fc.constantFrom('id', 'limit', 'source_id', 'name', 'q', 'before', 'a'),
        anyValue,
        { maxKeys: 3 },
      ),
      progress_token: anyValue,
    },
    { requiredKeys: [] },
  ),
  anyValue,
);
test('every request that is one gets one answer, and none is an error of ours', async () => {
  const asked = fc.tuple(fc.constantFrom(...methods), params);
  await holds(
    fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 5 }), async (all) => {
      await unlessGone(runtime);
      const { socket, answers } = await listening();
      let sent = 0;
      for (const [method, given] of all) {
        const message = json({ jsonrpc: '2.0', id: sent, method, params: structured(given) });
        socket.send(message);
        sent += 1;
      }
      await until('all answers', (seen) => seen([...answers.keys()]).length === sent);
      for (const { code } of answers.values()) expect(code).not.toBe(-32603);
      socket.terminate();
    }),
    40,
    // What is never answered is waited for.
    { endOnFailure: true },
  );
});

/** Ids that meet, ids that are none, and what has a meaning for the library itself. */
const messageId = fc.oneof(
  fc.constantFrom<unknown>(0, 1, '0', '1', -0, 1.5, null, true, '', '__proto__', [], {}),
  anyValue,
);
const anyJson = fc
  .oneof(
    fc.record(
      {
        jsonrpc: fc.oneof(
          { weight: 8, arbitrary: fc.constant('2.0') },
          fc.constantFrom<unknown>('1.0', 2, null),
        ),
        id: messageId,
        method: fc.oneof(
          fc.constantFrom(...methods),
          fc.constantFrom<unknown>('$/cancelRequest', '$/progress', '$/setTrace', 'hello', '', 1),
        ),
        params: fc.oneof(params, fc.record({ id: messageId, token: messageId, value: anyValue })),
        result: anyValue,
        error: fc.oneof(anyValue, fc.record({ code: anyValue, message: anyValue })),
      },
      { requiredKeys: ['jsonrpc'] },
    ),
    anyValue,
  )
  .map(json);

test('any JSON is taken, its requests answered, or ends the one connection that sent it', async () => {
  const last = { jsonrpc: '2.0', id: 'the last one', method: 'sources.list', params: {} };
  await holds(
    fc.asyncProperty(fc.array(anyJson, { minLength: 1, maxLength: 6 }), async (texts) => {
      await unlessGone(runtime);
      const { socket, answers } = await listening();
      let closed: number | undefined;
      socket.on('close', (code) => (closed = code));
      for (const text of [...texts, json(last)]) socket.send(text);
      const asked = [...texts.map(idOfRequest), last.id].filter((id) => id !== undefined);
      await until(
        'all answers',
        (seen) => closed === 1007 || asked.every((id) => seen(answers).has(id)),
      );
      socket.terminate();
      const { data } = await other.call('sources.list', {});
      expect(data).toEqual([]);
    }),
    200,
    // What is never answered is waited for.
    { endOnFailure: true },
  );
});

test('bytes in place of frames end one connection', async () => {
  await holds(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 }),
      async (pieces) => {
        await unlessGone(runtime);
        const socket = await upgraded();
        for (const piece of pieces) if (socket.writable) socket.write(piece);
        const { data } = await other.call('sources.list', {});
        expect(data).toEqual([]);
        socket.destroy();
        await expectServing(runtime);
      },
    ),
    60,
  );
});

const handshake = () => ({ authorization: `Bearer ${runtime.apiKey}` });
const address = () => new URL('/rpc', runtime.url);

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(address(), { headers: handshake() });
  // What it is told to end with is not looked at here.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('close', reject);
  });
  return socket;
}

interface Answered {
  readonly socket: WebSocket;
  /** By id; of an error with its code. */
  readonly answers: Map<unknown, { readonly code?: number }>;
}

async function listening(): Promise<Answered> {
  const socket = await open();
  const answers: Answered['answers'] = new Map();
  socket.on('message', (data: Buffer) => {
    const told = JSON.parse(String(data)) as { id?: unknown; error?: { code?: number } };
    if (told.id !== undefined) answers.set(told.id, told.error ?? {});
  });
  return { socket, answers };
}

/** Undefined for what asks for nothing. */
function idOfRequest(text: string): unknown {
  const message = JSON.parse(text) as { id?: unknown; method?: unknown } | null;
  return typeof message?.method === 'string' ? message.id : undefined;
}

/** A socket on which a WebSocket was agreed upon, and nothing was said yet. */
function upgraded(): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...handshake(),
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    };
    const sent = request(address(), { headers });
    sent.on('upgrade', (_response, socket) => {
      socket.on('error', () => undefined);
      resolve(socket);
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** JSON-RPC takes an object or a list. */
function structured(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? value : {};
}

function json(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_key, one: unknown) =>
        typeof one === 'bigint' ? Number(one) : one,
      ) ?? 'null'
    );
  } catch {
    // A cycle: there is no JSON for it.
    return 'null';
  }
}
