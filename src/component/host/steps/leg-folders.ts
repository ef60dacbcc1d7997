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
  /** By execution: the folder of its present leg. */
  readonly #legs = new Map<number, string>();
  readonly #made = new Set<string>();
  #next = 0;
  #isInstalled = false;

  /** @param current the run that the asking code belongs to */
  constructor(current: () => Run) {
    this.#current = current;
  }

  /**
   * From now on the code of this run has the folder. What was loaded before it may have asked already, and keep
   * the answer for all runs: so it gets the machine's.
   * @param parent of the folders of all processes of the workflow
   * @param leg where the processes of its steps share the folder
   */
  enter(run: Run, parent: string, execution: number, leg?: number): void {
    this.#install();
    let path = this.#legs.get(execution);
    if (leg !== undefined) {
      path = join(parent, 'shared', `${execution}-${leg}`);
      this.#legs.set(execution, path);
    } else if (path === undefined) {
      // Two processes of a workflow never share one, and the next leg may begin while this one's is being removed.
      this.#next += 1;
      path = join(parent, String(process.pid), `${execution}-${this.#next}`);
      this.#legs.set(execution, path);
    }
    this.#paths.set(run, path);
  }

  /** The leg is over. */
  remove(execution: number): void {
    const path = this.#legs.get(execution);
    this.#legs.delete(execution);
    if (path === undefined || !this.#made.delete(path)) return;
    // Programs that a script started may still write for a moment; at the end of the process the runtime removes the
    // folder.
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
