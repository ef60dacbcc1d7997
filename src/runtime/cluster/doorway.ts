/**
 * The listeners of a node that stands by: each connection is passed on to the node that runs everything, byte by byte,
 * so that every face works here as it does there. While there is none, or it has just changed, callers wait.
 */
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { Certificate } from '../server/certificate.ts';
import { bind, type PortChoice } from '../server/port.ts';
import { plainAddress } from '../server/visitor.ts';
import { connectToNode } from './channel.ts';
import type { Greeting } from './greeting.ts';

export interface DoorwayOptions {
  readonly local: { readonly host: string; readonly port: PortChoice };
  readonly outside:
    | {
        readonly host: string;
        readonly port: PortChoice;
        readonly certificate: Certificate | undefined;
      }
    | undefined;
  readonly key: Buffer;
  /** `HOST:PORT` of the node that runs everything; undefined while there is none. */
  readonly active: () => string | undefined;
  readonly clock: Pick<Clock, 'after' | 'elapsed'>;
  readonly warn: (message: string) => void;
}

export interface Doorway {
  readonly port: number;
  readonly outsidePort: number | undefined;
  /** Takes no new callers: the ports are free when this resolves. Those that are here stay. */
  leave(): Promise<void>;
  /** Ends callers that were passed on to another node than this one. */
  endOthers(address: string): void;
  /** Ends what is here, too. */
  close(): Promise<void>;
}

/** So long a caller waits for a node to take over. */
const waitMs = 30_000;
const retryMs = 50;

export async function openDoorway(options: DoorwayOptions): Promise<Doorway> {
  const { local, outside, key, active, clock, warn } = options;
  const sockets = new Set<Socket>();
  /** Where those lead that were passed on. */
  const passedOnTo = new Map<Socket, string | undefined>();
  const servers: Server[] = [];
  const state = { isClosed: false };

  const pause = (): Promise<void> =>
    new Promise((resolve) => void clock.after(retryMs, () => resolve()));

  /** Undefined when nobody has taken over in time, or the caller has gone. */
  const reach = async (
    near: Socket,
    greeting: Greeting,
  ): Promise<{ readonly far: TLSSocket; readonly address: string | undefined } | undefined> => {
    const begun = clock.elapsed();
    while (!state.isClosed && !near.destroyed && clock.elapsed() - begun < waitMs) {
      const address = active();
      const far =
        address === undefined
          ? undefined
          : await connectToNode(address, key, greeting).catch(() => undefined);
      if (far !== undefined) return { far, address };
      await pause();
    }
    return undefined;
  };

  const passOn = (by: Greeting['by'], isEncrypted: boolean) => async (near: Socket) => {
    sockets.add(near);
    near.on('error', () => near.destroy());
    near.on('close', () => {
      sockets.delete(near);
      passedOnTo.delete(near);
    });
    near.setNoDelay(true);
    const greeting: Greeting = {
      by,
      isEncrypted,
      remoteAddress: plainAddress(near.remoteAddress),
      localAddress: plainAddress(near.localAddress),
    };
    const reached = await reach(near, greeting);
    if (reached === undefined || near.destroyed) {
      reached?.far.destroy();
      near.destroy();
      return;
    }
    const { far, address } = reached;
    passedOnTo.set(near, address);
    far.on('error', () => far.destroy());
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
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
      for (const [near, to] of passedOnTo) if (to !== address) near.destroy();
    },
    async close() {
      state.isClosed = true;
      await leave();
      for (const socket of sockets) socket.destroy();
    },
  };
}
