/** Code that needs what only the machine has on which it was deployed. */
import { readFile } from 'node:fs/promises';
import type { Components } from '../components/deployments/deployment.ts';

/**
 * Whether a bundle does, as far as its text says (pure): the file store is a folder, and steps in Python and Bash have
 * their interpreter's path in them.
 */
export function needsItsMachine(code: string): boolean {
  return /\$\.files\b|\bfiles\.(?:open|openDescriptor|dir)\(|\bscriptStep\(/u.test(code);
}

/** Reads each bundle once, when it is first asked for. */
export class BoundToMachine {
  readonly #components: Pick<Components, 'get'>;
  readonly #byHash = new Map<string, boolean>();

  constructor(components: Pick<Components, 'get'>) {
    this.#components = components;
  }

  /** True also while that is not known yet. */
  has(hash: string): boolean {
    const known = this.#byHash.get(hash);
    if (known !== undefined) return known;
    this.#byHash.set(hash, true);
    this.#read(hash).then(
      (isBound) => this.#byHash.set(hash, isBound),
      // It is read again when it is asked for again.
      () => this.#byHash.delete(hash),
    );
    return true;
  }

  async #read(hash: string): Promise<boolean> {
    const deployment = await this.#components.get(hash);
    return deployment === undefined || needsItsMachine(await readFile(deployment.bundle, 'utf8'));
  }
}
