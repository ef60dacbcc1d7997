/** The line that a node sends first on a connection to another node: it says what the connection is for. */
import type { Duplex } from 'node:stream';

export type Handshake = ForwardedHandshake | NodeHandshake;

/** The node itself has something to say. */
export interface NodeHandshake {
  readonly by: 'node';
  /** Its `nodeProtocol`; absent in versions that had none yet. */
  readonly protocol?: number;
}

/** For a caller's connection that the node forwards. */
export interface ForwardedHandshake {
  /** Which listener of the node it came in by. */
  readonly by: 'local' | 'outside';
  /** Address of the caller that connected. */
  readonly remoteAddress: string;
  /** Under which address the node was reached. */
  readonly localAddress: string;
  /** With TLS, which has ended at that node. */
  readonly isEncrypted: boolean;
}

/** More is no greeting. */
const longest = 1024;
const lineEnd = 0x0a;

export function writeHandshake(socket: Duplex, greeting: Handshake): void {
  socket.write(`${JSON.stringify(greeting)}\n`);
}

/** Leaves the following bytes unread. A connection that begins with anything else is closed. */
export function readHandshake(socket: Duplex, take: (greeting: Handshake) => void): void {
  let seen = Buffer.alloc(0);
  const read = (): void => {
    for (;;) {
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) return;
      seen = Buffer.concat([seen, chunk]);
      const end = seen.indexOf(lineEnd);
      if (end === -1 && seen.length <= longest) continue;
      socket.off('readable', read);
      const greeting = end === -1 ? undefined : parse(seen.subarray(0, end).toString());
      if (greeting === undefined) {
        socket.destroy();
        return;
      }
      const rest = seen.subarray(end + 1);
      if (rest.length > 0) socket.unshift(rest);
      take(greeting);
      return;
    }
  };
  socket.on('readable', read);
}

function parse(line: string): Handshake | undefined {
  try {
    return JSON.parse(line) as Handshake;
  } catch {
    return undefined;
  }
}
