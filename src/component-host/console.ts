import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { ConsoleLine } from '../protocol/host.ts';
import type { Context } from './context.ts';
import type { Inspection } from './inspect.ts';

type Level = ConsoleLine['level'];

/** Longest line that is kept, in characters. */
export const longestLine = 64 * 1024;

/** Which level a method's output has; methods not named here print like `log`, or to stderr. */
const levels = { debug: 'debug', warn: 'warn', error: 'error', trace: 'error' } as const;

/**
 * Sends everything the component prints to the log of the invocation that printed it: the methods of
 * `console`, formatted as Node does, and what is written to stdout and stderr. A debugger gets what
 * was given to `console` as it is.
 */
export function captureConsole(context: Context, inspection: Pick<Inspection, 'print'>): void {
  let level: Level | undefined;
  const say = (otherwise: Level, text: string): void => {
    if (text === '') return;
    const line = text.endsWith('\n') ? text.slice(0, -1) : text;
    context.current.log({ at: Date.now(), level: level ?? otherwise, text: cut(line) });
  };
  const capturing = new Console({
    stdout: sink((text) => say('info', text)),
    stderr: sink((text) => say('warn', text)),
    ignoreErrors: false,
    colorMode: false,
  });
  for (const name of Object.keys(capturing) as (keyof Console)[]) {
    const method: unknown = capturing[name];
    if (typeof method !== 'function') continue;
    const ofMethod = (levels as Partial<Record<string, Level>>)[name];
    const captured = (...args: unknown[]): unknown => {
      inspection.print(name, args);
      // Nothing is formatted once an invocation has said too much: a flood must stay cheap.
      if (!context.current.takesConsole) return undefined;
      level = ofMethod;
      try {
        return Reflect.apply(method, capturing, args);
      } finally {
        level = undefined;
      }
    };
    Object.assign(console, { [name]: captured });
  }
  captureStream(process.stdout, (text) => say('info', text));
  captureStream(process.stderr, (text) => say('error', text));
}

function sink(write: (text: string) => void): Writable {
  const stream = new Writable({ decodeStrings: false });
  // Console writes whole texts and waits for nothing: the stream's machinery is not needed.
  stream.write = (chunk: unknown) => {
    write(String(chunk));
    return true;
  };
  return stream;
}

function captureStream(stream: NodeJS.WriteStream, write: (text: string) => void): void {
  stream.write = (chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
    write(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
}

function cut(text: string): string {
  if (text.length <= longestLine) return text;
  return `${text.slice(0, longestLine)}… (${text.length - longestLine} more characters were cut)`;
}
