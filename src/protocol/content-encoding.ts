/** Bodies that came compressed (P7.45): the runtime looks whether they decode, the component's process decodes them. */
import { promisify } from 'node:util';
// Loaded with the first such body: it takes longer than all else that a component's process needs.
import type zlib from 'node:zlib';

/** Undoes a `content-encoding`. */
export type ContentDecoder = (bytes: Uint8Array, mostBytes?: number) => Promise<Buffer>;

type Inflate = typeof zlib.gunzip;
type Chosen = (from: typeof zlib, bytes: Uint8Array) => Inflate;

const gzip: Chosen = ({ gunzip }) => gunzip;

const codings: Readonly<Record<string, Chosen>> = {
  gzip,
  'x-gzip': gzip,
  br: ({ brotliDecompress }) => brotliDecompress,
  // Many leave out the zlib format that the name means (RFC 9110 §8.4.1.2): the first byte shows it.
  deflate: ({ inflate, inflateRaw }, bytes) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw,
};

/** A sender applies one, rarely two; each costs time. */
const mostCodings = 4;

/**
 * How to undo this `content-encoding`; undefined if Weir does not know one of its parts: then the body is left as it
 * came. The decoder rejects a body that does not decode, and one that is longer than `mostBytes` at any step (see
 * `isTooLong`): an intermediate step may be longer than the last.
 */
export function contentDecoder(encoding: string): ContentDecoder | undefined {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  if (names.length > mostCodings) return undefined;
  const steps: Chosen[] = [];
  // The one that was applied last comes off first.
  for (const name of names.toReversed()) {
    const coding = Object.hasOwn(codings, name) ? codings[name] : undefined;
    if (coding === undefined) return undefined;
    steps.push(coding);
  }
  return async (bytes, mostBytes) => {
    const { default: all } = await import('node:zlib');
    let content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (const step of steps) {
      const options = mostBytes === undefined ? {} : { maxOutputLength: mostBytes };
      content = await promisify(step(all, content))(content, options);
    }
    return content;
  };
}

/** Whether a decoder stopped because there would have been more than it was asked for. */
export function isTooLong(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
