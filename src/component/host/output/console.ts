import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { ConsoleLine } from '../../../protocol/host.ts';
import type { CurrentInvocation } from './current-invocation.ts';
import { withoutHostFrames } from './frames.ts';
import { hideSecrets } from './run-secrets.ts';

type Level = ConsoleLine['level'];

/** Longest line that is kept, in characters. */
const longestLine = 64 * 1024;

/** The level of a method's output. Of other methods it is that of the stream they print to. */
const levels = { debug: 'debug', warn: 'warn', error: 'error', trace: 'error' } as const;

/** The console of an attached debugger; does nothing if none is attached. */
export interface DebuggerConsole {
  print(method: string, args: readonly unknown[]): void;
}

/**
 * Logs everything the component prints with the invocation that printed it: the methods of `console`,
 * formatted as Node does, and what is written to stdout and stderr. A debugger gets the arguments of
 * `console` as they are.
 */
export function captureConsole(current: CurrentInvocation, debuggerConsole: DebuggerConsole): void {
  let level: Level | undefined;
  const print = (defaultLevel: Level, text: string): void => {
    if (text === '') return;
    const line = withoutHostFrames(text.endsWith('\n') ? text.slice(0, -1) : text);
    current
      .get()
      .log({ at: Date.now(), level: level ?? defaultLevel, text: cut(hideSecrets(line)) });
  };
  const capturing = new Console({
    stdout: sink((text) => print('info', text)),
    stderr: sink((text) => print('warn', text)),
    ignoreErrors: false,
    colorMode: false,
  });
  for (const name of Object.keys(capturing) as (keyof Console)[]) {
    const method: unknown = capturing[name];
    if (typeof method !== 'function') continue;
    const methodLevel = (levels as Partial<Record<string, Level>>)[name];
    const captured = (...args: unknown[]): unknown => {
      debuggerConsole.print(name, args);
      // Nothing is formatted once an invocation has printed too much: a flood must stay cheap.
      if (!current.get().takesConsole) return undefined;
      level = methodLevel;
      try {
        return Reflect.apply(method, capturing, args);
      } finally {
        level = undefined;
      }
    };
    Object.assign(console, { [name]: captured });
  }
  captureStream(process.stdout, (text) => print('info', text));
  captureStream(process.stderr, (text) => print('error', text));
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
