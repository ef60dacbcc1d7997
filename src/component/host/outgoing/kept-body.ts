/** The body of a request or an answer while it passes, as far as it is kept. */
import type { HttpBody } from '../../../protocol/outgoing-request.ts';

/** Bytes that the requests of one run may still keep. */
export interface Budget {
  left: number;
}

export class KeptBody {
  readonly #most: number;
  readonly #budget: Budget;
  #chunks: Buffer[] = [];
  #size = 0;
  #isCut = false;

  /** @param most bytes of this body */
  constructor(most: number, budget: Budget) {
    this.#most = most;
    this.#budget = budget;
  }

  /** Copies the bytes, because the caller may overwrite them. */
  add(chunk: unknown, encoding?: unknown): void {
    const bytes = bytesOf(chunk, encoding);
    if (bytes === undefined || bytes.length === 0) return;
    this.#size += bytes.length;
    if (this.#isCut) return;
    if (this.#size > this.#most || bytes.length > this.#budget.left) {
      this.#isCut = true;
      this.#budget.left += this.#size - bytes.length;
      this.#chunks = [];
      return;
    }
    this.#budget.left -= bytes.length;
    this.#chunks.push(Buffer.from(bytes));
  }

  /** It was not seen, or not all of it. */
  cut(): void {
    this.#isCut = true;
    this.#chunks = [];
    this.#size ||= 1;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /**
   * @param packing what `content-encoding` says
   * @returns null when nothing came
   */
  take(packing = ''): HttpBody | null {
    const size = this.#size;
    if (size === 0) return null;
    if (this.#isCut) return { text: '', size, is_cut: true };
    const bytes = unpacked(Buffer.concat(this.#chunks), packing, this.#most);
    if (bytes === undefined) return { text: '', size, is_cut: true };
    const text = bytes.toString('utf8');
    if (Buffer.from(text, 'utf8').equals(bytes)) return { text, size };
    return { text: bytes.toString('base64'), is_base64: true, size };
  }
}

/** Component code may hand over whatever a stream takes. */
function bytesOf(chunk: unknown, encoding: unknown): Buffer | undefined {
  if (typeof chunk === 'string') {
    const known = typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8';
    return Buffer.from(chunk, known);
  }
  if (!(chunk instanceof Uint8Array)) return undefined;
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** @returns undefined for what is more than `most` bytes, or is not what it says */
function unpacked(bytes: Buffer, packing: string, most: number): Buffer | undefined {
  const names = packing
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  try {
    return names
      .filter((name) => name !== '' && name !== 'identity')
      .reduceRight((packed, name) => unpack(packed, name, most), bytes);
  } catch {
    return undefined;
  }
}

function unpack(bytes: Buffer, name: string, most: number): Buffer {
  // Needed by few, and not small.
  const zlib = process.getBuiltinModule('node:zlib');
  const options = { maxOutputLength: most };
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return zlib.gunzipSync(bytes, options);
    case 'deflate':
      return zlib.inflateSync(bytes, options);
    case 'br':
      return zlib.brotliDecompressSync(bytes, options);
    case 'zstd':
      return zlib.zstdDecompressSync(bytes, options);
    default:
      throw new Error(`packed as ${name}`);
  }
}
