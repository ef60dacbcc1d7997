/**
 * A client that lives as long as its user and outlives runtimes: when one is killed and another
 * started, it is found again through `runtime.json`.
 */
import type { OperationName, Params, Result } from '../protocol/catalogue.ts';
import { messageOf, WeirError } from '../protocol/errors.ts';
import type { Change, RuntimeFile } from '../protocol/rpc.ts';
import { createCallbacks } from './callbacks.ts';
import { type Caller, type CallOptions, connect, type Connection } from './connection.ts';
import { answeringRuntime } from './runtime-file.ts';

/** `disconnected` while no runtime answers, `connecting` while one was found. */
export type ClientState =
  | { readonly is: 'connecting' }
  | { readonly is: 'connected'; readonly runtime: RuntimeFile }
  | { readonly is: 'disconnected'; readonly reason: string };

export interface ReconnectingClient extends Caller {
  readonly state: ClientState;
  /** Called with each new state. Returns how to stop it. */
  onState(callback: (state: ClientState) => void): () => void;
  /**
   * Receives batches in order of commit. Changes without a connection are not repeated: read again when the state
   * becomes `connected`. Returns a function that unsubscribes.
   */
  onChanges(callback: (batch: readonly Change[]) => void): () => void;
  /** Tries at once instead of waiting for the next attempt: a runtime was just started. */
  retryNow(): void;
  /** Resolves when connected, rejects with `cancelled` when the signal aborts or the client is closed. */
  connected(signal?: AbortSignal): Promise<void>;
  close(): void;
}

export interface ReconnectingOptions {
  readonly dataFolder: string;
  /** Numbers of [0, 1), for the jitter of the waits. */
  readonly random?: () => number;
}

export function createReconnectingClient(options: ReconnectingOptions): ReconnectingClient {
  const { dataFolder, random = Math.random } = options;
  const states = createCallbacks<ClientState>();
  const changes = createCallbacks<readonly Change[]>();
  const ended = new AbortController();
  let state: ClientState = { is: 'connecting' };
  let connection: Connection | undefined;
  let wake: () => void = () => undefined;

  const become = (next: ClientState): void => {
    state = next;
    states.callAll(next);
  };

  void keepConnected();

  async function keepConnected(): Promise<void> {
    for (let attempt = 0; !ended.signal.aborted; attempt++) {
      const reason = await connectOnce(() => (attempt = 0)).catch(messageOf);
      if (ended.signal.aborted) return;
      if (state.is !== 'disconnected' || state.reason !== reason) {
        become({ is: 'disconnected', reason });
      }
      await pause(backoff(attempt, random()));
    }
  }

  /** Resolves with the reason when there is no connection any more. */
  async function connectOnce(succeeded: () => void): Promise<string> {
    const runtime = await answeringRuntime(dataFolder);
    if (runtime === undefined) return `No runtime is running for ${dataFolder}.`;
    become({ is: 'connecting' });
    const open = await connect(runtime, { signal: ended.signal });
    connection = open;
    open.onChanges((batch) => changes.callAll(batch));
    const over = new Promise<string>((resolve) => {
      open.onClose(resolve);
      if (open.closed !== undefined) resolve(open.closed);
    });
    succeeded();
    become({ is: 'connected', runtime });
    const reason = await over;
    connection = undefined;
    return reason;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    get state() {
      return state;
    },
    onState: (callback) => states.add(callback),
    onChanges: (callback) => changes.add(callback),
    retryNow: () => wake(),
    connected(signal) {
      if (state.is === 'connected') return Promise.resolve();
      return new Promise((resolve, reject) => {
        const stop = states.add((next) => {
          if (next.is === 'connected') settle(resolve);
        });
        const settle = (end: () => void): void => {
          stop();
          signal?.removeEventListener('abort', cancel);
          ended.signal.removeEventListener('abort', cancel);
          end();
        };
        const cancel = (): void => settle(() => reject(new WeirError('cancelled', 'Cancelled.')));
        ended.signal.addEventListener('abort', cancel, { once: true });
        signal?.addEventListener('abort', cancel, { once: true });
        if (signal?.aborted === true || ended.signal.aborted) cancel();
      });
    },
    call<N extends OperationName>(
      name: N,
      params: Params<N>,
      callOptions?: CallOptions,
    ): Promise<Result<N>> {
      if (connection !== undefined) return connection.call(name, params, callOptions);
      const why = state.is === 'disconnected' ? state.reason : 'Still connecting to the runtime.';
      return Promise.reject(new WeirError('runtime_unavailable', why));
    },
    close() {
      ended.abort();
      connection?.close();
      wake();
    },
  };
}

const firstWaitMs = 100;
const longestWaitMs = 5000;

/**
 * How long to wait before the next attempt to connect: doubles from 100 ms to 5 s, ±20 % so that
 * several windows do not come all at once.
 * @param attempt 0 for the first wait
 * @param random a number of [0, 1)
 */
export function backoff(attempt: number, random: number): number {
  const base = Math.min(firstWaitMs * 2 ** attempt, longestWaitMs);
  return Math.round(base * (0.8 + 0.4 * random));
}
