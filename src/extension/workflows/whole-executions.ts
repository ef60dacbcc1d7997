import type { WholeExecution } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { Signal, type Disposable } from '../signal.ts';

export interface ExecutionKey {
  readonly folder: Folder;
  readonly id: string;
}

/** Executions of which nobody asked for so many others are forgotten: each may hold megabytes. */
const most = 50;

/**
 * Executions with their steps, as far as somebody looked at them. A changed execution is read again, once at a time,
 * and announced.
 */
export class WholeExecutions implements Disposable {
  /** Executions that were read again, or have to be read again. */
  readonly onDidChange = new Signal<ExecutionKey>();
  readonly #known = new Map<string, { value: Promise<WholeExecution>; stale: boolean }>();
  readonly #last = new Map<string, WholeExecution>();
  readonly #disposable: Disposable;

  constructor(folders: Pick<Folders, 'onDidChange'>) {
    this.#disposable = folders.onDidChange(({ folder, touched }) => {
      // After a lost connection, the list does not yet have all ids.
      const ids = touched.workflowList ? this.#idsOf(folder) : touched.executions;
      for (const id of ids) {
        const known = this.#known.get(keyOf({ folder, id }));
        if (known === undefined) continue;
        known.stale = true;
        this.onDidChange.fire({ folder, id });
      }
    });
  }

  /** As it is now. Starts a runtime where none runs. */
  async of({ folder, id }: ExecutionKey): Promise<WholeExecution> {
    const key = keyOf({ folder, id });
    const known = this.#known.get(key);
    if (known !== undefined && !known.stale) return known.value;
    const value = this.#read({ folder, id });
    this.#known.delete(key);
    this.#known.set(key, { value, stale: false });
    for (const old of [...this.#known.keys()].slice(0, -most)) {
      this.#known.delete(old);
      this.#last.delete(old);
    }
    // A failed read is tried again.
    value.catch(() => {
      if (this.#known.get(key)?.value === value) this.#known.delete(key);
    });
    return value;
  }

  /** As it was read last; undefined until then. */
  last(key: ExecutionKey): WholeExecution | undefined {
    return this.#last.get(keyOf(key));
  }

  dispose(): void {
    this.#disposable.dispose();
  }

  #idsOf(folder: Folder): string[] {
    const start = keyOf({ folder, id: '' });
    return [...this.#known.keys()]
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice(start.length));
  }

  async #read({ folder, id }: ExecutionKey): Promise<WholeExecution> {
    const client = await folder.link.ready();
    const read = await client.call('executions.get', { id });
    this.#last.set(keyOf({ folder, id }), read);
    return read;
  }
}

function keyOf({ folder, id }: ExecutionKey): string {
  return `${folder.key} ${id}`;
}
