/** The part of WebAssembly that is used. Node has it, but only TypeScript's DOM library describes it. */
export interface WasmMemoryObject {
  readonly buffer: ArrayBuffer;
}

export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<object>;
  readonly Instance: new (module: object, imports: object) => WasmInstance;
}

export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi })
  .WebAssembly;
