import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimeFile } from '../../protocol/rpc.ts';

/** Where a running runtime tells how it is reached. */
export function runtimeFilePath(folder: string): string {
  return join(folder, 'runtime.json');
}

/** For its owner only; by rename, so that nobody reads half of it. */
export async function writeRuntimeFile(folder: string, content: RuntimeFile): Promise<void> {
  const path = runtimeFilePath(folder);
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, JSON.stringify(content), { mode: 0o600 });
  await rename(unfinished, path);
}

/** Undefined when there is none, or it is not of a runtime. */
export async function readRuntimeFile(folder: string): Promise<RuntimeFile | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(runtimeFilePath(folder), 'utf8'));
    return isRuntimeFile(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

export async function removeRuntimeFile(folder: string): Promise<void> {
  await rm(runtimeFilePath(folder), { force: true });
}

function isRuntimeFile(content: unknown): content is RuntimeFile {
  const { pid, url } = (content ?? {}) as Partial<RuntimeFile>;
  return typeof pid === 'number' && typeof url === 'string';
}
