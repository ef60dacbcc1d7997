/**
 * Answers given before the whole body was read. Closing such a connection at once resets it, and a
 * caller that is still writing then loses the answer (RFC 9112 §9.6). So the rest of the body is read and
 * discarded for a while, as nginx's `lingering_close` does.
 */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';

export interface LingerLimits {
  /** How much of the body is discarded after the answer, in all. */
  readonly bytes: number;
  /** The longest time from the answer to the end of the connection. */
  readonly ms: number;
}

/**
 * Many callers read the answer only when they have written everything: a 100 MB body is read to its end,
 * so that they see why it was refused. The time limit ends connections of callers that only trickle
 * (nginx: 5 s between two pieces).
 */
const usual: LingerLimits = { bytes: 128 * 1024 * 1024, ms: 5000 };

/** Answers, and closes the connection as soon as the caller has written everything, or a limit is reached. */
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
      // Complete for the caller, but not yet for Node, which would close the connection at the end.
      response.write(body);
      const end = (): void => void response.end();
      const cancel = clock.after(limits.ms, end);
      open.add(response);
      response.on('close', () => {
        cancel();
        open.delete(response);
      });
      let discarded = 0;
      request.on('data', (piece: Buffer) => {
        discarded += piece.length;
        if (discarded > limits.bytes) end();
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
