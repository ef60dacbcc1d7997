/** `weir.lock.json` beside the components: which bytes a component of a registry is (P27.8). */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { KeyedMutex } from '../base/keyed-mutex.ts';
import { temporaryIn } from '../base/temporary-folders.ts';
import { newestFirst } from './versions.ts';

const entry = z.object({
  key: z.string(),
  version: z.string(),
  source: z.enum(['npm', 'git', 'folder']),
  /** URL or folder. */
  registry: z.string(),
  package: z.string().optional(),
  packageVersion: z.string().optional(),
  commit: z.string().optional(),
  /** Branch, tag or page that it was asked for by; empty for the branch of the repository. */
  ref: z.string().optional(),
  /** In the package, repository or folder. */
  file: z.string(),
  integrity: z.string(),
  license: z.string().optional(),
  provenance: z.boolean(),
  publisher: z.string(),
  /** SHA-256 of `dependencies`, hex. */
  dependenciesHash: z.string().optional(),
  /** The packages it depends on, as the lock file of npm has them, without addresses. */
  dependencies: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});
const shape = z.object({ lockVersion: z.literal(1), components: z.array(entry) });

export type LockEntry = z.output<typeof entry>;

/** The reference of an entry, wherever the lock is. */
export function entryReference({ key, version, ...entry }: LockEntry): string {
  return entry.package === undefined
    ? `${key}@${version}`
    : `npm:${entry.package}@${entry.packageVersion ?? ''}#${key}`;
}

/** The entries of a key, newest first; a version picks one. */
export function entriesOf(
  entries: readonly LockEntry[],
  key: string,
  version?: (version: string) => boolean,
): LockEntry[] {
  return entries
    .filter((one) => one.key === key && (version === undefined || version(one.version)))
    .sort((a, b) => newestFirst(a.version, b.version));
}

/** In the order of their keys, so that two branches that add components can be merged line by line. */
export function withEntry(entries: readonly LockEntry[], added: LockEntry): LockEntry[] {
  const others = entries.filter(
    ({ key, version }) => key !== added.key || version !== added.version,
  );
  return [...others, added].sort((a, b) =>
    a.key === b.key ? newestFirst(b.version, a.version) : a.key < b.key ? -1 : 1,
  );
}

export class LockFile {
  readonly path: string;
  readonly #turns = new KeyedMutex();

  constructor(path: string) {
    this.path = path;
  }

  /** @throws WeirError `bad_input` with what to do about a file that is no lock */
  async read(): Promise<readonly LockEntry[]> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return [];
    try {
      return shape.parse(JSON.parse(text)).components;
    } catch (error) {
      throw new WeirError(
        'bad_input',
        `${this.path} is not a lock file of this version; restore it from version control, or remove it to lock again.`,
        [{ message: messageOf(error), file: this.path }],
      );
    }
  }

  /** Nothing is written when it says so already. */
  add(added: LockEntry): Promise<void> {
    return this.#turns.run('lock', async () => {
      const before = await this.read();
      const after = withEntry(before, added);
      if (JSON.stringify(after) !== JSON.stringify(before)) await this.#write(after);
    });
  }

  /** An entry that is not there is no error. */
  remove({ key, version }: Pick<LockEntry, 'key' | 'version'>): Promise<void> {
    return this.#turns.run('lock', async () => {
      const before = await this.read();
      const after = before.filter((one) => one.key !== key || one.version !== version);
      if (after.length !== before.length) await this.#write(after);
    });
  }

  async #write(components: readonly LockEntry[]): Promise<void> {
    const folder = dirname(this.path);
    await mkdir(folder, { recursive: true });
    const temporary = temporaryIn(folder);
    try {
      await writeFile(temporary, `${JSON.stringify({ lockVersion: 1, components }, null, 2)}\n`);
      await rename(temporary, this.path);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}
