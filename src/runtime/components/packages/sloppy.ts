import { resolve } from 'node:path';
import type { Message } from 'esbuild';
import { WeirError } from '../../../protocol/errors.ts';
import { packageOf } from './node-modules.ts';

/**
 * Packages that only work as sloppy CommonJS, and those with files that are not JavaScript. A bundle is a module, whose
 * code is strict: there an assignment to a variable nobody declared throws, and `with` does not even compile. Others
 * are there because npm installs what a package may use elsewhere: their Flow or JSX is never loaded. Such a package
 * stays outside of bundles, where Node runs it as it was written, if at all.
 */
export class SloppyPackages {
  readonly #folders = new Set<string>();

  /** The real folders of the known packages. */
  get folders(): ReadonlySet<string> {
    return this.#folders;
  }

  /**
   * @param workingFolder what the paths of the messages are relative to
   * @param ownImports names of packages that the component itself imports
   * @returns the errors that are not about files of a package that is bundled
   */
  learnFromErrors(
    errors: readonly Message[],
    workingFolder: string,
    ownImports: ReadonlySet<string>,
  ): Message[] {
    const entry = packageOf(resolve(workingFolder, 'entry'))?.folder;
    const known = new Set(this.#folders);
    return errors.filter(({ text, location }) => {
      // A name that is not there is missing outside of a bundle, too.
      if (location === null || /^(?:Could not resolve|No matching export)/.test(text)) return true;
      const owner = packageOf(resolve(workingFolder, location.file));
      if (owner === undefined || owner.folder === entry || known.has(owner.folder)) return true;
      // Node would not load it either, and says less of where it is wrong.
      if (!text.endsWith('due to strict mode') && ownImports.has(owner.name)) return true;
      this.#folders.add(owner.folder);
      return false;
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
