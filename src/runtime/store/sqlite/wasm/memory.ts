import type { WasmMemoryObject } from './web-assembly.ts';

/**
 * The memory of the WASM instance. Its buffer is replaced whenever it grows, so views have to be made again then; get
 * them from here at each use, and keep none.
 */
export class WasmMemory {
  #memory: WasmMemoryObject | undefined;
  #bytes = Buffer.alloc(0);
  #words = new Uint32Array(0);
  #longs = new BigInt64Array(0);

  attach(memory: WasmMemoryObject): void {
    this.#memory = memory;
    this.#renew(memory.buffer);
  }

  get bytes(): Buffer {
    this.#check();
    return this.#bytes;
  }

  /** Index is the address divided by 4. */
  get words(): Uint32Array {
    this.#check();
    return this.#words;
  }

  /** Index is the address divided by 8. */
  get longs(): BigInt64Array {
    this.#check();
    return this.#longs;
  }

  /** The text that starts at an address and ends with a zero byte. */
  cString(address: number): string {
    const bytes = this.bytes;
    return bytes.toString('utf8', address, bytes.indexOf(0, address));
  }

  #check(): void {
    const buffer = this.#memory?.buffer;
    if (buffer !== undefined && buffer !== this.#bytes.buffer) this.#renew(buffer);
  }

  #renew(buffer: ArrayBuffer): void {
    this.#bytes = Buffer.from(buffer);
    this.#words = new Uint32Array(buffer);
    this.#longs = new BigInt64Array(buffer);
  }
}
