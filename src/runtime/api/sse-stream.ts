/** An open event stream: one joined write a turn, and a limit on how far its reader may lag behind. */
import type { ServerResponse } from 'node:http';
import { handshake, keepAlive, message } from './sse-text.ts';

export interface EventStream {
  readonly closed: boolean;
  /** Sends the head and the handshake; what was queued before follows. */
  begin(onClose: () => void): void;
  /** Written together with everything else of this turn of the loop. */
  queue(text: string): void;
  keepAlive(): void;
  /** Writes what is queued; resolves when the reader has taken it, or is gone. */
  drained(): Promise<void>;
  /** Sends the reader the reason, as an event named `closed`, and ends. */
  end(reason: string): void;
}

export interface StreamLimits {
  /** Bytes that may wait for the reader before it is sent away. */
  readonly maxBuffered: number;
  /** How long a reader that is sent away has to read why before it is cut off, in ms. */
  readonly closeGraceMs: number;
}

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
} as const;

export function openStream(
  response: ServerResponse,
  { maxBuffered, closeGraceMs }: StreamLimits,
): EventStream {
  let pending = '';
  let scheduled = false;
  let ending = false;

  const isClosed = (): boolean => ending || response.closed || response.destroyed;
  const flush = (): void => {
    scheduled = false;
    if (pending === '' || isClosed()) return;
    if (response.writableLength > maxBuffered) {
      end('This reader is too slow; connect again with Last-Event-ID to go on.');
      return;
    }
    response.write(pending);
    pending = '';
  };
  const end = (reason: string): void => {
    if (isClosed()) return;
    ending = true;
    response.end(message(undefined, JSON.stringify({ error: reason }), 'closed'));
    setTimeout(() => response.destroy(), closeGraceMs).unref();
  };

  return {
    get closed() {
      return isClosed();
    },
    begin(onClose) {
      response.on('close', onClose);
      // A reader that goes away while we write is no error.
      response.on('error', () => response.destroy());
      // Only the end of the connection ends it. In chunks, each message would be three writes.
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, streamHeaders);
      response.write(handshake);
    },
    queue(text) {
      pending += text;
      if (scheduled) return;
      scheduled = true;
      setImmediate(flush);
    },
    keepAlive() {
      if (!isClosed()) response.write(keepAlive);
    },
    async drained() {
      flush();
      if (isClosed() || !response.writableNeedDrain) return;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          response.off('drain', done).off('close', done);
          resolve();
        };
        response.on('drain', done).on('close', done);
      });
    },
    end,
  };
}
