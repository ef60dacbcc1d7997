import { inspect } from 'node:util';
import type { ThrownError } from '../../../protocol/host.ts';
import { ComponentError } from '../values.ts';
import { originOf } from './call-origins.ts';
import { causesOf } from './causes.ts';
import { withoutSecrets } from './run-secrets.ts';
import { authorFrames, componentFrames, isFrame } from './frames.ts';

/** Characters of a message or stack that are kept: platform axios puts a whole response body into `message`. */
const longestText = 64 * 1024;

/** How many characters the causes of an error may have at most. */
const longestCauses = 16 * 1024;

/** Anything that was thrown, as data. Never throws itself, whatever getters and proxies do. */
export function thrownError(thrown: unknown): ThrownError {
  try {
    return withoutSecrets(described(thrown));
  } catch {
    const shown = cut(text(() => inspect(thrown)));
    return withoutSecrets({
      name: 'Error',
      message: shown || 'What was thrown cannot be read: reading it throws.',
    });
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
  const stack = stackWithCauses(thrown, `${name}: ${message}`);
  return {
    name,
    message,
    ...(stack === '' ? {} : { stack }),
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

function cut(text: string, longest = longestText): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/**
 * The stack of an error, then each error behind it with its own stack: logs, replies and pages show this text.
 * @param head the text above causes if there is no stack
 */
function stackWithCauses(thrown: Error, head: string): string {
  const own = ownStack(thrown, head);
  const causes = causesOf(thrown, framesOf, own || head);
  if (causes.length === 0) return cut(own);
  const above = cut(own || head, longestText - longestCauses - 2);
  return `${above}\n${cut(causes.join('\n'), longestCauses)}`;
}

function ownStack(thrown: Error, head: string): string {
  const stack = text(() => thrown.stack);
  if (authorFrames(stack).length > 0) return componentFrames(stack);
  const frames = framesOf(thrown);
  if (frames.length === 0) return stack;
  const lines = stack.split('\n');
  const first = lines.findIndex(isFrame);
  return [
    stack === '' ? head : lines.slice(0, first === -1 ? undefined : first).join('\n'),
    ...frames,
  ].join('\n');
}

/** The author's frames of a stack; where it has none, those of the call that the error came from. */
function framesOf(thrown: object): string[] {
  const own = authorFrames(text(() => (thrown as Partial<Error>).stack));
  return own.length > 0 ? own : authorFrames(originOf(thrown));
}
