/**
 * The listeners. `/h/<id>…` goes straight to the endpoints, with any Host: they are public by nature (tunnels).
 * Everything else is for programs with a key. One listener is for this machine alone; another one, for callers
 * from elsewhere, is there when it is asked for.
 */
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { rpcPath } from '../../protocol/rpc.ts';
import { WeirError } from '../../protocol/errors.ts';
import { ambiguousHead } from './ambiguous-head.ts';
import { type Caller, localCaller, nobody } from './access/caller.ts';
import { createInFlight } from './access/in-flight.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Certificate } from './certificate.ts';
import { isForEndpoint, isForSigner, readTarget, signerPrefix } from './incoming-request.ts';
import { createLingering, type Refuse } from './lingering.ts';
import { closeListener, createListener } from './listener.ts';
import {
  createKeyCheck,
  type KeyCheckOptions,
  listenAddress,
  type Names,
  noNames,
  refuseBrowser,
  refuseForeign,
} from './policy.ts';
import { bind, type PortChoice } from './port.ts';
import { answerHealth, type Health, isForHealth } from './health.ts';
import type { RateLimit } from './rate-limit.ts';
import { presentable, refuseUpgrade, sendError, tooManyRequests } from './reply.ts';
import { type OnRequested, type Watched, watchRequest } from './requested.ts';
import { plainAddress } from './forwarded.ts';
import { createVisitorOf, type Visitor, type VisitorOf } from './visitor.ts';
import type { BaseServices } from '../base/services.ts';

/** `refuse` is how it answers when the body is not read to its end. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
) => void | Promise<void>;

/** An API handler that needs to know the caller. */
export type ApiHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
  caller: Caller,
) => void | Promise<void>;

export interface OutsideOptions {
  /** An IP address, 0.0.0.0 for all of them. */
  readonly host: string;
  readonly port: PortChoice;
  /** Undefined: plain HTTP. */
  readonly certificate?: Certificate | undefined;
  /** Why a request is not taken that comes in here, such as one that went past the proxy. */
  readonly refuse?: ((request: IncomingMessage) => WeirError | undefined) | undefined;
}

export interface ServerOptions extends KeyCheckOptions, Pick<BaseServices, 'report'> {
  /** A loopback address; 127.0.0.1 unless given. */
  readonly host?: string;
  readonly port?: PortChoice;
  readonly outside?: OutsideOptions | undefined;
  /** Only loopback names unless given. */
  readonly names?: Names;
  /** Trusts no proxy unless given. */
  readonly visitorOf?: VisitorOf;
  /** The system's unless given. */
  readonly clock?: Pick<Clock, 'after' | 'elapsed'>;
  /** Whether it may get requests; true unless given. */
  readonly health?: Health;
  /** Limit of named keys; none unless given. */
  readonly keyLimit?: RateLimit;
  /** Gets each completed request; read at each request, because it may be set later. */
  readonly onRequested?: OnRequested | undefined;
  /** Whose endpoint a path `/h/…` is, for `onRequested`. */
  readonly emitterOf?: (url: string) => string | undefined;
  /** `/h/…`: the hot path, so nothing is before it. */
  readonly endpoint: RequestHandler;
  /** Everything else, with a key (`/v1/health` without one). */
  readonly api: ApiHandler;
  /** `/oauth1/sign/…`: for components of this machine, which have no key. */
  readonly signer?: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** A WebSocket handshake at `/rpc` that passed the same checks. */
  readonly upgrade: (
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    caller: Caller,
    visitor: Visitor,
  ) => void;
  /** Why the API accepts nothing more: the runtime is about to end. Endpoints continue until `close`. */
  readonly ending?: () => WeirError | undefined;
  readonly warn: (message: string) => void;
}

export interface Listening {
  readonly port: number;
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
}

export interface Server extends Listening {
  /** Listener for callers from elsewhere. */
  readonly outside: Listening | undefined;
  /** Serves a connection that another process has taken. @returns false where there is no such listener */
  take(socket: Duplex, by: 'local' | 'outside'): boolean;
  /** Ends the requests in flight of a caller whose key was removed. */
  endOf(caller: Caller): void;
  /** Accepts nothing new, lets requests in flight end for at most `graceMs`, then cuts them off. */
  close(graceMs?: number): Promise<void>;
}

/** In ms. */
const usualGraceMs = 2000;
const idleCheckMs = 50;

const healthPath = '/v1/health';

/** Throws `bad_input` for a host that is not loopback, `conflict` for an asked port that is taken. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { names = noNames, visitorOf = createVisitorOf(() => false), outside } = options;
  const clock = options.clock ?? systemClock;
  const lingering = createLingering(clock);
  const inFlight = createInFlight(clock);
  const keyCheck = createKeyCheck(options);
  const { keyLimit, emitterOf = () => undefined, health = () => undefined } = options;
  // `closeAllConnections` knows nothing of sockets that were upgraded.
  const upgraded = new Set<Duplex>();

  /** Authenticates the request; returns the caller or the refusal. */
  const admit = (
    request: IncomingMessage,
    isOpen: boolean,
    visitor: Visitor,
  ): Caller | WeirError => {
    const { headers, socket } = request;
    return (
      refuseForeign(headers, names, plainAddress(socket.localAddress)) ??
      options.ending?.() ??
      (isOpen ? nobody : keyCheck(headers.authorization, visitor.isLocal))
    );
  };

  const run = (
    handler: () => void | Promise<void>,
    request: IncomingMessage,
    response: ServerResponse,
  ): void => {
    const failed = (error: unknown): void => {
      if (!WeirError.is(error)) options.report(`${request.method} ${pathOf(request)}`, error);
      sendError(response, presentable(error));
    };
    try {
      handler()?.catch(failed);
    } catch (error) {
      failed(error);
    }
  };

  /** Named keys are counted; programs of this machine are not. */
  const refuseOften = (caller: Caller): WeirError | undefined => {
    if (keyLimit === undefined || caller === localCaller || caller === nobody) return undefined;
    const wait = keyLimit.take(caller.name);
    return wait === 0 ? undefined : tooManyRequests(`The key "${caller.name}"`, wait);
  };

  const watch = (request: IncomingMessage, response: ServerResponse): Watched =>
    options.onRequested === undefined
      ? {}
      : watchRequest(request, response, {
          address: visitorOf(request).address,
          elapsed: () => clock.elapsed(),
          emitterOf,
          onRequested: options.onRequested,
        });

  const take = (request: IncomingMessage, response: ServerResponse, watched: Watched): void => {
    const url = request.url ?? '/';
    if (isForEndpoint(url)) {
      run(() => options.endpoint(request, response, lingering.refuse), request, response);
      return;
    }
    endWithCaller(request, response);
    const isOpen = url === healthPath || url.startsWith(`${healthPath}?`);
    const caller = admit(request, isOpen, visitorOf(request));
    if (WeirError.is(caller)) {
      sendError(response, caller);
      return;
    }
    if (caller !== nobody) watched.key = caller.name;
    inFlight.add(caller, response);
    const often = refuseOften(caller);
    if (often !== undefined) sendError(response, often);
    else run(() => options.api(request, response, lingering.refuse, caller), request, response);
  };

  /** Its address is a secret, and must not be in a log. */
  const sign = (request: IncomingMessage, response: ServerResponse): void => {
    const visitor = visitorOf(request);
    const caller = admit(request, true, visitor);
    const { signer } = options;
    if (WeirError.is(caller)) sendError(response, caller);
    else if (!visitor.isLocal || signer === undefined)
      sendError(response, new WeirError('forbidden', 'Only programs of this machine may sign.'));
    else run(() => signer(request, response), request, response);
  };

  const shake = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const path = request.url?.split('?')[0];
    const visitor = visitorOf(request);
    const caller = refuseBrowser(request.headers) ?? admit(request, false, visitor);
    const refused = WeirError.is(caller) ? caller : path === rpcPath ? undefined : noSocketAt(path);
    options.onRequested?.({
      method: 'GET',
      path: path ?? '/',
      status: refused?.status ?? 101,
      ms: 0,
      key: WeirError.is(caller) ? undefined : caller.name,
      address: visitor.address,
    });
    if (refused !== undefined) refuseUpgrade(socket, refused);
    else options.upgrade(request, socket, head, caller as Caller, visitor);
  };

  const listen = (
    certificate: Certificate | undefined,
    refuse: OutsideOptions['refuse'] = () => undefined,
  ) => {
    const http = createListener(certificate);
    http.on('request', (request, response) => {
      const ambiguous = ambiguousHead(request);
      if (ambiguous !== undefined) {
        response.setHeader('connection', 'close');
        sendError(response, ambiguous);
        return;
      }
      readTarget(request);
      const { url = '/' } = request;
      if (isForHealth(url)) {
        run(() => answerHealth(url, response, health), request, response);
        return;
      }
      if (isForSigner(url)) {
        sign(request, response);
        return;
      }
      const watched = watch(request, response);
      const refused = refuse(request);
      if (refused === undefined) take(request, response, watched);
      else sendError(response, refused);
    });
    http.on('upgrade', (request, socket, head) => {
      upgraded.add(socket);
      socket.on('close', () => upgraded.delete(socket));
      // A peer that goes away during the handshake is not an error of ours.
      socket.on('error', () => socket.destroy());
      readTarget(request);
      const refused = ambiguousHead(request) ?? refuse(request);
      if (refused === undefined) shake(request, socket, head);
      else refuseUpgrade(socket, refused);
    });
    return http;
  };

  const { address, isLoopback } = listenAddress(options.host ?? '127.0.0.1');
  if (!isLoopback) {
    throw new WeirError(
      'bad_input',
      `Weir listens on this machine only: "${address}" is not a loopback address. Leave --host out, and put a tunnel in front with --public-url for callers from elsewhere.`,
    );
  }
  const open = [listen(undefined)];
  const close = async (graceMs: number): Promise<void> => {
    const cancelCut = clock.after(graceMs, () => {
      for (const http of open) http.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
    });
    await Promise.all(open.map((http) => closeListener(http, clock, () => lingering.endAll())));
    cancelCut();
  };
  const [local] = open as [(typeof open)[number]];
  const port = await bind(local, address, options.port ?? {}, options.warn);
  let reached: Listening | undefined;
  if (outside !== undefined) {
    const http = listen(outside.certificate, outside.refuse);
    const scheme = outside.certificate === undefined ? 'http' : 'https';
    const { address: host } = listenAddress(outside.host);
    try {
      const outsidePort = await bind(http, host, outside.port, options.warn);
      open.push(http);
      reached = { port: outsidePort, url: urlOf(scheme, host, outsidePort) };
    } catch (error) {
      await close(0);
      throw error;
    }
  }
  // They listen to nothing: with TLS, or without, as the process that took a connection says.
  const passedOn: { [By in 'local' | 'outside']?: HttpServer } = {};
  const takenIn = new Set<Duplex>();
  const takeIn = (socket: Duplex, by: 'local' | 'outside'): boolean => {
    if (by === 'outside' && outside === undefined) return false;
    passedOn[by] ??= listen(undefined, by === 'outside' ? outside?.refuse : undefined);
    takenIn.add(socket);
    socket.on('close', () => takenIn.delete(socket));
    passedOn[by].emit('connection', socket);
    return true;
  };
  /** Requests in progress may end; nothing reports when a connection has become idle. */
  const endTakenIn = async (graceMs: number): Promise<void> => {
    const begun = clock.elapsed();
    while (takenIn.size > 0 && clock.elapsed() - begun < graceMs) {
      for (const http of Object.values(passedOn)) http.closeIdleConnections();
      await new Promise<void>((resolve) => void clock.after(idleCheckMs, () => resolve()));
    }
    for (const socket of takenIn) socket.destroy();
  };
  const closeAll = async (graceMs = usualGraceMs): Promise<void> => {
    await Promise.all([close(graceMs), endTakenIn(graceMs)]);
  };
  return {
    port,
    url: urlOf('http', address, port),
    outside: reached,
    close: closeAll,
    take: takeIn,
    endOf: (caller) => inFlight.end(caller),
  };
}

function urlOf(scheme: string, address: string, port: number): string {
  return `${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/**
 * For the API, a caller that closes its sending side is gone: its request is cancelled, its stream ends. Killed
 * programs leave no other sign.
 */
function endWithCaller({ socket }: IncomingMessage, response: ServerResponse): void {
  const end = (): void => void socket.end();
  socket.once('end', end);
  response.once('close', () => socket.off('end', end));
}

/** Without the query and without the address of a signer: they may hold a secret, and this goes to a log. */
function pathOf(request: IncomingMessage): string {
  const path = request.url?.split('?')[0] ?? '/';
  return isForSigner(path) ? signerPrefix : path;
}

function noSocketAt(path: string | undefined): WeirError {
  return new WeirError('not_found', `There is no WebSocket at ${path}; connect to ${rpcPath}.`);
}
