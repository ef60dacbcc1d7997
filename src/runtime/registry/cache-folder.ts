import { realpathSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';

/** `$XDG_CACHE_HOME/weir`, else `~/.cache/weir`. The XDG standard ignores a relative path. */
export function cacheFolder(place: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}): string {
  const configured = place.env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(configured) ? configured : join(place.home, '.cache'), 'weir');
}

/** Whether a file lies in a folder, also when that is reached by a link. @param path absolute, with links followed or not */
export function isInFolder(folder: string, path: string): boolean {
  if (path.startsWith(folder + sep)) return true;
  try {
    return path.startsWith(realpathSync(folder) + sep);
  } catch {
    return false;
  }
}
