/** `os.tmpdir()` of a step: a folder of its leg's own, made when somebody asks for it, and gone with the leg. */
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';

export class LegFolders<Run extends object> {
  readonly #current: () => Run;
  /** By run of a step: where the folder of its leg is, or will be. */
  readonly #paths = new WeakMap<Run, string>();
  readonly #made = new Set<string>();
  #isInstalled = false;

  /** @param current the run that the asking code belongs to */
  constructor(current: () => Run) {
    this.#current = current;
  }

  /**
   * From now on the code of this run has the folder. What was loaded before it may have asked already, and keep
   * the answer for all runs: so it gets the machine's.
   * @param parent of the folders of all processes of the workflow
   */
  enter(run: Run, parent: string, execution: number): void {
    this.#install();
    this.#paths.set(run, pathOf(parent, execution));
  }

  /** The leg is over. */
  remove(parent: string, execution: number): void {
    const path = pathOf(parent, execution);
    if (!this.#made.delete(path)) return;
    // What a script has started may still write for a moment; at the end of the process the runtime removes it.
    rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(
      () => undefined,
    );
  }

  #install(): void {
    if (this.#isInstalled) return;
    this.#isInstalled = true;
    const { tmpdir } = os;
    os.tmpdir = () => {
      const path = this.#paths.get(this.#current());
      if (path === undefined) return tmpdir();
      if (!this.#made.has(path)) {
        mkdirSync(path, { recursive: true, mode: 0o700 });
        this.#made.add(path);
      }
      return path;
    };
    syncBuiltinESMExports();
  }
}

/** Two processes of a workflow never share one: the deployments of before may still have theirs. */
function pathOf(parent: string, execution: number): string {
  return join(parent, String(process.pid), String(execution));
}
