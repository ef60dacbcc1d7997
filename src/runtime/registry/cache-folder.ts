import { isAbsolute, join } from 'node:path';

/** `$XDG_CACHE_HOME/weir`, else `~/.cache/weir`. The XDG standard ignores a relative path. */
export function cacheFolder(place: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}): string {
  const configured = place.env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(configured) ? configured : join(place.home, '.cache'), 'weir');
}
