import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { answeringRuntime, findRuntime } from '../client/runtime-file.ts';
import { startRuntime } from '../client/start.ts';

/** Uses a running runtime; a runtime that is started here ends a while after its last client. */
export async function ensureRuntime(dataFolder: string): Promise<void> {
  if ((await answeringRuntime(dataFolder)) === undefined) await start(dataFolder, '--attended');
}

/**
 * Runs one command with a runtime. A runtime that is started for it ends with it: the promise settles when the data
 * folder is free again for the next command, such as `weir serve`, or when other clients use the runtime.
 */
export async function withRuntime<T>(dataFolder: string, command: () => Promise<T>): Promise<T> {
  if ((await answeringRuntime(dataFolder)) !== undefined) return command();
  const { pid } = await start(dataFolder, '--attended', '--linger', '0');
  try {
    return await command();
  } finally {
    await ended(pid, dataFolder);
  }
}

function start(dataFolder: string, ...args: readonly string[]) {
  const runtimeFile = join(__dirname, 'runtime.js');
  return startRuntime({ runtimeFile, dataFolder, execPath: process.execPath, args });
}

/** A runtime that still answers after this long, in ms, has other clients. */
const noticedMs = 1000;
/** It gives up work in hand within this, in ms. */
const endMs = 10_000;
const lookMs = 20;

/** Its process and not its address: the folder is free when the process is gone. */
async function ended(pid: number, dataFolder: string): Promise<void> {
  const from = performance.now();
  const passed = () => performance.now() - from;
  while (isAlive(pid) && passed() < endMs) {
    if (passed() > noticedMs && (await findRuntime(dataFolder)) !== undefined) return;
    await sleep(lookMs);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
