/** An address to listen on, with TLS or without. */
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Clock } from '../base/clock.ts';
import { IncomingRequest } from './incoming-request.ts';
import type { Certificate } from './certificate.ts';

/** @param certificate undefined: plain HTTP */
export function createListener(certificate: Certificate | undefined): HttpServer {
  const options = { keepAliveTimeout: 65_000, IncomingMessage: IncomingRequest };
  const server =
    certificate === undefined
      ? createHttpServer(options)
      : createHttpsServer({ ...options, ...certificate.pair, minVersion: 'TLSv1.2' });
  // A caller that has ended its request still reads.
  Object.assign(server, { httpAllowHalfOpen: true });
  if (certificate !== undefined && 'setSecureContext' in server) {
    const stop = certificate.onChange((pair) => {
      server.setSecureContext({ ...pair, minVersion: 'TLSv1.2' });
    });
    server.on('close', stop);
  }
  return server;
}

/** How often a closing listener looks for connections that have become idle, in ms. */
const idleCheckMs = 50;

/**
 * Accepts nothing new, and resolves when the last connection has ended.
 * @param endWhatLingers called again and again until then
 */
export function closeListener(
  http: HttpServer,
  clock: Pick<Clock, 'after'>,
  endWhatLingers: () => void,
): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is kept alive stays open after its last answer, and no event tells.
    const closeIdle = (): void => {
      endWhatLingers();
      http.closeIdleConnections();
      stopLooking = clock.after(idleCheckMs, closeIdle);
    };
    let stopLooking = clock.after(idleCheckMs, closeIdle);
    http.close(() => {
      stopLooking();
      resolve();
    });
  });
}
