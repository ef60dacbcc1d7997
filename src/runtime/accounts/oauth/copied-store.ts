/**
 * A copied data folder has the refresh tokens of another one. The first of the two that uses one makes the other's
 * useless, and a provider may revoke the grant for both: so a copy refreshes nothing until a person decides that it is
 * the one to keep (clause 27).
 */
import { realpath, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { SettingsTable } from '../../store/configuration/settings.ts';

/** The location of a data folder. */
export interface DataFolderPlace {
  readonly path: string;
  readonly host: string;
  /** Inode of the folder: it stays the same when the folder is moved, and changes when it is copied. */
  readonly inode: string;
}

/**
 * Whether a folder seems to be a copy of the one that was at a place. One that was moved keeps its inode; one that took
 * the old one's place, such as a backup that was put back, has its path and its host.
 */
export function isCopy(before: DataFolderPlace, now: DataFolderPlace): boolean {
  if (before.inode === now.inode) return false;
  return before.path !== now.path || before.host !== now.host;
}

export async function placeOf(folder: string): Promise<DataFolderPlace> {
  const path = await realpath(folder);
  const { ino } = await stat(path, { bigint: true });
  return { path, host: hostname(), inode: String(ino) };
}

const placeSetting = 'place';
const copySetting = 'copy';

interface Copy {
  readonly place: DataFolderPlace;
  /** When that was seen first, in epoch ms. */
  readonly at: number;
}

interface SeenCopy extends Copy {
  readonly from: DataFolderPlace;
}

export class CopiedStore {
  readonly #settings: SettingsTable;
  readonly #place: DataFolderPlace;
  #copy: SeenCopy | undefined;

  private constructor(settings: SettingsTable, place: DataFolderPlace, copy: SeenCopy | undefined) {
    this.#settings = settings;
    this.#place = place;
    this.#copy = copy;
  }

  static async open(
    settings: SettingsTable,
    folder: string,
    now: () => number,
  ): Promise<CopiedStore> {
    const place = await placeOf(folder);
    const before = read(settings, placeSetting) as DataFolderPlace | undefined;
    if (before === undefined || !isCopy(before, place)) {
      const text = JSON.stringify(place);
      if (settings.get(placeSetting) !== text) await settings.set(placeSetting, text);
      return new CopiedStore(settings, place, undefined);
    }
    const seen = read(settings, copySetting) as Copy | undefined;
    const isSame = seen !== undefined && !isCopy(seen.place, place);
    const copy = isSame ? seen : { place, at: now() };
    if (!isSame) await settings.set(copySetting, JSON.stringify(copy));
    return new CopiedStore(settings, place, { ...copy, from: before });
  }

  /**
   * The other folder that has the state of this time as well; undefined if this folder alone has it.
   * @param at epoch ms
   */
  sharedWith(at: number): string | undefined {
    const copy = this.#copy;
    if (copy === undefined || at >= copy.at) return undefined;
    const { path, host } = copy.from;
    return host === this.#place.host ? path : `${path} on ${host}`;
  }

  /**
   * Why a token that came at this time is not refreshed here; undefined when it may be. What was connected since belongs to
   * this folder alone.
   * @param obtainedAt epoch ms
   */
  heldBack(obtainedAt: number): string | undefined {
    const where = this.sharedWith(obtainedAt);
    if (where === undefined) return undefined;
    return `This data folder seems to be a copy of ${where}, and only one of the two can refresh its accounts. If the other one is not used any more, run "weir accounts keep-fresh"; else connect the account again, which gives this one a grant of its own.`;
  }

  /** A person decides to keep this folder. Resolves when that is on disk. */
  async goOn(): Promise<void> {
    await this.#settings.set(placeSetting, JSON.stringify(this.#place));
    this.#copy = undefined;
  }
}

function read(settings: SettingsTable, key: string): unknown {
  const text = settings.get(key) ?? '';
  return text === '' ? undefined : JSON.parse(text);
}
