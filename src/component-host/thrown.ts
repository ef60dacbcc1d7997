import { inspect } from 'node:util';
import type { ThrownError } from '../protocol/host.ts';
import { ComponentError } from './authored.ts';

/** Platform axios puts a whole response body into `message`: it is kept, but not without end. */
const longestText = 64 * 1024;

/** The bundle this code runs from. */
const ownFile = process.argv[1] ?? 'component-host.js';

/** Anything that was thrown, made data. Never throws itself, whatever getters do. */
export function thrownError(thrown: unknown): ThrownError {
  if (!(thrown instanceof Error) && !isErrorLike(thrown)) {
    return { name: 'Error', message: cut(typeof thrown === 'string' ? thrown : inspect(thrown)) };
  }
  const name = text(() => thrown.name) || 'Error';
  const message = cut(text(() => thrown.message));
  if (name === 'ConfigurationError') return { name, message, configuration: true };
  // It was the host that looked and found something: its own frames are no place in the component.
  if (thrown instanceof ComponentError) return { name, message };
  const stack = text(() => thrown.stack);
  return { name, message, ...(stack === '' ? {} : { stack: cut(ownFrames(stack)) }) };
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

/** Frames of Node's and of the host's own code say nothing to a component's author. */
function ownFrames(stack: string): string {
  const lines = stack.split('\n');
  const kept = lines.filter((line) => !isForeignFrame(line));
  return kept.some((line) => /^\s+at /.test(line)) ? kept.join('\n') : stack;
}

function isForeignFrame(line: string): boolean {
  return /^\s+at /.test(line) && (/[( ]node:/.test(line) || line.includes(ownFile));
}
