import type { Stats } from 'node:fs';
import type { WasmMemory } from './memory.ts';

/** Bytes of musl's `struct stat` for 32-bit WASM. */
const STAT_BYTES = 96;

/** Fills a `struct stat`; `size` overrides the one on disk while writes wait to be joined. */
export function writeStat(memory: WasmMemory, to: number, stat: Stats, size = stat.size): number {
  memory.bytes.fill(0, to, to + STAT_BYTES);
  const { words, longs } = memory;
  words[to >> 2] = stat.dev >>> 0;
  words[(to + 4) >> 2] = stat.mode;
  words[(to + 8) >> 2] = stat.nlink;
  longs[(to + 24) >> 3] = BigInt(size);
  words[(to + 32) >> 2] = 4096;
  words[(to + 36) >> 2] = stat.blocks;
  for (const [at, ms] of [
    [40, stat.atimeMs],
    [56, stat.mtimeMs],
    [72, stat.ctimeMs],
  ] as const) {
    longs[(to + at) >> 3] = BigInt(Math.floor(ms / 1000));
  }
  longs[(to + 88) >> 3] = BigInt.asIntN(64, BigInt(Math.trunc(stat.ino)));
  return 0;
}
