/**
 * A dry run: nothing leaves this process. HTTP requests go to the runtime, which answers them from a recording; other
 * connections, datagrams, programs and threads are refused by name, because what they send cannot be held back.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import { ClientRequest } from 'node:http';
import http2 from 'node:http2';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import workerThreads from 'node:worker_threads';
import type { DryRun } from '../../../protocol/host.ts';
import type { FindTarget } from '../../../protocol/redirect-targets.ts';
import { heldBackAdvice, isReading } from '../../../protocol/run-mode.ts';
import { dryRunKey, type DryRunOfProcess } from '../../dry-run-of-process.ts';
import { isDictionary } from '../values.ts';
import { isDirect, noProxy } from './direct.ts';
import { redirectFetch } from './fetch.ts';
import { type Destination, type Pass, redirectHttp } from './http.ts';

/** @param heldBack gets a sentence about everything that was refused here; HTTP requests are handled by the runtime */
export function installDryRun({ url, reads }: DryRun, heldBack: (sentence: string) => void): void {
  const target = new URL(url);
  const passing = new AsyncLocalStorage<Passage>();
  const refuse = (what: string): Error => {
    const error = new Error(`${what} was held back by the dry run. ${heldBackAdvice}`);
    error.name = 'HeldBack';
    heldBack(error.message);
    return error;
  };
  const find: FindTarget = (host, port, method) =>
    isDirect(host, port) || (reads && method !== undefined && isReading(method))
      ? undefined
      : target;
  const pass: Pass = (work, to) => {
    const passage: Passage = { isOpen: true, to };
    const made = passing.run(passage, work);
    // Callbacks about its answer run in its context, too, and may connect to anything.
    if (made instanceof ClientRequest) made.once('socket', () => (passage.isOpen = false));
    return made;
  };
  redirectHttp(find, pass);
  redirectFetch(find, pass);
  const isOwn = (host: string, port: unknown): boolean =>
    (host === target.hostname && Number(port) === Number(target.port)) ||
    isDirect(host, String(port));
  refuseSockets(
    (host, port) => isOwn(host, port) || leadsTo(passing.getStore(), host, port),
    refuse,
  );
  refuseHttp2(refuse);
  refuseDatagrams(refuse);
  const { spawn } = childProcess;
  refusePrograms(refuse);
  const own: DryRunOfProcess = { url, spawn, refuse };
  Object.assign(globalThis, { [dryRunKey]: own });
  // A client that honors proxies would give them the requests.
  noProxy(['*']);
  // Makes modules that import single names of builtins use the changed functions.
  syncBuiltinESMExports();
}

type Refuse = (what: string) => Error;

/** The connection that a request which passes may open. */
interface Passage {
  isOpen: boolean;
  readonly to: Destination | undefined;
}

function leadsTo(passage: Passage | undefined, host: string, port: unknown): boolean {
  if (passage === undefined || !passage.isOpen) return false;
  const { to } = passage;
  const isNamed = to?.host.replace(/^\[|\]$/g, '') === host && String(to.port) === String(port);
  return to === undefined || isNamed;
}

function refuseSockets(isAllowed: (host: string, port: unknown) => boolean, refuse: Refuse): void {
  type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;
  const connect = Reflect.get(net.Socket.prototype, 'connect') as Connect;
  Object.assign(net.Socket.prototype, {
    connect(this: net.Socket, ...args: unknown[]): net.Socket {
      const { host, port, path } = addressOf(args);
      if (path === undefined && isAllowed(host, port)) return Reflect.apply(connect, this, args);
      const error = refuse(`A connection to ${path ?? `${host}:${String(port)}`}`);
      // Otherwise clients take it for a connection that is open.
      Object.assign(this, { connecting: true });
      process.nextTick(() => this.destroy(error));
      return this;
    },
  });
}

/** `(options, …)`, `(path, …)`, `(port, host?, …)`, or the list that Node makes of these. */
function addressOf(args: readonly unknown[]): {
  readonly host: string;
  readonly port: unknown;
  readonly path?: string;
} {
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  const options: Readonly<Record<string, unknown>> = isDictionary(first)
    ? first
    : typeof first === 'string' && !/^\d+$/.test(first)
      ? { path: first }
      : { port: first, host: second };
  const { host, port, path } = options;
  return {
    host: typeof host === 'string' && host !== '' ? host : 'localhost',
    port,
    ...(typeof path === 'string' && path !== '' && { path }),
  };
}

/** Its session says that it is connected before its socket has failed. */
function refuseHttp2(refuse: Refuse): void {
  Object.assign(http2, {
    connect(authority: unknown): never {
      throw refuse(`An HTTP/2 connection to ${String(authority)}`);
    },
  });
}

function refuseDatagrams(refuse: Refuse): void {
  Object.assign(dgram.Socket.prototype, {
    send(): never {
      throw refuse('A UDP datagram');
    },
  });
}

const starting = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'];

function refusePrograms(refuse: Refuse): void {
  for (const name of starting) {
    Object.assign(childProcess, {
      [name](program: unknown): never {
        throw refuse(`The program ${String(program)}`);
      },
    });
  }
  Object.assign(workerThreads, {
    // Called with `new`.
    Worker: function Worker(file: unknown): never {
      throw refuse(`The worker thread ${String(file)}`);
    },
  });
}
