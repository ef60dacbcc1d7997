/** Whom the user trusts: a file of the user's configuration, as a folder that somebody sent must not say it. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { temporaryIn } from '../base/temporary-folders.ts';
import type { ManifestFacts } from './manifest-facts.ts';
import { type Trusted, withTrust } from './trust.ts';

const subject = z.object({
  license: z.string().nullable(),
  provenance: z.boolean(),
  dependencies: z.array(z.string()),
  installScripts: z.array(z.string()),
  apps: z.array(z.string()),
  hosts: z.array(z.string()),
  defines: z.record(z.string(), z.string()).default({}),
  youngVersions: z.array(z.string()),
});
const shape = z.object({
  trusted: z.array(
    z.object({
      registry: z.string(),
      publisher: z.string(),
      subjects: z.record(z.string(), subject),
    }),
  ),
});

/** Read at each question: several runtimes share it. */
export class TrustFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws WeirError `bad_input` for a file that is damaged: nobody is trusted by it then */
  async read(): Promise<readonly Trusted[]> {
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return [];
    try {
      return shape.parse(JSON.parse(text)).trusted;
    } catch (error) {
      throw new WeirError(
        'bad_input',
        `${this.#file} cannot be read; remove it, and publishers are asked about again.`,
        [{ message: messageOf(error), file: this.#file }],
      );
    }
  }

  async add(facts: ManifestFacts, isYoung: boolean): Promise<void> {
    await this.#write(withTrust(await this.read(), facts, isYoung));
  }

  /** @returns whether there was one */
  async forget(publisher: string, registry: string | undefined): Promise<boolean> {
    const before = await this.read();
    const left = before.filter(
      (one) => one.publisher !== publisher || (registry !== undefined && one.registry !== registry),
    );
    if (left.length === before.length) return false;
    await this.#write(left);
    return true;
  }

  async #write(trusted: readonly Trusted[]): Promise<void> {
    const folder = dirname(this.#file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const temporary = temporaryIn(folder);
    try {
      const text = `${JSON.stringify({ trusted }, null, 2)}\n`;
      await writeFile(temporary, text, { mode: 0o600 });
      await rename(temporary, this.#file);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}
