import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { VersionStatus } from './version-status-text.ts';

/** How long an answer is believed, in ms: asking is a fetch of every registry that something came from. */
const believedMs = 3_600_000;
/** How long nobody is asked again after nobody has answered, in ms. */
const silentMs = 300_000;

interface Kept {
  readonly until: number;
  readonly data: readonly VersionStatus[];
}

/** The registries' news about the locked components of a folder. Nobody waits for it, and it starts no runtime. */
export class VersionStatuses {
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #kept = new Map<string, Kept>();
  readonly #asked = new Set<string>();
  /** Asked before the lock changed: what they answer is old when it comes. */
  readonly #overtaken = new Set<string>();

  /** @param changed is called when there is another answer than before */
  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  /** As far as it is known. */
  of(folder: Folder): readonly VersionStatus[] {
    const { key } = folder;
    const kept = this.#kept.get(key);
    const isOld = kept === undefined || this.#clock.now() >= kept.until;
    if (isOld && !this.#asked.has(key)) void this.#ask(folder);
    return kept?.data ?? [];
  }

  /** The lock has changed: the next look asks again. */
  forget(): void {
    for (const [key, kept] of this.#kept) this.#kept.set(key, { ...kept, until: 0 });
    for (const key of this.#asked) this.#overtaken.add(key);
    this.#changed();
  }

  async #ask({ key, link, remote }: Folder): Promise<void> {
    // Components locked by a runtime on another machine are not those that the local files name.
    if (link.client === undefined || remote !== undefined) return;
    this.#asked.add(key);
    const before = this.#kept.get(key)?.data ?? [];
    const answer = await link.client.call('components.outdated', {}).catch(() => undefined);
    this.#asked.delete(key);
    const isOvertaken = this.#overtaken.delete(key);
    const now = this.#clock.now();
    // Registries that cannot be reached now are asked again before long.
    const isWhole = answer?.data.every(({ problem }) => problem === null) ?? false;
    const data = answer?.data ?? before;
    const until = isOvertaken ? 0 : now + (isWhole ? believedMs : silentMs);
    this.#kept.set(key, { until, data });
    if (isOvertaken || JSON.stringify(data) !== JSON.stringify(before)) this.#changed();
  }
}
