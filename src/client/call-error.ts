/** Errors of a call as the caller sees them. */
import { ResponseError } from 'vscode-jsonrpc/node';
import { type ErrorData, messageOf, WeirError } from '../protocol/errors.ts';

/** Turns what a request failed with into the error the runtime raised, with the caller's stack. */
export function callError(name: string, thrown: unknown, caller: Error): WeirError {
  const error = fromWire(name, thrown);
  // Where the answer was read from the socket tells nobody anything.
  error.stack = `${error.name}: ${error.message}\n${framesOf(caller)}`;
  return error;
}

/** An error that only carries the place it was made at, `below` left out. */
export function callerOf(below: (...args: never[]) => unknown): Error {
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
