import type { IncomingMessage } from 'node:http';
import { WeirError } from '../../protocol/errors.ts';

/** `too large` comes as soon as it is known, and nothing of the body is kept; `cut off`: the caller went away. */
export type Body = Buffer | 'too large' | 'cut off';

/** Reads a body of at most `limit` bytes. `done` is called once. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: Body) => void,
): void {
  if (Number(request.headers['content-length']) > limit) {
    done('too large');
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  let finished = false;
  const finish = (body: Body): void => {
    if (finished) return;
    finished = true;
    done(body);
  };
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) {
      chunks.push(chunk);
      return;
    }
    chunks.length = 0;
    finish('too large');
  });
  request.on('end', () =>
    finish(chunks.length === 1 ? (chunks[0] ?? empty) : Buffer.concat(chunks)),
  );
  request.on('close', () => finish('cut off'));
  request.on('error', () => finish('cut off'));
}

const empty = Buffer.alloc(0);

/**
 * The whole body as text, of at most `limit` bytes.
 * @throws WeirError `too_large` as soon as it is, without reading on; `cancelled` if the caller has disconnected
 */
export function readText(request: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    readBody(request, limit, (body) => {
      if (body === 'too large') {
        const kb = Math.floor(limit / 1024);
        reject(new WeirError('too_large', `The body is larger than ${kb} KB.`));
      } else if (body === 'cut off') {
        reject(new WeirError('cancelled', 'The caller went away before its body was here.'));
      } else resolve(body.toString('utf8'));
    });
  });
}
