/** A real server with real faces over a few handlers: what the faces do needs no store. */
import { onTestFinished } from 'vitest';
import {
  createOperations,
  type Handlers,
} from '../../../../src/runtime/api/operations/operations.ts';
import {
  type ApiHandler,
  createServer,
  type RequestHandler,
} from '../../../../src/runtime/server/server.ts';
import { createRpcFace, type RpcOptions } from '../../../../src/runtime/api/rpc.ts';
import type { Caller } from '../../../../src/runtime/server/access/caller.ts';
import type { Change } from '../../../../src/protocol/rpc.ts';

export const apiKey = 'key-of-the-test';

export interface Harness {
  readonly url: string;
  readonly apiKey: string;
  readonly rpc: ReturnType<typeof createRpcFace>;
  readonly subscribers: number;
  /** Errors that were ours. */
  readonly reported: unknown[];
  /** What clients and callers did wrong. */
  readonly warned: readonly string[];
  change(batch: readonly Change[]): void;
  /** It happens at the end of the test anyway. */
  stop(): Promise<void>;
}

export interface HarnessOptions {
  readonly handlers?: Partial<Handlers>;
  readonly rpc?: Partial<RpcOptions>;
  readonly api?: ApiHandler;
  readonly endpoint?: RequestHandler;
  readonly port?: number;
  readonly callerOf?: (key: string) => Caller | undefined;
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const reported: unknown[] = [];
  const warned: string[] = [];
  const report = (_where: string, error: unknown): void => void reported.push(error);
  const listeners = new Set<(batch: readonly Change[]) => void>();
  const operations = createOperations(
    (options.handlers ?? {}) as Handlers,
    report,
    async () => undefined,
  );
  const rpc = createRpcFace({
    operations,
    changes: {
      told: () => Promise.resolve(),
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    hello: { protocol: 1, version: '0.0.0', pid: process.pid },
    report,
    warn: (message) => void warned.push(message),
    ...options.rpc,
  });
  const server = await createServer({
    port: { asked: options.port },
    apiKey,
    callerOf: options.callerOf ?? (() => undefined),
    endpoint: options.endpoint ?? ((_request, response) => void response.end('endpoint')),
    api: options.api ?? ((_request, response) => void response.end('api')),
    upgrade: rpc.upgrade,
    warn: (message) => void warned.push(message),
    report,
  });
  const stop = async (): Promise<void> => {
    rpc.close('The test is over.');
    await server.close(500);
  };
  onTestFinished(stop);
  return {
    url: server.url,
    apiKey,
    rpc,
    reported,
    warned,
    get subscribers() {
      return listeners.size;
    },
    change(batch) {
      for (const listener of listeners) listener(batch);
    },
    stop,
  };
}
