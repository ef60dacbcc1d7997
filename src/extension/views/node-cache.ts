import type { Folder } from '../connection/folder.ts';

/** VS Code knows a row by the object it stands for: one resource, one object, however often it changes. */
export class NodeCache<N extends { readonly folder: Folder }> {
  readonly #nodes = new Map<string, N>();

  get(id: string): N | undefined {
    return this.#nodes.get(id);
  }

  /** The row of a resource, with what is known of it now. */
  put(id: string, node: N): N {
    const known = this.#nodes.get(id);
    if (known === undefined || known.folder !== node.folder) {
      this.#nodes.set(id, node);
      return node;
    }
    return Object.assign(known, node);
  }
}
