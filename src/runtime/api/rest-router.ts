/** Which handler a method and path are for; the paths are those of the catalogue, `/v1/sources/{id}`. */
import { TrieRouter } from 'hono/router/trie-router';

export interface Found<H> {
  readonly handler: H;
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** The path is there, but not for this method. */
export interface Refused {
  readonly allow: readonly string[];
}

export interface RestRouter<H> {
  add(method: string, path: string, handler: H): void;
  /** Undefined when there is nothing at this path. A slash at its end makes no difference. */
  find(method: string, path: string): Found<H> | Refused | undefined;
}

export function createRestRouter<H>(): RestRouter<H> {
  const router = new TrieRouter<Map<string, H>>();
  const byPattern = new Map<string, Map<string, H>>();
  return {
    add(method, path, handler) {
      const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
      const known = byPattern.get(pattern);
      const handlers = known ?? new Map<string, H>();
      handlers.set(method, handler);
      if (known !== undefined) return;
      byPattern.set(pattern, handlers);
      router.add('ALL', pattern, handlers);
    },
    find(method, path) {
      const [matches] = router.match('ALL', path.replace(/(?<=.)\/$/, ''));
      for (const [handlers, params] of matches) {
        const handler = handlers.get(method === 'HEAD' ? 'GET' : method);
        if (handler !== undefined) return { handler, params: decoded(params) };
      }
      if (matches.length === 0) return undefined;
      return { allow: [...new Set(matches.flatMap(([handlers]) => [...handlers.keys()]))] };
    },
  };
}

function decoded(params: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(params).map(([name, text]) => [name, decode(String(text))]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** A literal percent sign is left as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
