import { mkdtempSync, realpathSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AtEnd, atEndOfTest } from './at-end.ts';

/** An empty folder of its own, its path without links, removed at the end. */
export function temporaryFolder(atEnd: AtEnd = atEndOfTest): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'weir-test-')));
  // A process that was told to end may still write.
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

/** Writes a component's code into a folder and returns its path. */
export async function sourceFile(folder: string, name: string, code: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, code);
  return path;
}
