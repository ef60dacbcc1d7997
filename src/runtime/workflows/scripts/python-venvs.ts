/** Virtual environments of Python steps: each is a copy of a bare one, whose pip takes Python seconds to install. */
import { createHash } from 'node:crypto';
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { removeTemporaryFolders, temporaryIn } from '../../base/temporary-folders.ts';
import { inside, makeVenv } from './python-install.ts';

/** Environments that are being made, by their folder. */
const making = new Map<string, Promise<void>>();

/**
 * Makes an environment unless it is there: two deploys at once share one.
 * @throws WeirError what `make` throws, `cancelled`
 */
export async function makeOnce(
  folder: string,
  signal: AbortSignal,
  make: () => Promise<void>,
): Promise<void> {
  for (;;) {
    if (await isThere(join(folder, ...inside))) return;
    const other = making.get(folder);
    if (other === undefined) break;
    // If the deploy that began it is cancelled, it is made here.
    await other.catch(() => undefined);
    if (signal.aborted) throw new WeirError('cancelled', 'The installation was cancelled.');
  }
  const made = make().finally(() => making.delete(folder));
  making.set(folder, made);
  await made;
}

/**
 * Makes an environment, whole or not at all.
 * @param bare folder of the environment it is a copy of, made when it is missing
 * @param install into an environment, whose interpreter it is given
 */
export async function makeEnvironment(
  folder: string,
  { python, bare }: { readonly python: string; readonly bare: string },
  signal: AbortSignal,
  install: (program: string) => Promise<void>,
): Promise<void> {
  await makeOnce(bare, signal, () =>
    fill(bare, signal, (temporary) => makeVenv(python, temporary, signal)),
  );
  await fill(folder, signal, async (temporary) => {
    // Python's compiled files are valid only while their source keeps its modification time.
    const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
    await cp(bare, temporary, options);
    await install(join(temporary, ...inside));
  });
}

const preparing = new Map<string, Promise<void>>();

/** The folder of all environments, without what a runtime that was killed left in it. */
function prepared(parent: string): Promise<void> {
  const known =
    preparing.get(parent) ??
    mkdir(parent, { recursive: true }).then(() => removeTemporaryFolders(parent));
  preparing.set(parent, known);
  return known;
}

/** Moves an environment to its place when it is complete: its python finds itself wherever it is. */
async function fill(
  folder: string,
  signal: AbortSignal,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const parent = dirname(folder);
  await prepared(parent);
  const temporary = temporaryIn(parent);
  try {
    await write(temporary);
    // Its interpreter may be gone since it was made.
    await rm(folder, { recursive: true, force: true });
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    if (signal.aborted) throw new WeirError('cancelled', 'The installation was cancelled.');
    throw error;
  }
}

/** The name of an environment's folder. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
