/** The WebSocket face of the operations: see src/protocol/rpc.ts for what goes over the wire. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { changesNotification, type Change, type Hello } from '../../protocol/rpc.ts';
import { maxMessageBytes } from '../../protocol/socket.ts';
import type { Caller } from '../server/access/caller.ts';
import type { ChangeFeed } from './operations/changes.ts';
import type { Operations } from './operations/operations.ts';
import type { RateLimit } from '../server/rate-limit.ts';
import type { OnRequested } from '../server/requested.ts';
import type { Visitor } from '../server/visitor.ts';
import { type Session, startSession } from './rpc-session.ts';
import type { BaseServices } from '../base/services.ts';

export interface RpcOptions extends Pick<BaseServices, 'report'> {
  readonly operations: Operations;
  readonly changes: ChangeFeed;
  readonly hello: Hello;
  /** Limit of named keys; none unless given. */
  readonly keyLimit?: RateLimit;
  /** Called after each call. */
  readonly onRequested?: OnRequested | undefined;
  readonly warn: (message: string) => void;
  /** A peer that answers no ping for this long is dead. 15 s unless given. */
  readonly pingMs?: number;
  /** Bytes that may wait for one client that does not read. 32 MB unless given. */
  readonly maxBuffered?: number;
}

export interface RpcFace {
  /** Takes a handshake that the server has let through. */
  readonly upgrade: (
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    caller: Caller,
    visitor: Visitor,
  ) => void;
  readonly clients: number;
  /** Tells how many clients are connected, whenever that changes. Returns how to stop it. */
  onClients(listener: (count: number) => void): () => void;
  /** Closes all connections, or those of one caller, with a reason their users can read. */
  close(reason: string, caller?: Caller): void;
}

export function createRpcFace(options: RpcOptions): RpcFace {
  const { pingMs = 15_000, maxBuffered = 32 * 1024 * 1024 } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    // On loopback compression only costs: 25,000 messages/s instead of 2,400,000 (performance.md).
    perMessageDeflate: false,
    clientTracking: false,
  });
  const sessions = new Map<Session, Caller>();
  const listeners = new Set<(count: number) => void>();
  let unsubscribe: (() => void) | undefined;
  let heart: NodeJS.Timeout | undefined;

  /** One frame for all clients: built once, however many there are. */
  const broadcast = (batch: readonly Change[]): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', method: changesNotification, params: [batch] });
    for (const session of sessions.keys()) session.send(text);
  };
  const beat = (): void => {
    for (const session of sessions.keys()) session.beat();
  };

  const changed = (): void => {
    if (sessions.size > 0) {
      unsubscribe ??= options.changes.subscribe(broadcast);
      heart ??= setInterval(beat, pingMs).unref();
    } else {
      unsubscribe?.();
      clearInterval(heart);
      unsubscribe = heart = undefined;
    }
    for (const listener of listeners) listener(sessions.size);
  };

  return {
    upgrade(request, socket, head, caller, { address }) {
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        const session = startSession(webSocket, {
          ...options,
          onRequested: () => options.onRequested,
          caller,
          address,
          maxBuffered,
        });
        sessions.set(session, caller);
        webSocket.on('close', () => {
          sessions.delete(session);
          changed();
        });
        changed();
      });
    },
    get clients() {
      return sessions.size;
    },
    onClients(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close(reason, only) {
      for (const [session, caller] of sessions) {
        if (only === undefined || caller === only) session.close(reason);
      }
    },
  };
}
