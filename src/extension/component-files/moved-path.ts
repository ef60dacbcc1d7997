/** The new path of a file after something was renamed (pure). */
import path from 'node:path';

/**
 * @param before the old path of what was renamed: a file, or a folder above one
 * @returns undefined for a file that the renaming does not concern
 */
export function movedPath(file: string, before: string, after: string): string | undefined {
  if (file === before) return after;
  const inside = path.relative(before, file);
  const isBelow = inside.split(path.sep)[0] !== '..' && !path.isAbsolute(inside);
  return isBelow ? path.join(after, inside) : undefined;
}
