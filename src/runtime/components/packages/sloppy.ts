import { resolve } from 'node:path';
import type { Message } from 'esbuild';
import { WeirError } from '../../../protocol/errors.ts';
import { packageOf } from './node-modules.ts';

/**
 * Packages that only work as sloppy CommonJS. A bundle is a module, whose code is strict: there an
 * assignment to a variable nobody declared throws, and `with` does not even compile. Such a package
 * stays outside of bundles, where Node runs it as it was written.
 */
export class SloppyPackages {
  readonly #folders = new Set<string>();

  /** The real folders of those that are known. */
  get folders(): ReadonlySet<string> {
    return this.#folders;
  }

  /**
   * @param workingFolder what the paths of the messages are relative to
   * @returns the errors that are not about strict mode in a package
   */
  learnFromErrors(errors: readonly Message[], workingFolder: string): Message[] {
    return errors.filter(({ text, location }) => {
      if (location === null || !text.endsWith('due to strict mode')) return true;
      const owner = packageOf(resolve(workingFolder, location.file));
      if (owner !== undefined) this.#folders.add(owner.folder);
      return owner === undefined;
    });
  }

  /** @returns true when a bundle without the package may load where this one did not */
  learnFromLoad(error: unknown): boolean {
    if (!WeirError.is(error, 'bad_component')) return false;
    const [detail] = error.details ?? [];
    if (detail?.file === undefined || !/^ReferenceError: .+ is not defined$/.test(detail.message)) {
      return false;
    }
    const owner = packageOf(detail.file);
    if (owner === undefined || this.#folders.has(owner.folder)) return false;
    this.#folders.add(owner.folder);
    return true;
  }
}
