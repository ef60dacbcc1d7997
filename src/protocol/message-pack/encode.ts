/**
 * Plain data as MessagePack: null, undefined, booleans, numbers, text, bytes, lists and records, each exactly
 * as it is (NaN, -0 and halves of characters, too; a hole of a list is undefined). What else there is has
 * to be made one of these by whoever sends it: a bigint, a function, a Date, a Map or an object of another class is
 * a TypeError; what contains itself, or is nested too deeply, is a RangeError.
 *
 * Of the format's many forms it uses one or two for each kind of value; `decode.ts` knows no others.
 *
 * Not V8's own serialisation, because whatever that touches outlives the collections of the young
 * generation: an event then costs a tenth more, and a loaded process three times the memory (docs/performance.md).
 */

/** The first byte of a value. One below `fixMap` is a number itself, and `fix…` have a length added. */
export const tag = {
  fixMap: 0x80,
  fixList: 0x90,
  fixText: 0xa0,
  nil: 0xc0,
  no: 0xc2,
  yes: 0xc3,
  bytes: 0xc6,
  extension: 0xc9,
  float64: 0xcb,
  uint32: 0xce,
  undefined: 0xd4,
  text: 0xdb,
  list: 0xdd,
  map: 0xdf,
} as const;

/** `undefined` is an extension of one byte, which says nothing; halves of characters have no UTF-8. */
export const extension = { undefined: 0, utf16: 1 } as const;

/** Lists and records in each other: what is deeper could fill the stack of whoever reads it. */
export const deepest = 1000;

/** Lengths up to these are in the first byte. */
export const longestFix = { text: 31, list: 15 } as const;

/** The buffer of one message is kept for the next one, up to this many bytes. */
const keptBytes = 1024 * 1024;
/** From this length on a text is measured before it is written; shorter ones may need three bytes for each. */
const long = 4096;

// Node's own, whatever component code puts in their place.
const { getPrototypeOf, is, keys, prototype: plain } = Object;
const { isArray } = Array;
const Bytes = Uint8Array;

class Encoder {
  bytes = Buffer.allocUnsafeSlow(64 * 1024);
  #view = new DataView(this.bytes.buffer);
  at = 0;

  value(value: unknown, depth: number): void {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        return this.#number(value);
      case 'boolean':
        return this.#byte(value ? tag.yes : tag.no);
      case 'undefined':
        this.#byte(tag.undefined);
        this.#byte(extension.undefined);
        return this.#byte(0);
      case 'object':
        return value === null ? this.#byte(tag.nil) : this.#object(value, depth);
      case 'bigint':
      case 'function':
      case 'symbol':
        throw new TypeError(`A ${typeof value} cannot be sent.`);
    }
  }

  #object(value: object, depth: number): void {
    if (depth > deepest) {
      throw new RangeError(`A value nested more than ${deepest} levels deep cannot be sent.`);
    }
    if (isArray(value)) return this.#list(value, depth);
    const prototype: unknown = getPrototypeOf(value);
    if (prototype === plain || prototype === null) {
      return this.#record(value as Record<string, unknown>, depth);
    }
    if (!(value instanceof Bytes)) throw new TypeError('An object of a class cannot be sent.');
    this.#tagged(tag.bytes, value.length, value.length);
    this.bytes.set(value, this.at);
    this.at += value.length;
  }

  #list(list: readonly unknown[], depth: number): void {
    const { length } = list;
    if (length <= longestFix.list) this.#byte(tag.fixList | length);
    else this.#tagged(tag.list, length);
    for (let index = 0; index < length; index += 1) this.value(list[index], depth + 1);
  }

  #record(record: Readonly<Record<string, unknown>>, depth: number): void {
    const names = keys(record);
    if (names.length <= longestFix.list) this.#byte(tag.fixMap | names.length);
    else this.#tagged(tag.map, names.length);
    for (const name of names) {
      this.#text(name);
      this.value(record[name], depth + 1);
    }
  }

  #number(number: number): void {
    if (number === number >>> 0 && !is(number, -0)) {
      if (number < tag.fixMap) this.#byte(number);
      else this.#tagged(tag.uint32, number);
      return;
    }
    this.#reserve(9);
    this.bytes[this.at] = tag.float64;
    this.#view.setFloat64(this.at + 1, number);
    this.at += 9;
  }

  #text(text: string): void {
    if (text.length <= longestFix.text && this.#ascii(text)) return;
    if (!text.isWellFormed()) return this.#utf16(text);
    const most = text.length < long ? 3 * text.length : Buffer.byteLength(text);
    this.#tagged(tag.text, 0, most);
    const length = this.bytes.write(text, this.at);
    this.#view.setUint32(this.at - 4, length);
    this.at += length;
  }

  /** Short texts byte by byte: the way into Node takes longer. False, and nothing written, for others. */
  #ascii(text: string): boolean {
    const { length } = text;
    this.#reserve(1 + length);
    const { bytes, at } = this;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) return false;
      bytes[at + 1 + index] = code;
    }
    bytes[at] = tag.fixText | length;
    this.at = at + 1 + length;
    return true;
  }

  #utf16(text: string): void {
    const length = 2 * text.length;
    this.#tagged(tag.extension, length, 1 + length);
    this.#byte(extension.utf16);
    this.at += this.bytes.write(text, this.at, 'utf16le');
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.bytes[this.at] = byte;
    this.at += 1;
  }

  /** @param more so many bytes follow at most */
  #tagged(first: number, number: number, more = 0): void {
    this.#reserve(5 + more);
    this.bytes[this.at] = first;
    this.#view.setUint32(this.at + 1, number);
    this.at += 5;
  }

  #reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const bytes = Buffer.allocUnsafeSlow(Math.max(this.at + more, 2 * this.bytes.length));
    this.bytes.copy(bytes, 0, 0, this.at);
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

let spare: Encoder | undefined = new Encoder();

/**
 * @param head so many bytes are left for the caller in front
 * @returns bytes that are the caller's alone
 */
export function encode(value: unknown, head = 0): Buffer {
  // Component code could get in between by a getter, and send something itself.
  const encoder = spare ?? new Encoder();
  spare = undefined;
  try {
    encoder.at = head;
    encoder.value(value, 0);
    const encoded = Buffer.allocUnsafe(encoder.at);
    encoder.bytes.copy(encoded, 0, 0, encoder.at);
    return encoded;
  } finally {
    if (encoder.bytes.length <= keptBytes) spare = encoder;
  }
}
