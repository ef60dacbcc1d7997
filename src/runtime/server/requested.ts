/** The facts about a completed request: never a query, a header or a body, which may hold secrets. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { endpointPrefix, isForEndpoint } from './incoming-request.ts';

export interface Requested {
  /** `RPC` for a call over the socket. */
  readonly method: string;
  /** Path of the API; the name of the operation over RPC; `/h/` for an endpoint, whose address is a secret. */
  readonly path: string;
  /** The caller went away before it was answered: 499. */
  readonly status: number;
  readonly ms: number;
  /** Name of the key. */
  readonly key: string | undefined;
  /** IP address of the caller. */
  readonly address: string;
  /** For an endpoint: the source or workflow. */
  readonly emitter?: string | undefined;
}

export type OnRequested = (requested: Requested) => void;

/** Facts that are added to a request while it runs. */
export interface Watched {
  key?: string;
}

/**
 * The loggable path of a target. A request with a misspelled endpoint gets 404, but contains the secret address: any
 * spelling that a proxy or a client may make of it is shown as `/h/`.
 */
export function shownPath(target: string): string {
  const path = target.split(/[?#]/, 1)[0] ?? '/';
  const plain = decoded(decoded(path)).replaceAll('\\', '/').toLowerCase();
  const hasAddress =
    /(?:^|\/)h(?:\/|$)/.test(plain) ||
    /(?:^|[^a-z0-9])(?:hi|p|resume|stream)_[0-9a-z]{6}/.test(plain);
  const isApi = plain.startsWith('/v1/') && !/\/\.\.?(?:\/|$)/.test(plain);
  return hasAddress && !isApi ? endpointPrefix : path;
}

function decoded(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Calls back when the answer was sent, or the caller has disconnected. */
export function watchRequest(
  request: IncomingMessage,
  response: ServerResponse,
  {
    address,
    elapsed,
    emitterOf,
    onRequested,
  }: {
    readonly address: string;
    readonly elapsed: () => number;
    readonly emitterOf: (url: string) => string | undefined;
    readonly onRequested: OnRequested;
  },
): Watched {
  const from = elapsed();
  const { method = 'GET', url = '/' } = request;
  const watched: Watched = {};
  response.on('close', () => {
    const isEndpoint = isForEndpoint(url);
    onRequested({
      method,
      path: shownPath(url),
      status: response.headersSent ? response.statusCode : 499,
      ms: Math.round((elapsed() - from) * 10) / 10,
      key: watched.key,
      address,
      ...(isEndpoint && { emitter: emitterOf(url) }),
    });
  });
  return watched;
}
