/**
 * The listeners of a follower. Connections that begin with a request for an endpoint are served here; all others are
 * forwarded to the leader, byte by byte, so that every interface works here as it does there. While there is no leader,
 * or it has just changed, callers wait.
 */
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Clock } from '../base/clock.ts';
import type { Certificate } from '../server/certificate.ts';
import { bind, type PortChoice } from '../server/port.ts';
import { plainAddress } from '../server/forwarded.ts';
import type { ForwardedHandshake } from './handshake.ts';
import { reachLeader } from './reach-leader.ts';
import type { BaseServices } from '../base/services.ts';

export interface ConnectionRouterOptions extends Pick<BaseServices, 'clock'> {
  readonly local: { readonly host: string; readonly port: PortChoice };
  readonly outside:
    | {
        readonly host: string;
        readonly port: PortChoice;
        readonly certificate: Certificate | undefined;
      }
    | undefined;
  readonly key: Buffer;
  /** Serves it here, as the target of its first request has it; false when it is to be passed on. */
  readonly serve: (socket: Socket, by: 'local' | 'outside', target: string) => boolean;
  /** `HOST:PORT` of the leader; undefined while there is none. */
  readonly active: () => string | undefined;
  readonly warn: (message: string) => void;
}

export interface ConnectionRouter {
  readonly port: number;
  readonly outsidePort: number | undefined;
  /** Accepts no new callers; the ports are free when this resolves. Existing connections stay. */
  leave(): Promise<void>;
  /** Ends callers that were passed on to another node than this one. */
  endOthers(address: string): void;
  /** Resolves when no forwarded request waits for an answer any more, or after this time. */
  answered(graceMs: number): Promise<void>;
  /** Ends what is here, too. */
  close(): Promise<void>;
}

interface PassedOn {
  /** `HOST:PORT` of the node that answers. */
  readonly to: string;
  /** It has sent something that was not answered yet. */
  isWaiting: boolean;
  /** When a piece of an answer came last, by `clock.elapsed`. */
  answeredAt: number;
}

/** After this time, in ms, no further part of an answer is on its way. */
const quietMs = 100;
const lookMs = 25;

/** As Node gives a caller for the head of its request. */
const firstBytesMs = 60_000;

export async function openConnectionRouter(
  options: ConnectionRouterOptions,
): Promise<ConnectionRouter> {
  const { local, outside, key, serve, active, clock, warn } = options;
  const sockets = new Set<Socket>();
  const passedOn = new Map<Socket, PassedOn>();
  const servers: Server[] = [];
  const state = { isClosed: false };

  const passOn = (by: ForwardedHandshake['by'], isEncrypted: boolean) => async (near: Socket) => {
    sockets.add(near);
    near.on('error', () => near.destroy());
    near.on('close', () => {
      sockets.delete(near);
      passedOn.delete(near);
    });
    near.setNoDelay(true);
    const first = await firstBytes(near, clock);
    if (near.destroyed) return;
    if (first !== undefined) {
      near.unshift(first);
      const [, target] = requestLine.exec(first.toString('latin1', 0, mostLooked)) ?? [];
      if (target !== undefined && serve(near, by, target)) return;
    }
    const greeting: ForwardedHandshake = {
      by,
      isEncrypted,
      remoteAddress: plainAddress(near.remoteAddress),
      localAddress: plainAddress(near.localAddress),
    };
    const reached = await reachLeader(
      { key, leader: active, clock },
      greeting,
      () => state.isClosed || near.destroyed,
    );
    if (reached === undefined || near.destroyed) {
      reached?.far.destroy();
      near.destroy();
      return;
    }
    const { far, address } = reached;
    const caller = { to: address, isWaiting: true, answeredAt: clock.elapsed() };
    passedOn.set(near, caller);
    far.on('error', () => far.destroy());
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
    near.on('data', () => {
      caller.isWaiting = true;
    });
    far.on('data', () => {
      caller.isWaiting = false;
      caller.answeredAt = clock.elapsed();
    });
  };

  const listen = (server: Server): Server => {
    servers.push(server);
    return server;
  };
  const here = listen(
    createTcpServer(
      { allowHalfOpen: true, pauseOnConnect: true },
      (near) => void passOn('local', false)(near),
    ),
  );
  const port = await bind(here, local.host, local.port, warn);
  let outsidePort: number | undefined;
  if (outside !== undefined) {
    const pair = outside.certificate?.pair;
    const there = listen(
      pair === undefined
        ? createTcpServer(
            { allowHalfOpen: true, pauseOnConnect: true },
            (near) => void passOn('outside', false)(near),
          )
        : createTlsServer(
            { ...pair, minVersion: 'TLSv1.2' },
            (near) => void passOn('outside', true)(near),
          ),
    );
    outsidePort = await bind(there, outside.host, outside.port, warn);
  }
  const leave = async (): Promise<void> => {
    // They are not waited for: `close` of a server resolves when the last connection has ended.
    for (const server of servers.splice(0)) server.close();
  };
  return {
    port,
    outsidePort,
    leave,
    endOthers(address) {
      for (const [near, { to }] of passedOn) if (to !== address) near.destroy();
    },
    async answered(graceMs) {
      const begun = clock.elapsed();
      const isBusy = ({ isWaiting, answeredAt }: PassedOn): boolean =>
        isWaiting || clock.elapsed() - answeredAt < quietMs;
      while ([...passedOn.values()].some(isBusy) && clock.elapsed() - begun < graceMs) {
        await new Promise<void>((resolve) => void clock.after(lookMs, () => resolve()));
      }
    },
    async close() {
      state.isClosed = true;
      await leave();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A longer request line is not searched for its target here. */
const requestLine = /^[A-Z]+ (\S+) HTTP\/1/u;
const mostLooked = 4096;

/** Undefined of a caller that has nothing to say. One that says nothing for too long is ended. */
function firstBytes(socket: Socket, clock: Pick<Clock, 'after'>): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.after(firstBytesMs, () => socket.destroy());
    const settle = (chunk?: Buffer): void => {
      cancel();
      socket.off('data', settle);
      socket.off('end', ended);
      socket.off('close', ended);
      socket.pause();
      resolve(chunk);
    };
    const ended = (): void => settle();
    socket.on('data', settle);
    socket.on('end', ended);
    socket.on('close', ended);
    socket.resume();
  });
}
