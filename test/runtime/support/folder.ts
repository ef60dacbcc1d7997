import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AtEnd, atEndOfTest } from './at-end.ts';

/** An empty folder of its own, removed at the end. */
export async function temporaryFolder(atEnd: AtEnd = atEndOfTest): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-test-'));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
