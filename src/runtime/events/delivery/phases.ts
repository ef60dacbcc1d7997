/** How long each step of an exchange took: what undici does not tell, its sockets do. */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { AttemptPhases } from '../../store/history/deliveries.ts';

/** Points of time of one exchange, of `performance.now()`. */
export interface Clock {
  readonly start: number;
  lookedUp?: number;
  connected?: number;
  /** The connection is established, including TLS. */
  ready?: number;
  secure?: boolean;
  answered?: number;
}

export interface TimedConnector {
  readonly connect: buildConnector.connector;
  /**
   * Runs what starts an exchange; a connection that it opens belongs to this clock. Undici opens one
   * in the same turn, or uses one that is open.
   */
  during<T>(clock: Clock, start: () => T): T;
}

/** @param open undici's own, which opens the connections. */
export function timedConnector(open: buildConnector.connector): TimedConnector {
  let current: Clock | undefined;
  return {
    connect(options, callback) {
      const clock = current;
      // Its types leave out that it returns the socket.
      const socket = open(options, (...result) => {
        if (clock !== undefined && result[0] === null) clock.ready = performance.now();
        callback(...result);
      }) as unknown as Socket;
      if (clock === undefined) return;
      clock.secure = options.protocol === 'https:';
      socket.once('lookup', () => (clock.lookedUp = performance.now()));
      socket.once('connect', () => (clock.connected = performance.now()));
    },
    during(clock, start) {
      current = clock;
      try {
        return start();
      } finally {
        current = undefined;
      }
    },
  };
}

/** Milliseconds with one decimal. */
export function phasesOf(clock: Clock): AttemptPhases {
  const { start, lookedUp, connected, ready, secure, answered } = clock;
  return {
    dns: between(start, lookedUp),
    connect: between(lookedUp ?? start, connected),
    tls: secure === true ? between(connected, ready) : null,
    firstByte: between(ready ?? start, answered),
  };
}

export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function between(from: number | undefined, to: number | undefined): number | null {
  return from === undefined || to === undefined ? null : tenths(to - from);
}
