/** A folder of this machine, or of one that it shares files with, as a registry. */
import { stat } from 'node:fs/promises';
import { WeirError } from '../../../protocol/errors.ts';
import { TreeRegistry } from '../tree-registry.ts';
import { folderTree } from './folder-tree.ts';

/** @param folder absolute */
export function folderRegistry(name: string, folder: string): TreeRegistry {
  return new TreeRegistry({
    source: 'folder',
    name,
    place: folder,
    async snapshot(signal) {
      const found = await stat(folder).catch(() => undefined);
      if (found?.isDirectory() !== true) {
        throw new WeirError('registry_failed', `There is no folder ${folder}.`);
      }
      return { commit: undefined, tree: await folderTree(folder, signal) };
    },
    history: () => Promise.resolve([]),
  });
}
