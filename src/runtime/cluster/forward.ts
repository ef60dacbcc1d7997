/** Forwards one request to another node, on a connection whose other requests are answered here. */
import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { plainAddress } from '../server/forwarded.ts';
import type { ForwardedHandshake } from './handshake.ts';
import { reachLeader, type ReachLeaderOptions } from './reach-leader.ts';

export interface Forwarding extends ReachLeaderOptions {
  readonly by: 'local' | 'outside';
}

export function forwardRequest(
  forwarding: Forwarding,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const failed = (): void => {
    if (response.headersSent) response.destroy();
    else response.writeHead(503).end();
  };
  // Nothing of it was sent, and the header says so (P7.59).
  const refused = (): void => {
    if (response.headersSent) response.destroy();
    else response.writeHead(503, { 'retry-after': '1' }).end();
  };
  reach(forwarding, request).then((reached) => {
    if (reached === undefined || response.destroyed) {
      reached?.far.destroy();
      refused();
      return;
    }
    const { far } = reached;
    far.on('error', () => far.destroy());
    const { method, url: path } = request;
    // Only one request goes over the connection between the nodes.
    const { connection: _, 'keep-alive': __, ...headers } = request.headers;
    const asked = httpRequest({ createConnection: () => far, method, path, headers }, (answer) => {
      const { connection: _, 'keep-alive': __, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, kept);
      answer.on('error', failed);
      answer.pipe(response);
    });
    asked.on('error', failed);
    response.on('close', () => asked.destroy());
    request.pipe(asked);
  }, refused);
}

/** A WebSocket: its handshake as it came, and then bytes both ways. */
export function forwardUpgrade(
  forwarding: Forwarding,
  request: IncomingMessage,
  near: Duplex,
  head: Buffer,
): void {
  near.on('error', () => near.destroy());
  reach(forwarding, request).then(
    (reached) => {
      if (reached === undefined || near.destroyed) {
        reached?.far.destroy();
        near.destroy();
        return;
      }
      const { far } = reached;
      far.on('error', () => far.destroy());
      far.on('close', () => near.destroy());
      near.on('close', () => far.destroy());
      far.write(headOf(request));
      far.write(head);
      near.pipe(far).pipe(near);
    },
    () => near.destroy(),
  );
}

function reach(
  { by, ...options }: Forwarding,
  { socket }: IncomingMessage,
): ReturnType<typeof reachLeader> {
  const greeting: ForwardedHandshake = {
    by,
    isEncrypted: 'encrypted' in socket && socket.encrypted === true,
    remoteAddress: plainAddress(socket.remoteAddress),
    localAddress: plainAddress(socket.localAddress),
  };
  return reachLeader(options, greeting, () => socket.destroyed);
}

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
