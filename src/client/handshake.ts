/** Opens the RPC socket of a runtime. */
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { type ErrorCode, WeirError } from '../protocol/errors.ts';
import { rpcPath } from '../protocol/rpc.ts';
import { maxMessageBytes } from '../protocol/socket.ts';

export interface Address {
  /** `http://127.0.0.1:PORT`, as `runtime.json` has it. */
  readonly url: string;
  readonly apiKey: string;
}

const handshakeMs = 10_000;

/** The socket is still connecting; `opened` waits for it. */
export function openSocket(address: Address): WebSocket {
  const url = new URL(rpcPath, address.url.replace(/^http/, 'ws'));
  return new WebSocket(url, {
    headers: { authorization: `Bearer ${address.apiKey}` },
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handshakeTimeout: handshakeMs,
  });
}

/** Rejects with `unauthorized`, `foreign_host` or `runtime_unavailable`, as the runtime answered. */
export function opened(socket: WebSocket, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      socket.terminate();
      reject(refused(address, response.statusCode ?? 0));
    });
    socket.once('error', (error) => reject(unreachable(address, error)));
  });
}

function refused(address: Address, status: number): WeirError {
  const code: ErrorCode =
    status === 401 ? 'unauthorized' : status === 403 ? 'foreign_host' : 'runtime_unavailable';
  const why = status === 401 ? ': it has another API key' : ` (HTTP ${status})`;
  return new WeirError(code, `The runtime at ${address.url} refused the connection${why}.`);
}

function unreachable(address: Address, error: Error): WeirError {
  const why = (error as NodeJS.ErrnoException).code ?? error.message;
  return new WeirError(
    'runtime_unavailable',
    `No runtime answers at ${address.url} (${why}).`,
    undefined,
    error,
  );
}
