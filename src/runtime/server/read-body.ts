import type { IncomingMessage } from 'node:http';

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
