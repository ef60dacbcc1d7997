/** Code that needs what only the machine has on which it was deployed. */
import { readFile } from 'node:fs/promises';
import type { Components } from '../components/deployments/deployment.ts';

/**
 * Whether a bundle does, as far as its text says (pure): the file store is a folder, and steps in Python and Bash have
 * their interpreter's path in them.
 */
export function usesLocalResources(code: string): boolean {
  return /\$\.files\b|\bfiles\.(?:open|openDescriptor|dir)\(|\bscriptStep\(/u.test(code);
}

/** Reads each bundle once, when it is first asked for. */
export class BoundToMachine {
  readonly #components: Pick<Components, 'get'>;
  /** Undefined while it is read. */
  readonly #byHash = new Map<string, boolean | undefined>();

  constructor(components: Pick<Components, 'get'>) {
    this.#components = components;
  }

  /** Undefined while that is not known yet. */
  has(hash: string): boolean | undefined {
    if (this.#byHash.has(hash)) return this.#byHash.get(hash);
    this.#byHash.set(hash, undefined);
    this.#read(hash).then(
      (isBound) => this.#byHash.set(hash, isBound),
      // It is read again when it is asked for again.
      () => this.#byHash.delete(hash),
    );
    return undefined;
  }

  async #read(hash: string): Promise<boolean> {
    const deployment = await this.#components.get(hash);
    return (
      deployment === undefined || usesLocalResources(await readFile(deployment.bundle, 'utf8'))
    );
  }
}
