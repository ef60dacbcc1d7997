import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { fileCalls, type Imports } from './file-calls.ts';
import type { HostFiles } from './host-files.ts';
import { WasmMemory } from './memory.ts';
import { type WasmInstance, type WasmMemoryObject, webAssembly } from './web-assembly.ts';

/** SQLite's C interface, as far as sql.js exports it and the store uses it. Numbers are addresses. */
export interface SqliteFunctions {
  malloc(bytes: number): number;
  free(address: number): void;
  sqlite3_open(name: number, result: number): number;
  sqlite3_close_v2(database: number): number;
  sqlite3_errmsg(database: number): number;
  sqlite3_changes(database: number): number;
  sqlite3_prepare_v2(
    database: number,
    sql: number,
    bytes: number,
    result: number,
    tail: number,
  ): number;
  sqlite3_step(statement: number): number;
  sqlite3_reset(statement: number): number;
  sqlite3_finalize(statement: number): number;
  sqlite3_bind_text(s: number, at: number, text: number, bytes: number, keep: number): number;
  sqlite3_bind_blob(s: number, at: number, blob: number, bytes: number, keep: number): number;
  sqlite3_bind_int(statement: number, at: number, value: number): number;
  sqlite3_bind_double(statement: number, at: number, value: number): number;
  sqlite3_column_count(statement: number): number;
  sqlite3_column_name(statement: number, column: number): number;
  sqlite3_column_type(statement: number, column: number): number;
  sqlite3_column_text(statement: number, column: number): number;
  sqlite3_column_blob(statement: number, column: number): number;
  sqlite3_column_bytes(statement: number, column: number): number;
  sqlite3_column_double(statement: number, column: number): number;
}

/** An instance of SQLite of its own, whose mapped files are on the real disk. */
export interface Sqlite {
  readonly call: SqliteFunctions;
  readonly memory: WasmMemory;
  readonly files: HostFiles;
}

/** Absolute paths of sql.js's debug build: the loader script and the WASM beside it. */
export interface SqlJsFiles {
  readonly js: string;
  readonly wasm: string;
}

/** The folder where the build puts the files. */
export function sqlJsIn(dist: string): SqlJsFiles {
  return { js: join(dist, 'sql-wasm-debug.js'), wasm: join(dist, 'sql-wasm-debug.wasm') };
}

type InitSqlJs = (options: {
  instantiateWasm(
    imports: Record<string, Imports>,
    ready: (instance: WasmInstance) => void,
  ): object;
}) => Promise<unknown>;

/**
 * Starts sql.js with our answers to its file calls. `instantiateWasm` is Emscripten's
 * public hook for that; the loader still sets up its own memory, clock and in-memory files.
 */
export async function loadSqlite(sqlJs: SqlJsFiles, files: HostFiles): Promise<Sqlite> {
  const module = await webAssembly.compile(await readFile(sqlJs.wasm));
  const memory = new WasmMemory();
  const init = await freshInit(sqlJs.js);
  let call: SqliteFunctions | undefined;
  await new Promise<void>((resolve, reject) => {
    const started = init({
      instantiateWasm(imports, ready) {
        try {
          const instance = new webAssembly.Instance(module, withFileCalls(imports, files, memory));
          memory.attach(instance.exports['memory'] as WasmMemoryObject);
          call = instance.exports as unknown as SqliteFunctions;
          ready(instance);
        } catch (error) {
          // The loader would neither resolve nor reject.
          reject(error);
        }
        return {};
      },
    });
    started.then(() => resolve(), reject);
  });
  if (call === undefined) throw new Error('sql.js started without an instance.');
  return { call, memory, files };
}

/** The debug build logs each growth of its memory to the console; an abort is thrown as well. */
const quiet = { log() {}, warn() {}, error() {} };

/**
 * The loader remembers its first start, and a store that is opened again needs a new one: its script runs again, as the
 * module it is, with a console of its own.
 */
async function freshInit(path: string): Promise<InitSqlJs> {
  const script = await readFile(path, 'utf8');
  const names = ['module', 'exports', 'require', '__filename', '__dirname', 'console'];
  const run = compileFunction(script, names, { filename: path }) as (...values: unknown[]) => void;
  const module: { exports: unknown } = { exports: {} };
  run(module, module.exports, createRequire(path), path, dirname(path), quiet);
  return module.exports as InitSqlJs;
}

function withFileCalls(
  imports: Record<string, Imports>,
  files: HostFiles,
  memory: WasmMemory,
): Record<string, Imports> {
  const original = Object.assign({}, ...Object.values(imports)) as Imports;
  const ours = fileCalls(original, files, memory);
  return Object.fromEntries(
    Object.entries(imports).map(([module, functions]) => [
      module,
      Object.fromEntries(
        Object.entries(functions).map(([name, call]) => [name, ours[name] ?? call]),
      ),
    ]),
  );
}
