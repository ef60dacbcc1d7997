import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder; `TMPDIR` says on which disk, which a durable peer's figures depend on. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'weir-bench-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
