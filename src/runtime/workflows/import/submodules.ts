/** The git submodules of what is imported: Weir fetches none, since each comes from another place. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { repositoryOf } from '../lifecycle/workspace-components.ts';

/**
 * Returns the submodules below a folder that have no files.
 * @param folder absolute path of a repository, or of a folder of one
 * @returns paths relative to the folder, with "/"
 */
export async function missingSubmodules(folder: string): Promise<string[]> {
  const missing = new Set<string>();
  for (const root of new Set([folder, await repositoryOf(folder)])) {
    const text = await readFile(join(root, '.gitmodules'), 'utf8').catch(() => '');
    for (const path of pathsIn(text)) {
      const at = resolve(root, path);
      const inside = relative(folder, at).replaceAll('\\', '/');
      if (inside === '' || inside.startsWith('..')) continue;
      const entries = await readdir(at).catch((): string[] => []);
      if (entries.length === 0) missing.add(inside);
    }
  }
  return [...missing].sort();
}

/** Git quotes a path with special characters. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(([, path = '']) =>
    path.replace(/^"(.*)"$/, '$1'),
  );
}
