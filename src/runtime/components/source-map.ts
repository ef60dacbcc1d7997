import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';

/** What of a URL's reserved characters would change where a relative one leads. */
const reserved = /%(25|23|3F)/g;

/**
 * esbuild writes the sources of a map as URLs, percent-encoded. Node reads them so, but the debugger
 * takes them for paths: it would look for a folder "%C3%9Cbungen". Both read characters as they are,
 * except `%`, `#` and `?`, which stay encoded.
 */
export function withPlainSources(map: Uint8Array): Uint8Array {
  const parsed = JSON.parse(Buffer.from(map).toString('utf8')) as { sources: string[] };
  if (!parsed.sources.some((source) => source.includes('%'))) return map;
  const sources = parsed.sources.map((source) =>
    decodeURIComponent(source.replaceAll(reserved, '%25$1')),
  );
  return Buffer.from(JSON.stringify({ ...parsed, sources }));
}

/**
 * A file that is reached through a symbolic link is named as it was reached, with what lies beside it:
 * that is the path the editor has it open under.
 * @param folder the map's own
 * @param given the component's file as it was named
 * @param real the same file, links followed
 */
export async function withSourcesAsReached(
  map: Uint8Array,
  folder: string,
  given: string,
  real: string,
): Promise<Uint8Array> {
  if (given === real) return map;
  const [link, target] = withoutCommonEnd(given.split(sep), real.split(sep));
  const reach = async (source: string): Promise<string> => {
    const file = resolve(folder, source);
    if (!file.startsWith(target + sep)) return source;
    const reached = link + file.slice(target.length);
    const same = await realpath(reached).catch(() => undefined);
    return same === file ? relative(folder, reached).replaceAll(sep, '/') : source;
  };
  const parsed = JSON.parse(Buffer.from(map).toString('utf8')) as { sources: string[] };
  const sources = await Promise.all(parsed.sources.map(reach));
  return Buffer.from(JSON.stringify({ ...parsed, sources }));
}

/** `/a/link/x.ts` and `/b/x.ts` → `/a/link` and `/b`. */
function withoutCommonEnd(given: string[], real: string[]): [string, string] {
  while (given.length > 1 && real.length > 1 && given.at(-1) === real.at(-1)) {
    given.pop();
    real.pop();
  }
  return [given.join(sep), real.join(sep)];
}
