/**
 * Arrays as PostgreSQL's binary format has them: `pg` sends a Buffer as it is, so that nothing is escaped or
 * quoted (docs/architecture.md, "The store").
 */
import type { ColumnType, Value } from '../schema/column.ts';
import { storedText } from './text.ts';

export type { ColumnType, Value };

interface Format {
  readonly oid: number;
  /** In bytes, at most. */
  readonly size: (value: NonNullable<Value>) => number;
  /** Writes a value at a place. @returns how many bytes it took */
  readonly write: (into: Buffer, at: number, value: NonNullable<Value>) => number;
}

const formats: Readonly<Record<ColumnType, Format>> = {
  bigint: {
    oid: 20,
    size: () => 8,
    write(into, at, value) {
      // A BigInt for each number would cost more than the rest of it.
      const high = Math.floor((value as number) / 2 ** 32);
      into.writeInt32BE(high, at);
      into.writeUInt32BE((value as number) - high * 2 ** 32, at + 4);
      return 8;
    },
  },
  float8: {
    oid: 701,
    size: () => 8,
    write(into, at, value) {
      into.writeDoubleBE(value as number, at);
      return 8;
    },
  },
  boolean: {
    oid: 16,
    size: () => 1,
    write(into, at, value) {
      into[at] = value === true ? 1 : 0;
      return 1;
    },
  },
  text: {
    oid: 25,
    // In UTF-16 a unit becomes three bytes at most.
    size: (value) => (value as string).length * 3,
    write: (into, at, value) => into.write(value as string, at, 'utf8'),
  },
  bytea: {
    oid: 17,
    size: (value) => (value as Uint8Array).byteLength,
    write(into, at, value) {
      into.set(value as Uint8Array, at);
      return (value as Uint8Array).byteLength;
    },
  },
};

const headBytes = 20;

/** One column of rows, for `unnest($1::type[])`. */
export function arrayOf(type: ColumnType, values: readonly Value[]): Buffer {
  const { oid, size, write } = formats[type];
  const put = type === 'text' ? values.map(storedValue) : values;
  let bytes = headBytes;
  let nulls = 0;
  for (const value of put) {
    bytes += 4;
    if (value === null || value === undefined) nulls = 1;
    else bytes += size(value);
  }
  const buffer = Buffer.allocUnsafe(bytes);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(nulls, 4);
  buffer.writeInt32BE(oid, 8);
  buffer.writeInt32BE(put.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = headBytes;
  for (const value of put) {
    const length = value === null || value === undefined ? -1 : write(buffer, at + 4, value);
    buffer.writeInt32BE(length, at);
    at += 4 + Math.max(0, length);
  }
  return buffer.subarray(0, at);
}

function storedValue(value: Value): Value {
  return typeof value === 'string' ? storedText(value) : value;
}

/** A single value of a statement. */
export function valueOf(value: Value): string | number | boolean | Buffer | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return storedText(value);
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}
