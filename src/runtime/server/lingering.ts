/**
 * Answers given before the whole body was read. Closing such a connection at once resets it, and a
 * caller that is still writing then loses the answer with it (RFC 9112 §9.6). So what still comes is
 * read and thrown away for a while, as nginx's `lingering_close` does.
 */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';

export interface LingerLimits {
  /** Of body that are thrown away after the answer, in all. */
  readonly bytes: number;
  /** From the answer to the end of the connection, however much still comes. */
  readonly ms: number;
}

/**
 * Many callers look for an answer only when all is written: a 100 MB body is read to its end, so that they
 * see why it was refused. The time keeps a caller that trickles from holding its connection (nginx: 5 s
 * between two pieces).
 */
const usual: LingerLimits = { bytes: 128 * 1024 * 1024, ms: 5000 };

/** Answers, and closes the connection as soon as the caller has written all, or the limits are reached. */
export type Refuse = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
) => void;

export interface Lingering {
  readonly refuse: Refuse;
  /** Closes what still lingers: the server stops. */
  endAll(): void;
}

export function createLingering(clock: Pick<Clock, 'after'>, limits = usual): Lingering {
  const open = new Set<ServerResponse>();
  return {
    refuse(response, status, headers, body) {
      if (response.headersSent || response.destroyed) return;
      const { req: request } = response;
      response.writeHead(status, {
        ...headers,
        connection: 'close',
        'content-length': Buffer.byteLength(body),
      });
      // Whole for the caller, but not yet for Node, which would close the connection after the end.
      response.write(body);
      const end = (): void => void response.end();
      const cancel = clock.after(limits.ms, end);
      open.add(response);
      response.on('close', () => {
        cancel();
        open.delete(response);
      });
      let thrownAway = 0;
      request.on('data', (piece: Buffer) => {
        thrownAway += piece.length;
        if (thrownAway > limits.bytes) end();
      });
      request.on('end', end);
      // A caller that goes away closes the response as well.
      request.on('error', () => undefined);
      request.resume();
    },
    endAll() {
      for (const response of open) response.end();
    },
  };
}
