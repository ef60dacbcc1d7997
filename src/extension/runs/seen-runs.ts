import type * as vscode from 'vscode';
import type { Invocation, Source } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import { keptFailures, numberOf } from '../model/mirror-state.ts';
import { Signal } from '../signal.ts';
import { type Seen, unseenOf } from './unseen.ts';

const memoryKey = 'weir.seenRuns';
/** As many failed runs of a source as are shown. */
const mostRuns = keptFailures;
const nothing: Seen = { upTo: 0, runs: [] };

/** Which failed runs somebody has looked at: a failure stays until then, however many runs go well after it. */
export class SeenRuns {
  readonly #memory: Pick<vscode.Memento, 'get' | 'update'>;
  /** By runtime and source. */
  readonly #seen: Map<string, Seen>;
  /** The folder and the id of the source. */
  readonly onDidChange = new Signal<{ readonly folder: Folder; readonly sourceId: string }>();

  /** @param memory of the workspace */
  constructor(memory: Pick<vscode.Memento, 'get' | 'update'>) {
    this.#memory = memory;
    this.#seen = new Map(Object.entries(memory.get<Record<string, Seen>>(memoryKey) ?? {}));
  }

  /** The failed runs of a source that nobody has looked at, newest first. */
  unseen(folder: Folder, source: Source): readonly Invocation[] {
    const failures = folder.mirror.failures(source.id);
    return unseenOf(failures, this.#seenOf(folder, source.id), source.updated_at);
  }

  /** Somebody has looked at this run; the others stay unseen. */
  see(folder: Folder, sourceId: string, runId: string): void {
    const { upTo, runs } = this.#seenOf(folder, sourceId);
    const n = numberOf({ id: runId });
    if (n <= upTo || runs.includes(n)) return;
    this.#keep(folder, sourceId, { upTo, runs: [...runs, n].slice(-mostRuns) });
  }

  /** Marks all failed runs of a source as seen. */
  seeAll(folder: Folder, sourceId: string): void {
    const [newest] = folder.mirror.failures(sourceId);
    if (newest !== undefined) this.#keep(folder, sourceId, { upTo: numberOf(newest), runs: [] });
  }

  #seenOf(folder: Folder, sourceId: string): Seen {
    return this.#seen.get(keyOf(folder, sourceId)) ?? nothing;
  }

  #keep(folder: Folder, sourceId: string, seen: Seen): void {
    this.#seen.set(keyOf(folder, sourceId), seen);
    void this.#memory.update(memoryKey, Object.fromEntries(this.#seen));
    this.onDidChange.fire({ folder, sourceId });
  }
}

/** Folders of one window may be copies of each other: their sources have the same ids then. */
function keyOf({ key }: Folder, sourceId: string): string {
  return `${key} ${sourceId}`;
}
