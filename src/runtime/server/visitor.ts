/** Where a request comes from, and which statements of proxies about it are trusted (pure). */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { WeirError } from '../../protocol/errors.ts';
import { forwardedIn, plainAddress, type Hop } from './forwarded.ts';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';

export interface Visitor {
  /** IP address of the caller, as far as it is known. */
  readonly address: string;
  /** It was sent by a program on this machine, and by no proxy for somebody else. */
  readonly isLocal: boolean;
  readonly protocol: 'http' | 'https';
  /** Which it asked a proxy for; undefined: the one of its request. */
  readonly host?: string;
}

export type VisitorOf = (request: IncomingMessage) => Visitor;

/** Whose statement about the original caller is trusted. */
export type Trust = (address: string) => boolean;

/** The words that `--trust-proxy` takes beside addresses. */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** @param text of `--trust-proxy`: addresses, networks such as 10.0.0.0/8, `loopback`, `private`. @throws `bad_input` */
export function parseTrust(text: string): Trust {
  const list = new BlockList();
  const parts = text.split(',').map((part) => part.trim());
  for (const part of parts.flatMap((one) => named[one] ?? [one])) {
    const [address = '', bits, ...more] = part.split('/');
    const version = isIP(address);
    const isWrong =
      version === 0 ||
      more.length > 0 ||
      (bits !== undefined &&
        (!/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)));
    if (isWrong) {
      throw new WeirError(
        'bad_input',
        `"${part}" is not an address of a proxy; --trust-proxy takes addresses and networks such as 10.0.0.0/8, separated by commas, or "loopback" or "private".`,
      );
    }
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** Headers of a proxy or a tunnel: each of them says that somebody else is the caller. */
const forwarding = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host'] as const;

/** @param trust the proxies that are trusted; headers of all others are ignored */
export function createVisitorOf(trust: Trust): VisitorOf {
  return ({ headers, socket }) => {
    const peer = plainAddress(socket.remoteAddress);
    const isEncrypted = 'encrypted' in socket && socket.encrypted === true;
    const isLocal =
      isLoopbackAddress(peer) &&
      isLoopbackHost(headers.host) &&
      !forwarding.some((name) => headers[name] !== undefined);
    if (!trust(peer)) return { address: peer, isLocal, protocol: isEncrypted ? 'https' : 'http' };
    const forwarded = forwardedIn(headers);
    const { address, at } = clientOf(peer, forwarded.hops, trust);
    const place = Math.max(0, at);
    const host = forwarded.host(place);
    return {
      address,
      isLocal,
      protocol: isEncrypted || forwarded.protocol(place) === 'https' ? 'https' : 'http',
      ...(host !== undefined && { host }),
    };
  };
}

/**
 * The nearest one that is not a proxy of ours: anybody may have invented the earlier ones.
 * @returns its place among the hops, -1 for the peer itself
 */
function clientOf(
  peer: string,
  hops: readonly Hop[],
  trust: Trust,
): { readonly address: string; readonly at: number } {
  let client = { address: peer, at: -1 };
  for (let at = hops.length - 1; at >= 0 && trust(client.address); at -= 1) {
    const address = hops[at]?.address;
    // A proxy that hides its caller cannot be distinguished from somebody who lies.
    if (address === undefined) break;
    client = { address, at };
  }
  return client;
}
