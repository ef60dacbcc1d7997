/**
 * Reads what `encode.ts` writes, from a process that may send anything: no length is believed beyond the
 * bytes that are there, lists grow as their items are read, and nothing is made of names but properties.
 */
import { deepest, extension, longestFix, tag } from './encode.ts';

/** The bytes are not what encode.ts writes. */
export class Unreadable extends Error {
  constructor() {
    super('These bytes are not message.');
  }
}

/**
 * Short texts that were read before, most of them names: found by their bytes they cost no new string, and no
 * way into Node. One that is not found takes the place of another.
 */
const places = 512;
const known: string[] = Array.from({ length: places }, () => '');

const float = new DataView(new ArrayBuffer(8));

class Decoder {
  readonly #bytes: Buffer;
  /** How many more values there may be. */
  #left: number;
  #at = 0;

  constructor(bytes: Buffer, most: number) {
    this.#bytes = bytes;
    this.#left = most;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  value(depth: number): unknown {
    const first = this.#byte();
    if (first < tag.fixMap) return first;
    if (first < tag.fixList) return this.#record(first & longestFix.list, depth);
    if (first < tag.fixText) return this.#list(first & longestFix.list, depth);
    if (first < tag.nil) return this.#shortText(first & longestFix.text);
    switch (first) {
      case tag.nil:
        return null;
      case tag.no:
        return false;
      case tag.yes:
        return true;
      case tag.undefined:
        if (this.#byte() !== extension.undefined || this.#byte() !== 0) throw new Unreadable();
        return undefined;
      case tag.uint32:
        return this.#uint32();
      case tag.float64:
        return this.#float64();
      case tag.text:
        return this.#text(this.#uint32());
      case tag.extension:
        return this.#utf16(this.#uint32());
      case tag.bytes: {
        const length = this.#uint32();
        const at = this.#take(length);
        return this.#bytes.subarray(at, at + length);
      }
      case tag.list:
        return this.#list(this.#uint32(), depth);
      case tag.map:
        return this.#record(this.#uint32(), depth);
      default:
        throw new Unreadable();
    }
  }

  #list(length: number, depth: number): unknown[] {
    this.#enter(length, depth);
    const list: unknown[] = [];
    for (let index = 0; index < length; index += 1) list.push(this.value(depth + 1));
    return list;
  }

  #record(length: number, depth: number): Record<string, unknown> {
    this.#enter(length, depth);
    const record: Record<string, unknown> = {};
    for (let index = 0; index < length; index += 1) {
      const name = this.#name();
      const value = this.value(depth + 1);
      if (name !== '__proto__') record[name] = value;
      else defineProperty(record, name, { ...property, value });
    }
    return record;
  }

  #enter(length: number, depth: number): void {
    this.#left -= 1 + length;
    if (this.#left < 0 || depth > deepest) throw new Unreadable();
  }

  #name(): string {
    const first = this.#byte();
    if ((first & ~longestFix.text) === tag.fixText) return this.#shortText(first & longestFix.text);
    if (first === tag.text) return this.#text(this.#uint32());
    if (first === tag.extension) return this.#utf16(this.#uint32());
    throw new Unreadable();
  }

  #shortText(length: number): string {
    const at = this.#take(length);
    const bytes = this.#bytes;
    let hash = length;
    for (let index = 0; index < length; index += 1) {
      hash = (Math.imul(hash, 31) + (bytes[at + index] ?? 0)) | 0;
    }
    const place = (hash ^ (hash >> 9)) & (places - 1);
    const text = known[place] ?? '';
    if (text.length === length) {
      let index = 0;
      while (index < length && text.charCodeAt(index) === bytes[at + index]) index += 1;
      if (index === length) return text;
    }
    const read = bytes.toString('utf8', at, at + length);
    // Only ASCII: of other texts the bytes are not the characters.
    if (read.length === length) known[place] = read;
    return read;
  }

  /** Invalid UTF-8 becomes U+FFFD. */
  #text(length: number): string {
    const at = this.#take(length);
    return this.#bytes.toString('utf8', at, at + length);
  }

  #utf16(length: number): string {
    if (this.#byte() !== extension.utf16) throw new Unreadable();
    const at = this.#take(length);
    return this.#bytes.toString('utf16le', at, at + length);
  }

  #float64(): number {
    const at = this.#take(8);
    for (let index = 0; index < 8; index += 1) float.setUint8(index, this.#bytes[at + index] ?? 0);
    return float.getFloat64(0);
  }

  #uint32(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  #byte(): number {
    return this.#bytes[this.#take(1)] ?? 0;
  }

  #take(length: number): number {
    const at = this.#at;
    if (length > this.#bytes.length - at) throw new Unreadable();
    this.#at = at + length;
    return at;
  }
}

const { defineProperty } = Object;
const property = { enumerable: true, configurable: true, writable: true };

/**
 * @param most so many values may be in it, names not counted: each can be of one byte, and take a hundred
 * @throws Unreadable for anything but the bytes of one value. Bytes within it are a view of these.
 */
export function decode(bytes: Buffer, most = Number.POSITIVE_INFINITY): unknown {
  const decoder = new Decoder(bytes, most);
  const value = decoder.value(0);
  if (!decoder.atEnd) throw new Unreadable();
  return value;
}
