/** An RPC client: its requests, their cancellation, and how far it may lag behind. */
import { createMessageConnection } from 'vscode-jsonrpc/node';
import type { WebSocket } from 'ws';
import { WeirError } from '../../protocol/errors.ts';
import { helloNotification, progressNotification } from '../../protocol/rpc.ts';
import type { Hello, Progress, RpcParams } from '../../protocol/rpc.ts';
import { closeCodes, socketTransport } from '../../protocol/socket.ts';
import { type Caller, localCaller } from '../server/access/caller.ts';
import type { ChangeFeed } from './operations/changes.ts';
import type { Operations } from './operations/operations.ts';
import type { RateLimit } from '../server/rate-limit.ts';
import { presentable, tooManyRequests } from '../server/reply.ts';
import type { OnRequested } from '../server/requested.ts';
import { rpcError } from './rpc-error.ts';
import type { BaseServices } from '../base/services.ts';

export interface SessionOptions extends Pick<BaseServices, 'report'> {
  readonly caller: Caller;
  /** IP address of the client. */
  readonly address: string;
  readonly keyLimit?: RateLimit;
  readonly onRequested: () => OnRequested | undefined;
  readonly operations: Operations;
  readonly changes: Pick<ChangeFeed, 'told'>;
  readonly hello: Hello;
  /** Bytes that may wait for a client that does not read. */
  readonly maxBuffered: number;
  /** Called with the mistakes of a client. */
  readonly warn: (message: string) => void;
}

export interface Session {
  /** Sends a frame that was built once for all clients. */
  send(text: string): void;
  /** Pings; ends a peer that did not answer the ping before. */
  beat(): void;
  close(reason: string): void;
}

/** A peer that does not take part in the closing handshake is cut off. */
const closeGraceMs = 2000;

export function startSession(socket: WebSocket, options: SessionOptions): Session {
  const { caller, address, keyLimit, operations, changes, maxBuffered, report, warn } = options;
  const inFlight = new Set<AbortController>();
  const open = new AbortController();
  let answered = true;

  const close = (code: number, reason: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    for (const aborter of inFlight) aborter.abort();
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), closeGraceMs).unref();
  };
  const send = (text: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > maxBuffered)
      close(closeCodes.tooSlow, 'This client reads too slowly.');
    else socket.send(text);
  };

  const { reader, writer } = socketTransport(socket, send);
  const connection = createMessageConnection(reader, writer);

  connection.onRequest(async (method, params, token) => {
    const aborter = new AbortController();
    // A token that was cancelled before the request came up never fires.
    if (token.isCancellationRequested) aborter.abort();
    const cancelled = token.onCancellationRequested(() => aborter.abort());
    inFlight.add(aborter);
    const from = performance.now();
    let status = 200;
    try {
      const wait = caller === localCaller ? 0 : (keyLimit?.take(caller.name) ?? 0);
      if (wait > 0) throw tooManyRequests(`The key "${caller.name}"`, wait);
      const { params: input, progress_token } = unwrap(params);
      const result = await operations.call(method, input, {
        caller,
        signal: aborter.signal,
        connection: open.signal,
        progress(message) {
          if (progress_token === undefined) return;
          notify(progressNotification, { token: progress_token, message } satisfies Progress);
        },
      });
      // A client that has the answer already knows the changes of the call: it finds what it deployed.
      await changes.told();
      return result;
    } catch (error) {
      status = presentable(error).status;
      if (!WeirError.is(error)) report(`rpc ${method}`, error);
      throw rpcError(error);
    } finally {
      inFlight.delete(aborter);
      cancelled.dispose();
      const ms = Math.round((performance.now() - from) * 10) / 10;
      options.onRequested()?.({
        method: 'RPC',
        path: method,
        status,
        ms,
        key: caller.name,
        address,
      });
    }
  });
  let isTold = false;
  // An error of the socket, or an invalid message, ends this connection and no other. It is logged once, as a client
  // may send several.
  connection.onError(([error]) => {
    if (!isTold) warn(`A client's connection was ended: ${error.message}`);
    isTold = true;
  });
  connection.onClose(() => {
    for (const aborter of inFlight) aborter.abort();
    open.abort();
    connection.dispose();
  });
  socket.on('pong', () => (answered = true));

  function notify(name: string, params: object): void {
    connection.sendNotification(name, params).catch((error: unknown) => report('rpc', error));
  }

  connection.listen();
  notify(helloNotification, options.hello);

  return {
    send,
    beat() {
      if (!answered) socket.terminate();
      answered = false;
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    close: (reason) => close(closeCodes.goingAway, reason),
  };
}

function unwrap(params: unknown): RpcParams {
  if (params === undefined || params === null) return { params: {} };
  if (typeof params !== 'object' || Array.isArray(params)) {
    throw new WeirError('bad_input', 'Params are an object {"params": …, "progress_token"?: …}.');
  }
  return params as RpcParams;
}
