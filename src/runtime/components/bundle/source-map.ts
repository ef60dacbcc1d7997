import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What of a URL's reserved characters would change where a relative one leads, plain and encoded. */
const reserved = /[%#?]/;
const encodedReserved = /%(25|23|3F)/;

/**
 * esbuild writes the sources of a map as URLs, percent-encoded. Node reads them so, but the debugger
 * takes them for paths: it would look for a folder "%C3%9Cbungen". Both read characters as they are,
 * except `%`, `#` and `?`: where a path has one of these, it is a whole `file:` URL, which both decode.
 * @param folder the map's own
 */
export function withPlainSources(map: Uint8Array, folder: string): Uint8Array {
  const { sources, replaceBy } = sourcesOf(map);
  if (!sources.some((source) => source.includes('%'))) return map;
  const base = pathToFileURL(folder + sep);
  return replaceBy(
    sources.map((source) =>
      encodedReserved.test(source) ? new URL(source, base).href : decodeURIComponent(source),
    ),
  );
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
    const file = source.startsWith('file:') ? fileURLToPath(source) : resolve(folder, source);
    if (!file.startsWith(target + sep)) return source;
    const reached = link + file.slice(target.length);
    const same = await realpath(reached).catch(() => undefined);
    if (same !== file) return source;
    const plain = relative(folder, reached).replaceAll(sep, '/');
    return reserved.test(plain) ? pathToFileURL(reached).href : plain;
  };
  const { sources, replaceBy } = sourcesOf(map);
  return replaceBy(await Promise.all(sources.map(reach)));
}

interface Sources {
  readonly sources: readonly string[];
  /** The same map with other sources. */
  readonly replaceBy: (sources: readonly string[]) => Uint8Array;
}

const before = '"sources": ';
/** No text of a JSON document has a line break in it, so nothing but the key itself looks so. */
const after = ',\n  "sourcesContent": ';

/**
 * The sources are cut out of the map as esbuild writes it: beside the texts of all files, which make
 * a map megabytes large, they are next to nothing to parse.
 */
function sourcesOf(map: Uint8Array): Sources {
  const bytes = Buffer.from(map.buffer, map.byteOffset, map.byteLength);
  const start = bytes.indexOf(before) + before.length;
  const end = bytes.indexOf(after, start);
  if (start < before.length || end === -1) {
    throw new Error('esbuild wrote a source map of a form that is not known.');
  }
  return {
    sources: JSON.parse(bytes.toString('utf8', start, end)) as string[],
    replaceBy: (sources) =>
      Buffer.concat([
        bytes.subarray(0, start),
        Buffer.from(JSON.stringify(sources)),
        bytes.subarray(end),
      ]),
  };
}

/** `/a/link/x.ts` and `/b/x.ts` → `/a/link` and `/b`. */
function withoutCommonEnd(given: string[], real: string[]): [string, string] {
  while (given.length > 1 && real.length > 1 && given.at(-1) === real.at(-1)) {
    given.pop();
    real.pop();
  }
  return [given.join(sep), real.join(sep)];
}
