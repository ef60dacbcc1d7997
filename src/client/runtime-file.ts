/** Finds the runtime of a data folder through its `runtime.json`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WeirError } from '../protocol/errors.ts';
import type { RuntimeFile } from '../protocol/rpc.ts';

const healthMs = 2000;

export function runtimeFilePath(dataFolder: string): string {
  return join(dataFolder, 'runtime.json');
}

/** What the file says, alive or not; undefined without one. Throws when it cannot be understood. */
export async function readRuntimeFile(dataFolder: string): Promise<RuntimeFile | undefined> {
  const path = runtimeFilePath(dataFolder);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unreadable(path, error);
  }
  const file = parse(path, text);
  if (typeof file.url !== 'string' || typeof file.apiKey !== 'string') throw unreadable(path);
  return file;
}

/** The runtime that answers for this data folder; undefined when none does (a crash leaves the file). */
export async function findRuntime(dataFolder: string): Promise<RuntimeFile | undefined> {
  const file = await readRuntimeFile(dataFolder);
  if (file === undefined || !isAlive(file.pid)) return undefined;
  return (await isHealthy(file.url)) ? file : undefined;
}

/** The port may belong to somebody else by now, so an answer has to be ours. */
async function isHealthy(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(healthMs);
    const response = await fetch(new URL('/v1/health', url), { signal });
    const body = (await response.json()) as { status?: unknown };
    return body.status === 'ok';
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function parse(path: string, text: string): Partial<RuntimeFile> & RuntimeFile {
  try {
    return JSON.parse(text) as RuntimeFile;
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause?: unknown): WeirError {
  return new WeirError(
    'runtime_unavailable',
    `${path} cannot be read; if no runtime is running, delete it and start one.`,
    undefined,
    cause,
  );
}
