import { join } from 'node:path';
import { freePort } from '../../scripts/editor/free-port.mts';
import { startProgram } from '../harness/program.mts';
import { temporaryFolder } from '../harness/temporary.mts';

/** Something the load is sent to, in processes of its own. */
export interface Peer {
  readonly name: string;
  /** Where its events are when it answers. */
  readonly keeps: string;
  start(): Promise<RunningPeer>;
}

export interface RunningPeer {
  readonly url: string;
  /** Root of the process tree that is measured. */
  readonly pid: number;
  /** Resolves when `count` requests are worked off, for a peer that answers before it is done. */
  settled?(count: number): Promise<void>;
  /**
   * Rejects when an acknowledged event is missing or there twice.
   * @param acknowledged answers per connection, see `payloadId` for the ids.
   */
  verify?(acknowledged: readonly number[]): Promise<void>;
  stop(): Promise<void>;
}

const file = (name: string) => join(import.meta.dirname, name);

export const nodeHttp: Peer = {
  name: 'node:http',
  keeps: 'memory',
  start: () => startProgram([file('node-http.mjs')]),
};

export const functionsFramework: Peer = {
  name: 'functions-framework',
  keeps: 'memory',
  async start() {
    const cli = '../node_modules/@google-cloud/functions-framework/build/src/main.js';
    const port = await freePort();
    const args = [`--source=${file('functions-framework.mjs')}`, '--target=record'];
    // With NODE_ENV=production it does not print its address; nothing else on this path depends on it.
    return startProgram([file(cli), ...args, `--port=${port}`], { NODE_ENV: 'development' });
  },
};

export const miniflareMemory: Peer = {
  name: 'miniflare',
  keeps: 'memory',
  start: () => startProgram([file('miniflare.mjs'), 'memory']),
};

export const miniflareDurable: Peer = {
  name: 'miniflare, Durable Object',
  keeps: 'disk (SQLite)',
  async start() {
    const folder = await temporaryFolder();
    const program = await startProgram([file('miniflare.mjs'), 'durable', folder.path]);
    const stop = async () => {
      await program.stop();
      await folder.remove();
    };
    return { ...program, stop };
  },
};
