/** Runs of actions that agents asked for: one JSON file each, newest kept. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';

export interface KeptRuns {
  /** Resolves with its id when it is on disk. */
  add(run: Readonly<Record<string, unknown>>): Promise<string>;
  /** @throws WeirError `not_found` */
  get(id: string): Promise<unknown>;
}

const mostKept = 500;
const ids = /^\d{13}-[0-9a-f]{6}$/;

/**
 * @param now epoch milliseconds
 * @param random six hexadecimal digits, for runs of one millisecond
 */
export function createKeptRuns(
  dataFolder: string,
  now: () => number,
  random: () => string,
): KeptRuns {
  const folder = join(dataFolder, 'agent-runs');
  return {
    async add(run) {
      const at = now();
      const id = `${String(at).padStart(13, '0')}-${random()}`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const text = JSON.stringify({ id, at: new Date(at).toISOString(), ...run }, null, 1);
      await writeFile(join(folder, `${id}.json`), text, { mode: 0o600 });
      const all = (await readdir(folder)).toSorted();
      const old = all.slice(0, Math.max(0, all.length - mostKept));
      await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
      return id;
    },
    async get(id) {
      try {
        if (ids.test(id)) return JSON.parse(await readFile(join(folder, `${id}.json`), 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
      throw new WeirError('not_found', `There is no run ${id} of an action.`);
    },
  };
}
