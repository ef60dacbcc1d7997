import { compileFunction } from 'node:vm';
import { thrownError } from '../output/thrown.ts';
import type { Scope } from './scope.ts';

/**
 * An invalid expression, or an invalid value of one. The message names its place and its text; the stack is that of the
 * error that the expression threw.
 */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** Place of the expression: `post.body.fields[0].value`. */
  readonly path: string;
  /** Between the braces, on one line and cut when it is long; undefined when it is about no single one. */
  readonly expression: string | undefined;

  /** @param said what is wrong: the end of a sentence that begins with the path and the expression */
  constructor(path: string, expression: string | undefined, said: string, cause?: unknown) {
    const shown = expression === undefined ? undefined : cut(onOneLine(expression));
    super(shown === undefined ? `${path} ${said}` : `${path}: {{ ${shown} }} ${said}`, { cause });
    this.path = path;
    this.expression = shown;
    const frames = stackOf(cause).match(/(?:\n\s+at .*)+$/)?.[0];
    if (frames !== undefined) this.stack = `${this.name}: ${this.message}${frames}`;
  }
}

/** An expression that is ready to be evaluated. */
export type Evaluate = (scope: Scope) => unknown;

/** How many compiled expressions are kept: more than the workflows of one process have. */
const mostCompiled = 2000;
const compiled = new Map<string, Evaluate>();

/**
 * An expression (what stands between the braces) as a function. It is JavaScript in strict mode, without
 * `await`: a value that has to be waited for is the work of a step. The names it sees are `steps`, `event`,
 * `process.env` and the globals.
 * @param path where it stands; stack traces and debuggers know the code as `workflow.yaml#<path>`
 * @throws ExpressionError when it is no expression; what it returns throws one for whatever is thrown in it,
 * and for a value that is of no use to a prop: a function, a symbol, a promise
 */
export function compile(code: string, path: string): Evaluate {
  const key = `${path}\n${code}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const evaluate = evaluator(code, path);
  if (compiled.size >= mostCompiled) {
    for (const oldest of compiled.keys()) {
      compiled.delete(oldest);
      break;
    }
  }
  compiled.set(key, evaluate);
  return evaluate;
}

type Compiled = (steps: unknown, event: unknown, process: unknown) => unknown;

function evaluator(code: string, path: string): Evaluate {
  const run = compiledFunction(code, path);
  return ({ steps, event, process }) => {
    let value: unknown;
    try {
      value = run(steps, event, process);
    } catch (thrown) {
      throw new ExpressionError(path, code, `threw ${messageOfThrown(thrown)}`, thrown);
    }
    const useless = safely(() => uselessKind(value), undefined);
    if (useless === undefined) return value;
    throw new ExpressionError(path, code, `gives ${useless}`);
  };
}

/**
 * Compiled in brackets of two kinds: code that leaves the one (`1); exit(); (2`) does not parse in the
 * other. A line of its own ends a comment of the code.
 */
function compiledFunction(code: string, path: string): Compiled {
  if (code.trim() === '')
    throw new ExpressionError(path, undefined, 'has an empty expression, {{ }}');
  const options = { filename: `workflow.yaml#${path}`, lineOffset: -1 };
  const names = ['steps', 'event', 'process'];
  try {
    compileFunction(`"use strict"; return [\n${code}\n]`, names, options);
    return compileFunction(`"use strict"; return (\n${code}\n)`, names, options) as Compiled;
  } catch (error) {
    const waits = /\bawait\b/.test(code) ? ' (there is no await in expressions)' : '';
    const said = `is not a JavaScript expression: ${messageOfThrown(error)}${waits}`;
    throw new ExpressionError(path, code, said, error);
  }
}

function uselessKind(value: unknown): string | undefined {
  if (typeof value === 'symbol') return 'a symbol';
  if (typeof value === 'function') return 'a function; call it to use what it returns';
  if (typeof value !== 'object' || value === null) return undefined;
  if (typeof (value as { then?: unknown }).then !== 'function') return undefined;
  // Nobody waits for it: what it is rejected with must not end the process.
  void Promise.resolve(value).catch(() => {});
  return 'a promise, and expressions cannot wait; await it in a step and use what that returns';
}

/** "TypeError: …" of whatever was thrown. */
export function messageOfThrown(thrown: unknown): string {
  const { name, message } = safely(() => thrownError(thrown), unreadable);
  return `${name}: ${cut(message)}`;
}

const unreadable = { name: 'Error', message: 'a value that cannot be shown' };

/** A thrown or returned value may be anything, also an object that throws whenever it is read. */
function safely<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function stackOf(thrown: unknown): string {
  const stack = safely(() => (thrown as Partial<Error> | null | undefined)?.stack, undefined);
  return typeof stack === 'string' ? stack : '';
}

/** Characters of an expression or of a message that are shown. */
const longestShown = 300;

function cut(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}

function onOneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
