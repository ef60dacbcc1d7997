/** Returns the URL that requests for a host go to instead, as `redirects` of the `load` message says. */
export type FindTarget = (
  host: string,
  port?: number | string,
  /** Method of an HTTP request; undefined if its connection continues with another protocol (`Upgrade`). */
  method?: string,
) => URL | undefined;

/**
 * Looks a host up: `name:port` first, then `name`, then the longest `*.` wildcard, then `*`.
 * Wildcards match subdomains, not the domain itself. Case does not matter.
 */
export function targets(redirects: Readonly<Record<string, string>>): FindTarget {
  const exact = new Map<string, URL>();
  const suffixes: [suffix: string, target: URL][] = [];
  for (const [host, url] of Object.entries(redirects)) {
    const name = host.toLowerCase();
    if (name.startsWith('*')) suffixes.push([name.slice(1), new URL(url)]);
    else exact.set(name, new URL(url));
  }
  suffixes.sort(([a], [b]) => b.length - a.length);
  return (host, port) => {
    const name = host.toLowerCase().replace(/\.$/, '');
    return (
      exact.get(`${name}:${port ?? ''}`) ??
      exact.get(name) ??
      suffixes.find(([suffix]) => name.endsWith(suffix))?.[1]
    );
  };
}
