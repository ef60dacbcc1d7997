/** Finds the runtime of a data folder through its `runtime.json`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WeirError } from '../protocol/errors.ts';
import { folderId } from '../protocol/folder-id.ts';
import type { RuntimeFile } from '../protocol/rpc.ts';

/** A machine that is busy makes a healthy runtime slow: with two seconds it was called one that hangs. */
const patienceMs = 10_000;

export function runtimeFilePath(dataFolder: string): string {
  return join(dataFolder, 'runtime.json');
}

/** Reads the file, whether its runtime is alive or not; undefined if there is none. Throws if it cannot be parsed. */
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

/** A runtime whose process has this data folder. */
export interface FoundRuntime {
  readonly file: RuntimeFile;
  /** False when its port takes connections and says nothing: its process is stopped, hangs or is very busy. */
  readonly answers: boolean;
}

/**
 * The runtime of this data folder; undefined if there is none. A crash leaves the file behind, and in a copy of the
 * folder the file is that of the original.
 */
export async function lookForRuntime(
  dataFolder: string,
  patience = patienceMs,
): Promise<FoundRuntime | undefined> {
  const file = await readRuntimeFile(dataFolder);
  if (file === undefined || !isAlive(file.pid)) return undefined;
  if (file.folder !== undefined && file.folder !== folderId(dataFolder)) return undefined;
  const health = await healthAt(file.url, patience);
  return health === 'none' ? undefined : { file, answers: health === 'answers' };
}

/**
 * The runtime that answers for this data folder; undefined when none does, whatever the reason.
 * @param patience how long it may take to answer, in ms
 */
export async function findRuntime(
  dataFolder: string,
  patience = patienceMs,
): Promise<RuntimeFile | undefined> {
  const found = await lookForRuntime(dataFolder, patience);
  return found?.answers === true ? found.file : undefined;
}

/**
 * The runtime of this data folder, for callers that could work without one or start one; undefined if there is none.
 * @throws WeirError `runtime_unavailable` if it does not answer although it holds the folder
 */
export async function answeringRuntime(dataFolder: string): Promise<RuntimeFile | undefined> {
  const found = await lookForRuntime(dataFolder);
  if (found?.answers === false) throw silentRuntime(dataFolder, found.file);
  return found?.file;
}

/** Said of a runtime that has the data folder and does not answer. */
export function silentRuntime(dataFolder: string, { pid }: RuntimeFile): WeirError {
  return new WeirError(
    'runtime_unavailable',
    `The runtime of ${dataFolder} (pid ${pid}) does not answer. Try again when it is less busy, or end that process and start the runtime again.`,
  );
}

/** The port may belong to somebody else by now, so an answer has to be ours. */
async function healthAt(url: string, patience: number): Promise<'answers' | 'silent' | 'none'> {
  try {
    const signal = AbortSignal.timeout(patience);
    const response = await fetch(new URL('/v1/health', url), { signal });
    const body = (await response.json()) as { status?: unknown };
    return body.status === 'ok' ? 'answers' : 'none';
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'silent' : 'none';
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
