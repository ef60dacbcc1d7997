import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { startProgram } from '../harness/program.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import type { Peer } from './peer.mts';

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

/** For a program that cannot choose one itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}
