import type { Readable } from 'node:stream';

/** Calls back for each line of a stream, also for a last one without an end. Resolves at the stream's end. */
export function eachLine(stream: Readable | null, line: (text: string) => void): Promise<void> {
  if (stream === null) return Promise.resolve();
  return new Promise((resolve) => {
    // Joined when its end is there: a line of 10 MB comes in many pieces.
    let pieces: string[] = [];
    const end = (last: string): void => {
      const text = pieces.length === 0 ? last : pieces.join('') + last;
      pieces = [];
      line(text.endsWith('\r') ? text.slice(0, -1) : text);
    };
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      const parts = chunk.split('\n');
      const rest = parts.pop() ?? '';
      for (const part of parts) end(part);
      if (rest !== '') pieces.push(rest);
    });
    stream.on('close', () => {
      if (pieces.length > 0) end('');
      resolve();
    });
    stream.on('error', () => undefined);
  });
}
