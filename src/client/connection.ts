/** One connection to a running runtime. It does not reconnect; see reconnecting.ts for one that does. */
import {
  CancellationTokenSource,
  createMessageConnection,
  ResponseError,
} from 'vscode-jsonrpc/node';
import type { OperationName, Params, Result } from '../protocol/catalogue.ts';
import { type ErrorData, messageOf, WeirError } from '../protocol/errors.ts';
import {
  type Change,
  changesNotification,
  type Hello,
  helloNotification,
  type Progress,
  progressNotification,
  protocolVersion,
  type RpcParams,
} from '../protocol/rpc.ts';
import { socketTransport } from '../protocol/socket.ts';
import { createCallbacks } from './callbacks.ts';
import { type Address, opened, openSocket } from './handshake.ts';

export interface CallOptions {
  /** Aborting cancels the operation in the runtime and rejects at once with `cancelled`. */
  readonly signal?: AbortSignal;
  /** Called with one short sentence for each stage of a long operation. */
  readonly progress?: (message: string) => void;
}

/** Typed calls of the operations in the catalogue. Always rejects with `WeirError`. */
export interface Caller {
  readonly call: <N extends OperationName>(
    name: N,
    params: Params<N>,
    options?: CallOptions,
  ) => Promise<Result<N>>;
}

export interface Connection extends Caller {
  readonly hello: Hello;
  /** Why it is closed; undefined while it is open. */
  readonly closed: string | undefined;
  /** Batches in order of commit. Returns how to stop it. */
  onChanges(callback: (batch: readonly Change[]) => void): () => void;
  /** Called once, with the reason; every pending call has been rejected by then. Returns how to stop it. */
  onClose(callback: (reason: string) => void): () => void;
  close(): void;
}

const helloMs = 10_000;

/** Connects and waits for the runtime's hello. Rejects with `WeirError`; an abort rejects too. */
export async function connect(
  address: Address,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Connection> {
  const socket = openSocket(address);
  const abort = (): void => socket.terminate();
  options.signal?.addEventListener('abort', abort, { once: true });
  // Before `opened`: the hello may come in the same packet as the handshake's answer.
  const { reader, writer } = socketTransport(socket);
  const rpc = createMessageConnection(reader, writer);
  const changes = createCallbacks<readonly Change[]>();
  const closing = createCallbacks<string>();
  const progress = new Map<string, (message: string) => void>();
  const pending = new Set<(error: WeirError) => void>();
  let closed: string | undefined;
  let nextToken = 1;

  const hello = new Promise<Hello>((resolve, reject) => {
    const timer = setTimeout(() => reject(silent(address)), helloMs);
    const settle = (): void => clearTimeout(timer);
    rpc.onNotification(helloNotification, (sent: Hello) => {
      settle();
      resolve(sent);
    });
    closing.add((reason) => {
      settle();
      reject(gone(reason));
    });
  });
  // Nobody awaits it when the handshake itself fails.
  hello.catch(() => undefined);

  rpc.onNotification(changesNotification, (batch: readonly Change[]) => changes.callAll(batch));
  rpc.onNotification(progressNotification, ({ token, message }: Progress) =>
    progress.get(token)?.(message),
  );
  // A failure of the socket ends in its close, which is handled below.
  rpc.onError(() => undefined);
  socket.on('close', (_code, reason) => {
    closed = reason.length > 0 ? reason.toString('utf8') : 'The runtime is gone.';
    for (const reject of pending) reject(gone(closed));
    rpc.dispose();
    closing.callAll(closed);
  });
  rpc.listen();

  try {
    options.signal?.throwIfAborted();
    await opened(socket, address);
    const greeting = await hello;
    if (greeting.protocol !== protocolVersion) throw otherProtocol(greeting);
    return {
      hello: greeting,
      get closed() {
        return closed;
      },
      onChanges: (callback) => changes.add(callback),
      onClose: (callback) => closing.add(callback),
      close: () => socket.close(),
      call,
    };
  } catch (error) {
    socket.terminate();
    throw options.signal?.aborted === true ? new WeirError('cancelled', 'Cancelled.') : error;
  } finally {
    options.signal?.removeEventListener('abort', abort);
  }

  function call<N extends OperationName>(
    name: N,
    params: Params<N>,
    { signal, progress: report }: CallOptions = {},
  ): Promise<Result<N>> {
    const caller = callerOf(call);
    return new Promise((resolve, reject) => {
      const fail = (thrown: unknown): void => {
        finish();
        reject(callError(name, thrown, caller));
      };
      const cancel = (): void => {
        cancellation.cancel();
        fail(new WeirError('cancelled', 'Cancelled.'));
      };
      const token = report === undefined ? undefined : `p${nextToken++}`;
      const finish = (): void => {
        pending.delete(fail);
        signal?.removeEventListener('abort', cancel);
        if (token !== undefined) progress.delete(token);
        cancellation.dispose();
      };
      const cancellation = new CancellationTokenSource();
      if (closed !== undefined) return fail(gone(closed));
      if (signal?.aborted === true) return cancel();
      pending.add(fail);
      signal?.addEventListener('abort', cancel, { once: true });
      if (token !== undefined && report !== undefined) progress.set(token, report);

      const wire: RpcParams = token === undefined ? { params } : { params, progress_token: token };
      rpc.sendRequest<Result<N>>(name, wire, cancellation.token).then((result) => {
        finish();
        resolve(result);
      }, fail);
    });
  }
}

function gone(reason: string): WeirError {
  return new WeirError('runtime_unavailable', `The connection to the runtime ended. ${reason}`);
}

function silent(address: Address): WeirError {
  return new WeirError(
    'runtime_unavailable',
    `What listens at ${address.url} is not a Weir runtime.`,
  );
}

function otherProtocol(hello: Hello): WeirError {
  return new WeirError(
    'conflict',
    `The running runtime is Weir ${hello.version}, which speaks another protocol; stop it (pid ${hello.pid}) and start it again.`,
  );
}

/** Turns the failure of a request into the error that the runtime raised, with the stack of the caller. */
function callError(name: string, thrown: unknown, caller: Error): WeirError {
  const error = fromWire(name, thrown);
  // The stack of the code that read the answer from the socket is of no use to anybody.
  error.stack = `${error.name}: ${error.message}\n${framesOf(caller)}`;
  return error;
}

/** An error whose stack begins at the caller of `below`. */
function callerOf(below: (...args: never[]) => unknown): Error {
  const caller = new Error('caller');
  Error.captureStackTrace(caller, below);
  return caller;
}

function fromWire(name: string, thrown: unknown): WeirError {
  if (WeirError.is(thrown)) return thrown;
  if (thrown instanceof ResponseError) {
    const data = thrown.data as ErrorData | undefined;
    if (data !== undefined) return new WeirError(data.code, data.message, data.details);
  }
  return new WeirError('internal', `${name} failed: ${messageOf(thrown)}`, undefined, thrown);
}

function framesOf(error: Error): string {
  const stack = error.stack ?? '';
  return stack.slice(stack.indexOf('\n') + 1);
}
