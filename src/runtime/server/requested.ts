/** What is told of a request that has ended: never a query, a header or a body, which may hold secrets. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isForEndpoint } from './incoming-request.ts';

export interface Requested {
  /** `RPC` for a call over the socket. */
  readonly method: string;
  /** Of the API; the name of the operation over RPC; `/h/` of an endpoint, whose address is a secret. */
  readonly path: string;
  /** The caller went away before it was answered: 499. */
  readonly status: number;
  readonly ms: number;
  /** Name of the key. */
  readonly key: string | undefined;
  /** IP address of the caller. */
  readonly address: string;
  /** Of an endpoint: the source or workflow. */
  readonly emitter?: string | undefined;
}

export type OnRequested = (requested: Requested) => void;

/** What `watchRequest` is told of the request while it goes on. */
export interface Watched {
  key?: string;
}

/** Calls back when the answer has gone out, or the caller has. */
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
      path: isEndpoint ? '/h/' : (url.split('?')[0] ?? '/'),
      status: response.headersSent ? response.statusCode : 499,
      ms: Math.round((elapsed() - from) * 10) / 10,
      key: watched.key,
      address,
      ...(isEndpoint && { emitter: emitterOf(url) }),
    });
  });
  return watched;
}
