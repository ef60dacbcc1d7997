/** Requests at a node that follows: those for endpoints of sources and workflows are taken in here, all others are passed on. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Forwarding, forwardRequest, forwardUpgrade } from '../cluster/forward.ts';
import { isForEndpoint, originForm, readTarget } from '../server/incoming-request.ts';
import { createLingering } from '../server/lingering.ts';
import { createListener } from '../server/listener.ts';
import { type OnRequested, watchRequest } from '../server/requested.ts';
import { flagsOf } from '../events/triggers/http/request-flags.ts';
import { parseTarget } from '../events/triggers/http/route.ts';
import { createEventEndpoints, type EventEndpointsOptions } from './event-endpoints.ts';

export interface FollowerEndpointsOptions extends Omit<EventEndpointsOptions, 'files'> {
  /** IP address of the caller. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Gets each request that was answered here; undefined while nobody needs it. */
  readonly onRequested: () => OnRequested | undefined;
  /** Key of the channel between nodes. */
  readonly key: Buffer;
  /** `HOST:PORT` of the leader; undefined while there is none. */
  readonly leader: () => string | undefined;
  /** Everything is, for as long as what is known here may be old. */
  readonly isPassedOn: () => boolean;
}

export interface FollowerEndpoints {
  /** @returns false when the target of its first request is no endpoint of a source or workflow */
  take(socket: Socket, by: 'local' | 'outside', target: string): boolean;
  /** Waiting callers keep waiting; all further requests are forwarded. */
  leave(): void;
  /** Somebody is connected still. */
  readonly hasCallers: boolean;
  /** Ends every connection, after `leave`: those where somebody waits for an answer in so long. */
  close(graceMs: number): Promise<void>;
}

/** In ms. */
const idleCheckMs = 50;

export function createFollowerEndpoints(options: FollowerEndpointsOptions): FollowerEndpoints {
  const { clock } = options;
  const endpoints = createEventEndpoints(options);
  const lingering = createLingering(clock);
  const sockets = new Set<Socket>();
  let hasLeft = false;

  /** App hooks and files are served by the leader. */
  const isForHere = (url: string, headers: Parameters<typeof flagsOf>[0]): boolean => {
    if (hasLeft || options.isPassedOn() || !isForEndpoint(url)) return false;
    const { id, query } = parseTarget(url);
    return endpoints.endpoint(id) !== undefined && !flagsOf(headers, query).uploadBody;
  };
  const elapsed = (): number => clock.elapsed();
  const emitterOf = (url: string): string | undefined =>
    endpoints.endpoint(parseTarget(url).id)?.emitterId;
  const serve = (by: 'local' | 'outside') => {
    const forwarding: Forwarding = { ...options, by };
    const http = createListener(undefined);
    // It listens nowhere, and would give its callers all the time in the world without this.
    http.emit('listening');
    http.on('request', (request, response) => {
      readTarget(request);
      if (hasLeft) response.shouldKeepAlive = false;
      if (isForHere(request.url ?? '/', request.headers)) {
        const onRequested = options.onRequested();
        if (onRequested !== undefined) {
          const address = options.addressOf(request);
          watchRequest(request, response, { address, elapsed, emitterOf, onRequested });
        }
        endpoints.handle(request, response, lingering.refuse);
      } else forwardRequest(forwarding, request, response);
    });
    http.on('upgrade', (request, socket, head) =>
      forwardUpgrade(forwarding, request, socket, head),
    );
    return http;
  };
  const listeners = { local: serve('local'), outside: serve('outside') };
  const closeIdle = (): void => {
    lingering.endAll();
    for (const http of Object.values(listeners)) http.closeIdleConnections();
  };
  const pause = (): Promise<void> =>
    new Promise((resolve) => void clock.after(idleCheckMs, () => resolve()));
  return {
    take(socket, by, target) {
      if (!isForHere(originForm(target).url, {})) return false;
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      listeners[by].emit('connection', socket);
      // It was paused when its first bytes were looked at, which are read again now.
      socket.resume();
      return true;
    },
    get hasCallers() {
      return sockets.size > 0;
    },
    leave() {
      // A connection that looks idle may have a request on its way, which closing would cut: it ends with its next answer.
      hasLeft = true;
    },
    async close(graceMs) {
      const begun = clock.elapsed();
      // Nothing tells when a connection has become idle.
      while (sockets.size > 0 && clock.elapsed() - begun < graceMs) {
        closeIdle();
        await pause();
      }
      lingering.endAll();
      for (const http of Object.values(listeners)) http.close();
      for (const socket of sockets) socket.destroy();
      // The metrics include requests that were cut off.
      while (sockets.size > 0) await pause();
    },
  };
}
