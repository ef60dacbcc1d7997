/** What proxies say about the caller, in the common spellings (pure): `X-Forwarded-*` and RFC 7239. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** One of the proxies that forwarded a request, as the next one saw it. */
export interface Hop {
  /** IP address without port and brackets; undefined for `unknown` and names that hide one. */
  readonly address: string | undefined;
}

export interface Forwarded {
  /** The caller first, as far as the first one is believed. */
  readonly hops: readonly Hop[];
  /**
   * @param at which of `hops` asks; undefined: the first
   * @returns what that one asked over
   */
  protocol(at?: number): 'http' | 'https' | undefined;
  /** @returns the host that it asked for; undefined for what is no host */
  host(at?: number): string | undefined;
}

/** `X-Forwarded-For` counts where both are given: proxies that know `Forwarded` alone are few. */
export function forwardedIn(headers: IncomingHttpHeaders): Forwarded {
  const elements = elementsOf(textOf(headers.forwarded));
  const chain = listOf(headers['x-forwarded-for']);
  const isOld = chain.length > 0;
  const hops = (isOld ? chain : elements.flatMap((one) => one.get('for') ?? [])).map((text) => ({
    address: addressIn(text),
  }));
  const valuesOf = (header: string, name: string): readonly string[] => {
    const values = listOf(headers[header]);
    return values.length > 0 ? values : elements.flatMap((one) => one.get(name) ?? []);
  };
  // Each proxy adds one of each, or the first one does for all.
  const chosen = (values: readonly string[], at: number): string | undefined =>
    values.length === hops.length ? values[at] : values[0];
  return {
    hops,
    protocol(at = 0) {
      const said = chosen(valuesOf('x-forwarded-proto', 'proto'), at)?.toLowerCase();
      return said === 'https' || said === 'http' ? said : undefined;
    },
    host(at = 0) {
      const said = chosen(valuesOf('x-forwarded-host', 'host'), at);
      return said !== undefined && isHost(said) ? said : undefined;
    },
  };
}

/** Whether a `Host` is one: a name or an address, with a port or not. */
export function isHost(host: string): boolean {
  return /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host);
}

/** `1.2.3.4`, `1.2.3.4:5678`, `[2001:db8::1]:443`, quoted or not; IPv4 as itself where it is mapped to IPv6. */
export function addressIn(text: string): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const address = (/^\[([^\]]*)\](?::\w+)?$/.exec(bare) ?? /^([^:]+):\w+$/.exec(bare))?.[1] ?? bare;
  return isIP(address) === 0 ? undefined : plainAddress(address);
}

/** IPv4 as itself, also where a socket for both families writes `::ffff:127.0.0.1`. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : (header?.join(',') ?? '');
}

function listOf(header: string | string[] | undefined): string[] {
  return textOf(header)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** `for="[2001:db8::1]:443";proto=https, for=10.0.0.1`: the parameters of each element. */
function elementsOf(header: string): Map<string, string>[] {
  const elements: Map<string, string>[] = [new Map()];
  for (const [, name, quoted, token, end] of header.matchAll(
    /\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))\s*([;,]|$)/g,
  )) {
    elements
      .at(-1)
      ?.set((name ?? '').toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '');
    if (end === ',') elements.push(new Map());
  }
  return elements;
}
