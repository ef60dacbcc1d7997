import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startRuntime } from '../../src/client/start.ts';
import { type Program, startProgram } from '../harness/program.mts';
import { temporaryFolder } from '../harness/temporary.mts';

export interface WeirProgram {
  readonly pid: number;
  readonly url: string;
  readonly apiKey: string;
  /** REST: rejects when the answer is not a success. */
  readonly call: Call;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface WeirProgramOptions {
  /** Folder of the build. */
  readonly dist: string;
  /** Folder that gets a CPU profile of the runtime. */
  readonly profile?: string | undefined;
  /** As a node on a database, not with a store of its own. */
  readonly node?: NodeOfDatabase | undefined;
}

export interface NodeOfDatabase {
  /** `postgres://…` */
  readonly store: string;
  /** What all nodes of the database have; `WEIR_KEY`. */
  readonly key: string;
  readonly leaseSeconds: number;
}

/** `weir serve` on a data folder; retention is off, so that every event can be counted afterwards. */
export function serve(folder: string, options: WeirProgramOptions): Promise<Program> {
  const { dist, profile, node } = options;
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const settings = ['--set', 'retention.events=1e9', '--set', 'retention.megabytes=1e6'];
  const store =
    node === undefined ? [] : ['--store', node.store, '--lease', String(node.leaseSeconds)];
  return startProgram(
    [...profiling, join(dist, 'cli.js'), 'serve', '--data', folder, ...settings, ...store],
    // The encryption key stays out of the home of whoever measures.
    { XDG_CONFIG_HOME: folder, ...(node !== undefined && { WEIR_KEY: node.key }) },
  );
}

/** `weir serve` on a new data folder. */
export async function startWeir(options: WeirProgramOptions): Promise<WeirProgram> {
  const folder = await temporaryFolder();
  const program = await serve(folder.path, options);
  const address = await addressIn(folder.path);
  return {
    pid: program.pid,
    url: program.url,
    apiKey: address.apiKey,
    call: restClient(address),
    async stop(signal) {
      await program.stop(signal);
      await folder.remove();
    },
  };
}

/** The runtime as a program of its own, as the editor starts it. */
export async function startAsEditor(dist: string): Promise<WeirProgram> {
  const folder = await temporaryFolder();
  const runtime = await startRuntime({
    runtimeFile: join(dist, 'runtime.js'),
    dataFolder: folder.path,
    execPath: process.execPath,
    env: { ...process.env, XDG_CONFIG_HOME: folder.path },
  });
  const { url, pid, apiKey } = runtime;
  return {
    pid,
    url,
    apiKey,
    call: restClient(runtime),
    async stop() {
      process.kill(pid, 'SIGTERM');
      await ended(pid);
      await folder.remove();
    },
  };
}

/** It is not our child any more once it serves. */
async function ended(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await pause(20);
  }
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>;

interface Address {
  readonly url: string;
  readonly apiKey: string;
}

/** Of the runtime that serves a data folder. */
export async function addressIn(folder: string): Promise<Address> {
  return JSON.parse(await readFile(join(folder, 'runtime.json'), 'utf8')) as Address;
}

export function restClient({ url, apiKey }: Address): Call {
  return async (method, path, body) => {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} /v1/${path}: ${response.status} ${answer}`);
    return JSON.parse(answer);
  };
}
