/**
 * Foreign components on this machine, in the user's cache: a folder that somebody sent could contain a cache of its
 * own, with other bytes than its lock names. An existing folder is complete, because it appears by a rename (P27.9).
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { temporaryIn } from '../base/temporary-folders.ts';
import type { ManifestFacts } from './manifest-facts.ts';
import { hashOf, type LockedDependencies } from './npm/dependencies.ts';

export interface Cached {
  /** Absolute path of the component's file. */
  readonly path: string;
  /** Absolute path of the folder of its package or tree. */
  readonly root: string;
  readonly facts: ManifestFacts;
  readonly dependencies: LockedDependencies;
}

interface Kept {
  readonly facts: ManifestFacts;
  readonly dependencies: LockedDependencies;
}

/** Definitions of apps were not asked about before there were any. */
interface KeptOnce extends Omit<Kept, 'facts'> {
  readonly facts: Omit<ManifestFacts, 'defines'> & Partial<Pick<ManifestFacts, 'defines'>>;
}

const codeFolder = 'package';
const keptFile = 'component.json';

export class ComponentCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param file in its tree */
  async find(
    integrity: string,
    dependenciesHash: string | undefined,
    file: string,
  ): Promise<Cached | undefined> {
    return read(this.#place(integrity, dependenciesHash), file);
  }

  /** The component whose file this is. @param path absolute */
  async at(path: string): Promise<Cached | undefined> {
    const [place = '', code, ...file] = relative(this.#folder, path).split(sep);
    if (place === '..' || code !== codeFolder) return undefined;
    return read(join(this.#folder, place), file.join('/'));
  }

  /**
   * @param file of the component among the files
   * @param install gives the folder its packages
   */
  async add(
    facts: ManifestFacts,
    file: string,
    files: ReadonlyMap<string, Uint8Array>,
    install: (folder: string) => Promise<LockedDependencies>,
  ): Promise<Cached> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = temporaryIn(this.#folder);
    try {
      for (const [path, data] of files) {
        const target = join(temporary, codeFolder, ...path.split('/'));
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, data);
      }
      const dependencies = await install(temporary);
      const kept: Kept = { facts, dependencies };
      await writeFile(join(temporary, nameFor(file)), JSON.stringify(kept));
      const folder = this.#place(facts.integrity, hashIfAny(dependencies));
      // Two components of one package share its folder; what is there is complete, and may be in use.
      await rename(temporary, folder).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST' && error.code !== 'EPERM') {
          throw error;
        }
        await writeWhole(join(folder, nameFor(file)), JSON.stringify(kept));
      });
      return placed(kept, folder, file);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  #place(integrity: string, dependenciesHash: string | undefined): string {
    const hash = createHash('sha256').update(`${integrity}\n${dependenciesHash ?? ''}`);
    return join(this.#folder, hash.digest('hex').slice(0, 32));
  }
}

/** @param folder of a component, which need not be there */
async function read(folder: string, file: string): Promise<Cached | undefined> {
  const text = await readFile(join(folder, nameFor(file)), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { facts, dependencies } = JSON.parse(text) as KeptOnce;
  return placed({ facts: { defines: [], ...facts }, dependencies }, folder, file);
}

function placed(kept: Kept, folder: string, file: string): Cached {
  const root = join(folder, codeFolder);
  return { ...kept, root, path: join(root, ...file.split('/')) };
}

export function hashIfAny(dependencies: LockedDependencies): string | undefined {
  return Object.keys(dependencies).length === 0 ? undefined : hashOf(dependencies);
}

/** Name of the file with the facts about one component of the folder. */
function nameFor(file: string): string {
  const id = createHash('sha256').update(file).digest('hex').slice(0, 12);
  return keptFile.replace('.json', `-${id}.json`);
}

async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = temporaryIn(dirname(path));
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
