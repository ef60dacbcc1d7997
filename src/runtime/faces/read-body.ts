import type { IncomingMessage } from 'node:http';
import { WeirError } from '../../protocol/errors.ts';

/** The whole body as text. Throws `too_large` as soon as it is, without reading on. */
export async function readBody(request: IncomingMessage, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > limit) {
      throw new WeirError('too_large', `The body is larger than ${Math.floor(limit / 1024)} KB.`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
