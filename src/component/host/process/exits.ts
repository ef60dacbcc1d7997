import { messageWithCauses } from '../../../protocol/error-causes.ts';
import type { Outbox } from '../channel/outbox.ts';
import type { CurrentInvocation } from '../output/current-invocation.ts';
import { thrownError } from '../output/thrown.ts';

/** Ends the process at once, without listeners of user code getting in between. */
export type EndProcess = (code: number) => never;

/**
 * Promises whose rejection is not handled until Node reports it. While a debugger is attached, calls
 * of the component are left without a handler: V8 considers an error uncaught only when no handler
 * waits anywhere for its promise, and with one of ours a debugger that is to stop at uncaught
 * exceptions would never stop in component code.
 */
export class UnhandledRejections {
  readonly #onRejected = new WeakMap<Promise<unknown>, (reason: unknown) => void>();

  /** `onRejected` is called when Node reports that the promise was rejected and has no handler. */
  expect(promise: Promise<unknown>, onRejected: (reason: unknown) => void): void {
    this.#onRejected.set(promise, onRejected);
  }

  /** Returns false for a promise that was not expected. */
  handle(promise: Promise<unknown>, reason: unknown): boolean {
    const onRejected = this.#onRejected.get(promise);
    onRejected?.(reason);
    return onRejected !== undefined;
  }
}

/**
 * If component code ends the process, the runtime first gets the output of every invocation, and which of them is
 * responsible.
 */
export function reportExits(
  current: CurrentInvocation,
  outbox: Outbox,
  rejections: UnhandledRejections,
  endProcess: EndProcess,
): void {
  const end = (
    cause: 'exit' | 'uncaught',
    message: string,
    code: number,
    stack?: string,
  ): never => {
    const n = current.responsible?.n ?? null;
    outbox.flushFinal({
      t: 'ending',
      n,
      cause,
      message,
      ...(stack === undefined ? {} : { stack }),
    });
    return endProcess(code);
  };
  const uncaught = (thrown: unknown): never => {
    const error = thrownError(thrown);
    const message = `an error was thrown outside of run: ${error.name}: ${messageWithCauses(error)}`;
    return end('uncaught', message, 1, error.stack);
  };

  process.exit = (code?: number | string | null): never => {
    const given = code ?? process.exitCode ?? 0;
    return end('exit', `called process.exit(${code ?? ''})`, Number(given));
  };
  process.abort = (): never => end('exit', 'called process.abort()', 134);
  process.on('uncaughtException', uncaught);
  process.on('unhandledRejection', (reason, promise) => {
    if (rejections.handle(promise, reason)) return;
    // It belongs to a run that has ended and cannot fail any more: it is logged, and the process continues.
    if (current.hasEnded) {
      const { name, message, stack } = thrownError(reason);
      const text = `A promise was rejected after the run had ended: ${stack ?? `${name}: ${message}`}`;
      current.background.log({ at: Date.now(), level: 'error', text });
    } else {
      uncaught(reason);
    }
  });
}
