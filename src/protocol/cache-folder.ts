import { isAbsolute, join } from 'node:path';

export interface UserFolders {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** `$XDG_CACHE_HOME/weir`, else `~/.cache/weir`. The XDG standard ignores a relative path. */
export function cacheFolder({ env, home }: UserFolders): string {
  const configured = env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(configured) ? configured : join(home, '.cache'), 'weir');
}

/**
 * The folder where Node caches V8's compiled code of the runtime: with it a start takes 0.8 s of CPU instead of 1.3 s.
 * A folder that cannot be written is not an error, and outdated content is ignored.
 */
export function compiledFolder(place: UserFolders): string {
  return join(cacheFolder(place), 'compiled');
}
