import type { SqliteFunctions } from './sqlite.ts';
import type { WasmMemory } from './memory.ts';

const START_BYTES = 64 * 1024;
/** More than this is given back after the statement that needed it. */
const KEEP_BYTES = 1024 * 1024;

/**
 * Memory of the WASM instance for the values of one statement while it runs. Filling it costs one copy; a malloc per
 * value costs twice as much as the copy.
 */
export class Arena {
  readonly #call: SqliteFunctions;
  readonly #memory: WasmMemory;
  #start = 0;
  #capacity = 0;
  #used = 0;

  constructor(call: SqliteFunctions, memory: WasmMemory) {
    this.#call = call;
    this.#memory = memory;
  }

  /** Makes room for all values of a statement at once, because they must not move. */
  reserve(bytes: number): void {
    this.#used = 0;
    if (bytes <= this.#capacity) return;
    this.#call.free(this.#start);
    this.#capacity = Math.max(bytes, START_BYTES);
    this.#start = this.#call.malloc(this.#capacity);
    if (this.#start === 0) {
      this.#capacity = 0;
      throw new RangeError(`No memory for a value of ${bytes} bytes.`);
    }
  }

  /** Address of the copy; its length in bytes is `length` afterwards. */
  text(value: string): number {
    const address = this.#start + this.#used;
    this.length = this.#memory.bytes.write(value, address, 'utf8');
    this.#used += this.length;
    return address;
  }

  bytes(value: Uint8Array): number {
    const address = this.#start + this.#used;
    this.#memory.bytes.set(value, address);
    this.length = value.length;
    this.#used += value.length;
    return address;
  }

  length = 0;

  release(): void {
    if (this.#capacity <= KEEP_BYTES) return;
    this.#call.free(this.#start);
    this.#start = 0;
    this.#capacity = 0;
  }
}
