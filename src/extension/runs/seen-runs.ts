import type * as vscode from 'vscode';
import type { Invocation, Source } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import { numberOf } from '../model/mirror-state.ts';
import { Signal } from '../signal.ts';
import { unseenOf } from './unseen.ts';

const memoryKey = 'weir.seenRuns';

/** Which failed runs somebody has looked at: a failure stays until then, however many runs go well after it. */
export class SeenRuns {
  readonly #memory: Pick<vscode.Memento, 'get' | 'update'>;
  /** By runtime and source: the number of the newest run that was looked at. */
  readonly #seen: Map<string, number>;
  /** The folder and the id of the source. */
  readonly onDidChange = new Signal<{ readonly folder: Folder; readonly sourceId: string }>();

  /** @param memory of the workspace */
  constructor(memory: Pick<vscode.Memento, 'get' | 'update'>) {
    this.#memory = memory;
    this.#seen = new Map(Object.entries(memory.get<Record<string, number>>(memoryKey) ?? {}));
  }

  /** The failed runs of a source that nobody has looked at, newest first. */
  unseen(folder: Folder, source: Source): readonly Invocation[] {
    const seen = this.#seen.get(keyOf(folder, source.id)) ?? 0;
    return unseenOf(folder.mirror.failures(source.id), seen, source.updated_at);
  }

  /** Takes a run, and all before it, for looked at. */
  see(folder: Folder, sourceId: string, runId: string): void {
    const key = keyOf(folder, sourceId);
    const number = numberOf({ id: runId });
    if (!(number > (this.#seen.get(key) ?? 0))) return;
    this.#seen.set(key, number);
    void this.#memory.update(memoryKey, Object.fromEntries(this.#seen));
    this.onDidChange.fire({ folder, sourceId });
  }

  /** Takes all failed runs of a source for looked at. */
  seeAll(folder: Folder, sourceId: string): void {
    const [newest] = folder.mirror.failures(sourceId);
    if (newest !== undefined) this.see(folder, sourceId, newest.id);
  }
}

/** Folders of one window may be copies of each other: their sources have the same ids then. */
function keyOf({ key }: Folder, sourceId: string): string {
  return `${key} ${sourceId}`;
}
