import type { Context } from './context.ts';
import type { Outbox } from './outbox.ts';
import { thrownError } from './thrown.ts';
import type { Unguarded } from './unguarded.ts';

/** Ends the process at once, without listeners of user code getting in between. */
export type EndProcess = (code: number) => never;

/**
 * Component code that ends the process says so first: what its invocation had produced, and that it
 * is the one to blame.
 */
export function setTraps(
  context: Context,
  outbox: Outbox,
  unguarded: Unguarded,
  endProcess: EndProcess,
): void {
  const end = (
    cause: 'exit' | 'uncaught',
    message: string,
    code: number,
    stack?: string,
  ): never => {
    const n = context.culprit?.n ?? null;
    outbox.lastWords({ t: 'ending', n, cause, message, ...(stack === undefined ? {} : { stack }) });
    return endProcess(code);
  };
  const uncaught = (thrown: unknown): never => {
    const error = thrownError(thrown);
    const message = `an error was thrown outside of run: ${error.name}: ${error.message}`;
    return end('uncaught', message, 1, error.stack);
  };

  process.exit = (code?: number | string | null): never => {
    const given = code ?? process.exitCode ?? 0;
    return end('exit', `called process.exit(${code ?? ''})`, Number(given));
  };
  process.abort = (): never => end('exit', 'called process.abort()', 134);
  process.on('uncaughtException', uncaught);
  process.on('unhandledRejection', (reason, promise) => {
    if (unguarded.take(promise, reason)) return;
    // A promise left behind by a run that has ended harms nobody else: it is told, not punished.
    if (context.isLate) {
      const { name, message, stack } = thrownError(reason);
      const text = `A promise was rejected after the run had ended: ${stack ?? `${name}: ${message}`}`;
      context.outside.log({ at: Date.now(), level: 'error', text });
    } else {
      uncaught(reason);
    }
  });
}
