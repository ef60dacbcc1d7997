/** Who can reach the runtime, and how: the outcome of the options of `weir serve` about it (pure). */
import type { IncomingMessage } from 'node:http';
import { WeirError } from '../../protocol/errors.ts';
import { isLoopbackAddress, isWildcard } from './loopback.ts';
import { bareHost, listenAddress, type Names, noNames } from './policy.ts';
import { plainAddress } from './forwarded.ts';
import { createVisitorOf, parseTrust, type VisitorOf } from './visitor.ts';
import type { CertificateFiles } from './certificate.ts';

export interface ListenFlags {
  readonly host?: string | undefined;
  readonly publicUrl?: string | undefined;
  /** Further names under which others ask. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  /** The proxies that are believed, see `parseTrust`. */
  readonly trustProxy?: string | undefined;
  /** Without TLS although nobody else adds it. */
  readonly plainHttp?: boolean | undefined;
}

export interface ListenOptions {
  /** Host that only this machine can reach. */
  readonly localHost: string | undefined;
  readonly names: Names;
  readonly visitorOf: VisitorOf;
  /** Callers from elsewhere come in, through the listener for them or through a proxy on this machine. */
  readonly isOpen: boolean;
  readonly outside:
    | {
        readonly host: string;
        readonly tls: CertificateFiles | undefined;
        readonly refuse: (request: IncomingMessage) => WeirError | undefined;
      }
    | undefined;
  /** Warnings for the person who starts it. */
  readonly warnings: readonly string[];
}

/** @throws WeirError `bad_input` saying which options do not go together */
export function resolveListenOptions(options: ListenFlags, hasKeys: boolean): ListenOptions {
  const { host, publicUrl, allowHosts = [], trustProxy, plainHttp = false } = options;
  const tls = tlsOf(options);
  const { address, isLoopback } = listenAddress(host ?? '127.0.0.1');
  const trust = trustProxy === undefined ? () => false : parseTrust(trustProxy);
  const isOpen = !isLoopback || trustProxy !== undefined;
  const names = isOpen
    ? { hosts: new Set([...hostOf(publicUrl), ...allowHosts.map((name) => bareHost(name))]) }
    : noNames;
  if (!isOpen && allowHosts.length > 0) {
    throw new WeirError(
      'bad_input',
      '--allow-host is for callers from elsewhere: give --host or --trust-proxy as well.',
    );
  }
  const common = { names, isOpen, visitorOf: createVisitorOf(trust) };
  if (isLoopback) {
    if (tls !== undefined) {
      throw new WeirError(
        'bad_input',
        '--tls-cert and --tls-key are for callers from other machines: give --host as well, such as --host 0.0.0.0.',
      );
    }
    return { ...common, localHost: host, outside: undefined, warnings: [] };
  }
  if (!hasKeys) {
    throw new WeirError(
      'bad_input',
      `With --host ${address} other machines reach this runtime, and nobody there has a key yet: make one first, with "weir keys add NAME --scope deploy".`,
    );
  }
  if (tls === undefined && trustProxy === undefined && !plainHttp) {
    throw new WeirError(
      'bad_input',
      `With --host ${address} keys and events would cross the network in clear: give --tls-cert and --tls-key, or --trust-proxy with the address of a proxy that adds TLS. --plain-http does without, for a network that is encrypted itself, such as a VPN.`,
    );
  }
  const warnings = [
    ...(publicUrl === undefined && isWildcard(address)
      ? [
          'URLs of endpoints begin with the address of this machine only, as --public-url does not say what others call it.',
        ]
      : []),
    ...(tls === undefined && trustProxy === undefined
      ? ['Keys and events cross the network in clear, as --plain-http asks for it.']
      : []),
  ];
  /** Without TLS of its own: past the proxy keys would go in clear. */
  const refuse = ({ socket }: IncomingMessage): WeirError | undefined => {
    const peer = plainAddress(socket.remoteAddress);
    // A request from this machine crosses no network.
    if (tls !== undefined || plainHttp || isLoopbackAddress(peer) || trust(peer)) return undefined;
    return new WeirError(
      'forbidden',
      'This runtime takes requests from its proxy only; use the URL of the proxy, or name this address in --trust-proxy if it is one.',
    );
  };
  return { ...common, localHost: undefined, outside: { host: address, tls, refuse }, warnings };
}

function tlsOf({ tlsCert, tlsKey }: ListenFlags): CertificateFiles | undefined {
  if (tlsCert !== undefined && tlsKey !== undefined) return { cert: tlsCert, key: tlsKey };
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  const missing = tlsCert === undefined ? '--tls-cert' : '--tls-key';
  throw new WeirError(
    'bad_input',
    `${missing} is missing: TLS takes a certificate and its key, both as files in PEM.`,
  );
}

function hostOf(url: string | undefined): string[] {
  return url === undefined ? [] : [bareHost(new URL(url).host)];
}
