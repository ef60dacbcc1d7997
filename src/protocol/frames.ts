/**
 * How messages stand on the channel between the runtime and a component host: each in a frame, which is
 * its length in four bytes and then the message itself as MessagePack.
 *
 * Node's own IPC channel has no place for a receiver that expects the worst: bytes that cannot be read
 * throw in Node's code, out of reach of ours, and a length is believed however large it is.
 */
import { encode } from './message-pack/encode.ts';

const headerBytes = 4;

/** @throws TypeError or RangeError for what no message can carry (message-pack/encode.ts) */
export function encodeFrame(message: unknown): Buffer {
  // Room for the length, so that the bytes need not be copied once more.
  const frame = encode(message, headerBytes);
  frame.writeUInt32BE(frame.length - headerBytes, 0);
  return frame;
}

/** A frame says that it is longer than any may be. */
export class FrameTooLong extends Error {
  /** In bytes, as the frame says. */
  readonly length: number;

  constructor(length: number) {
    super(`A frame of ${length} bytes is too long.`);
    this.length = length;
  }
}

/** Cuts a stream into the bodies of frames. */
export class FrameReader {
  readonly #longest: number;
  #chunks: Buffer[] = [];
  #size = 0;
  /** So much has to be there before it is worth looking. */
  #wanted = headerBytes;

  /** @param longest in bytes */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /**
   * Passes on the bodies of the frames that are complete with this chunk, in order.
   * @throws FrameTooLong if a frame is too long, before anything of it is kept
   */
  push(chunk: Buffer, tell: (body: Buffer) => void): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#wanted) return;
    let rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#size);
    this.#wanted = headerBytes;
    while (rest.length >= headerBytes) {
      const length = rest.readUInt32BE(0);
      if (length > this.#longest) throw new FrameTooLong(length);
      const end = headerBytes + length;
      if (rest.length < end) {
        this.#wanted = end;
        break;
      }
      tell(rest.subarray(headerBytes, end));
      rest = rest.subarray(end);
    }
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
  }
}
