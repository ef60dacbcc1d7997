import { inspect } from 'node:util';
import type { ThrownError } from '../../../protocol/host.ts';
import { ComponentError } from '../values.ts';

/** Characters of a message or stack that are kept: platform axios puts a whole response body into `message`. */
const longestText = 64 * 1024;

/** The bundle that this code runs from. */
const hostBundle = process.argv[1] ?? 'component-host.js';

/** Anything that was thrown, as data. Never throws itself, whatever getters and proxies do. */
export function thrownError(thrown: unknown): ThrownError {
  try {
    return described(thrown);
  } catch {
    const shown = cut(text(() => inspect(thrown)));
    return {
      name: 'Error',
      message: shown || 'What was thrown cannot be read: reading it throws.',
    };
  }
}

function described(thrown: unknown): ThrownError {
  if (!(thrown instanceof Error) && !isErrorLike(thrown)) {
    return { name: 'Error', message: cut(typeof thrown === 'string' ? thrown : inspect(thrown)) };
  }
  const name = cut(text(() => thrown.name)) || 'Error';
  const message = cut(text(() => thrown.message));
  if (name === 'ConfigurationError') return { name, message, configuration: true };
  // The host itself refused the component: the stack has no frame of the component's code.
  if (thrown instanceof ComponentError) return { name, message };
  const stack = text(() => thrown.stack);
  return {
    name,
    message,
    ...(stack === '' ? {} : { stack: cut(componentFrames(stack)) }),
    ...(isUnauthorized(thrown) && { unauthorized: true as const }),
  };
}

/** As axios, got, octokit and clients of their kind say it. */
function isUnauthorized(thrown: object): boolean {
  const { status, statusCode, response } = thrown as Record<string, unknown>;
  const { status: answered, statusCode: answeredCode } = Object(response) as Record<
    string,
    unknown
  >;
  return [status, statusCode, answered, answeredCode].includes(401);
}

/** Errors of another realm or of a library's own making. */
function isErrorLike(thrown: unknown): thrown is Error {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    typeof (thrown as Partial<Error>).message === 'string'
  );
}

function text(read: () => unknown): string {
  try {
    const value = read();
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}

/** Leaves out the frames of Node and of the host, which mean nothing to a component's author. */
function componentFrames(stack: string): string {
  const lines = stack.split('\n');
  const kept = lines.filter((line) => !isForeignFrame(line));
  return kept.some((line) => /^\s+at /.test(line)) ? kept.join('\n') : stack;
}

function isForeignFrame(line: string): boolean {
  return /^\s+at /.test(line) && (/[( ]node:/.test(line) || line.includes(hostBundle));
}
