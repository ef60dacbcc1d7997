import { createHash } from 'node:crypto';
import type { Row, Value } from '../schema/column.ts';
import type { MovedTable } from './tables.ts';

/** Rows of one table that belong to one emitter, or to none. */
export interface TableSum {
  readonly table: string;
  /** The row of the emitter. */
  readonly emitter: number | null;
  readonly rows: number;
  readonly checksum: bigint;
}

const modulus = 1n << 128n;

/** Sum of the digests of all rows, so that it is the same in whatever order they are read. */
export function addChecksums(one: bigint, other: bigint): bigint {
  return (one + other) % modulus;
}

/** As it is printed: enough to tell two apart at a glance. */
export function checksumText(checksum: bigint): string {
  return checksum.toString(16).padStart(32, '0').slice(0, 16);
}

/** Counts rows and sums up their checksums, by table and emitter. */
export class Checksums {
  readonly #sums = new Map<string, { -readonly [key in keyof TableSum]: TableSum[key] }>();

  add(table: MovedTable, emitter: number | null, row: Row): void {
    const key = `${table.name} ${emitter}`;
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = { table: table.name, emitter, rows: 0, checksum: 0n };
      this.#sums.set(key, sum);
    }
    sum.rows += 1;
    sum.checksum = addChecksums(sum.checksum, digestOf(table, row));
  }

  all(): TableSum[] {
    return [...this.#sums.values()];
  }

  /** The first table with different sums; undefined if all are the same. */
  differenceFrom(other: Checksums): TableSum | undefined {
    for (const [one, two] of [
      [this, other],
      [other, this],
    ] as const) {
      for (const [key, sum] of one.#sums) {
        const there = two.#sums.get(key);
        if (there?.rows !== sum.rows || there.checksum !== sum.checksum) return sum;
      }
    }
    return undefined;
  }
}

function digestOf({ columns }: MovedTable, row: Row): bigint {
  const hash = createHash('sha256');
  const bytes: Uint8Array[] = [];
  const values = Object.keys(columns).map((name): Exclude<Value, Uint8Array> => {
    const value = row[name];
    if (!(value instanceof Uint8Array)) return value ?? null;
    bytes.push(value);
    return `bytes ${value.length}`;
  });
  hash.update(JSON.stringify(values));
  for (const one of bytes) hash.update(one);
  const digest = hash.digest();
  return (digest.readBigUInt64BE(0) << 64n) | digest.readBigUInt64BE(8);
}
