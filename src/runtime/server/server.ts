/**
 * The one listener. `/h/<id>…` goes straight to the endpoints, with any Host: they are public by
 * nature (tunnels). Everything else is for programs on this machine that know the API key.
 */
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { rpcPath } from '../../protocol/rpc.ts';
import { WeirError } from '../../protocol/errors.ts';
import { type Clock, systemClock } from '../clock.ts';
import { IncomingRequest, isForEndpoint, readTarget } from './incoming-request.ts';
import { createLingering, type Lingering, type Refuse } from './lingering.ts';
import { createKeyCheck, listenAddress, refuseBrowser, refuseForeign } from './policy.ts';
import { bind, type PortChoice } from './port.ts';
import { presentable, refuseUpgrade, sendError } from './reply.ts';

/** `refuse` is how it answers when the body is not read to its end. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
) => void | Promise<void>;

export interface ServerOptions {
  /** A loopback address; 127.0.0.1 unless said. */
  readonly host?: string;
  readonly port?: PortChoice;
  readonly apiKey: string;
  /** The system's unless said. */
  readonly clock?: Pick<Clock, 'after'>;
  /** `/h/…`: the hot path, nothing stands before it. */
  readonly endpoint: RequestHandler;
  /** Everything else: from this machine, with the key (`/v1/health` without it). */
  readonly api: RequestHandler;
  /** A WebSocket handshake at `/rpc` that passed the same checks. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Why the API takes nothing more: the runtime is about to end. Endpoints go on until `close`. */
  readonly ending?: () => WeirError | undefined;
  readonly warn: (message: string) => void;
  /** Told of every error that a handler throws, which the caller only sees as "internal". */
  readonly report: (where: string, error: unknown) => void;
}

export interface Server {
  readonly port: number;
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Accepts nothing new, lets requests in flight end for at most `graceMs`, then cuts them off. */
  close(graceMs?: number): Promise<void>;
}

const healthPath = '/v1/health';

/** Throws `bad_input` for a host that is not loopback, `conflict` for an asked port that is taken. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const address = listenAddress(options.host ?? '127.0.0.1');
  const http = createHttpServer({ keepAliveTimeout: 65_000, IncomingMessage: IncomingRequest });
  // A caller that has said all it has to say still reads.
  Object.assign(http, { httpAllowHalfOpen: true });
  const clock = options.clock ?? systemClock;
  const lingering = createLingering(clock);
  const refuseKeyless = createKeyCheck(options.apiKey);

  http.on('request', (request, response) => {
    readTarget(request);
    const url = request.url ?? '/';
    if (isForEndpoint(url)) {
      run(options.endpoint, request, response);
      return;
    }
    endWithCaller(request, response);
    const open = url === healthPath || url.startsWith(`${healthPath}?`);
    const refused =
      refuseForeign(request.headers) ??
      options.ending?.() ??
      (open ? undefined : refuseKeyless(request.headers.authorization));
    if (refused === undefined) run(options.api, request, response);
    else sendError(response, refused);
  });

  // `closeAllConnections` knows nothing of sockets that were upgraded.
  const upgraded = new Set<Duplex>();
  http.on('upgrade', (request, socket, head) => {
    upgraded.add(socket);
    socket.on('close', () => upgraded.delete(socket));
    // A peer that goes away during the handshake is not an error of ours.
    socket.on('error', () => socket.destroy());
    readTarget(request);
    const path = request.url?.split('?')[0];
    const refused =
      refuseForeign(request.headers) ??
      refuseBrowser(request.headers) ??
      refuseKeyless(request.headers.authorization) ??
      options.ending?.() ??
      (path === rpcPath ? undefined : noSocketAt(path));
    if (refused === undefined) options.upgrade(request, socket, head);
    else refuseUpgrade(socket, refused);
  });

  function run(handler: RequestHandler, request: IncomingMessage, response: ServerResponse): void {
    const failed = (error: unknown): void => {
      if (!WeirError.is(error)) options.report(`${request.method} ${pathOf(request)}`, error);
      sendError(response, presentable(error));
    };
    try {
      handler(request, response, lingering.refuse)?.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  const port = await bind(http, address, options.port ?? {}, options.warn);
  const shown = address.includes(':') ? `[${address}]` : address;
  return {
    port,
    url: `http://${shown}:${port}`,
    close: (graceMs) => close({ http, lingering, upgraded, clock }, graceMs),
  };
}

/**
 * Of the API a caller that sends nothing more has gone: what it asked for is cancelled, its stream ends.
 * Programs that are killed say no more than that.
 */
function endWithCaller({ socket }: IncomingMessage, response: ServerResponse): void {
  const end = (): void => void socket.end();
  socket.once('end', end);
  response.once('close', () => socket.off('end', end));
}

/** Without the query: it may hold a secret, and this goes to a log. */
function pathOf(request: IncomingMessage): string {
  return request.url?.split('?')[0] ?? '/';
}

interface Open {
  readonly http: HttpServer;
  readonly lingering: Lingering;
  readonly upgraded: ReadonlySet<Duplex>;
  readonly clock: Pick<Clock, 'after'>;
}

function noSocketAt(path: string | undefined): WeirError {
  return new WeirError('not_found', `There is no WebSocket at ${path}; connect to ${rpcPath}.`);
}

/** How often a closing server looks for connections that have become idle, in ms. */
const idleCheckMs = 50;

function close({ http, lingering, upgraded, clock }: Open, graceMs = 2000): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is kept alive stays open after its last answer, and no event tells.
    const closeIdle = (): void => {
      lingering.endAll();
      http.closeIdleConnections();
      stopLooking = clock.after(idleCheckMs, closeIdle);
    };
    let stopLooking = clock.after(idleCheckMs, closeIdle);
    const cancelCut = clock.after(graceMs, () => {
      http.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
    });
    http.close(() => {
      stopLooking();
      cancelCut();
      resolve();
    });
  });
}
