/** Keys of a terminal that wait until what they are about is on the screen. */
import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as turn } from 'node:timers/promises';
import type { Io } from './io.ts';

/** A key that takes something from the list or moves in it, or text, which changes the list. */
// oxlint-disable-next-line no-control-regex -- these are keys
const parts = /\r\n?|[\n\t]|\u001b[^\r\n]*|[^\r\n\t\u001b]+/g;
const acting = ['\r', '\n', '\t', '\u001b'];

function acts(part: string): boolean {
  return acting.some((key) => part.startsWith(key));
}

/** Whether Ctrl-C or Ctrl-D is among the keys. */
export function givesUp(keys: string): boolean {
  return keys.includes('\u0003') || keys.includes('\u0004');
}

/** The list that the keys are about. */
export interface WatchedList {
  /** Whether one has been on the screen. */
  isThere(): boolean;
  /** Resolves once the list for all that was typed is on the screen. */
  settled(): Promise<void>;
}

export interface GatedInput {
  readonly input: PassThrough;
  /** Gives the terminal back; what was typed and not passed on is dropped. */
  end(): void;
}

/**
 * Passes on what is typed, in its order: text at once; Enter, Tab and arrows when the list is up to date, as they are
 * about the list that the text before them asks for. Pressed before there was any list or text, they are dropped. Ctrl-C
 * and Ctrl-D pass all of them.
 */
export function gatedInput(stdin: Io['stdin'], list: WatchedList): GatedInput {
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean): void => void stdin.setRawMode?.(isRaw),
  });
  const decoder = new StringDecoder('utf8');
  let ended = false;
  let isTyped = false;
  const pass = async (part: string): Promise<void> => {
    if (acts(part)) await list.settled();
    if (ended) return;
    input.write(part);
    // By then the key has been read, and has asked for a list.
    await turn();
    await turn();
  };
  let passing = Promise.resolve();
  const onData = (chunk: Buffer | string): void => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    if (givesUp(text)) {
      input.write(text);
      return;
    }
    for (const part of text.match(parts) ?? []) {
      if (!acts(part)) isTyped = true;
      else if (!isTyped && !list.isThere()) continue;
      passing = passing.then(() => pass(part));
    }
  };
  stdin.on('data', onData);
  // A listener does not restart a stream that was paused before.
  stdin.resume();
  return {
    input,
    end(): void {
      ended = true;
      stdin.removeListener('data', onData);
      stdin.pause();
    },
  };
}
