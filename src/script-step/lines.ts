import type { Readable } from 'node:stream';

/** Calls back for each line of a stream, also for a last one without an end. Resolves at the stream's end. */
export function eachLine(stream: Readable, line: (text: string) => void): Promise<void> {
  return new Promise((resolve) => {
    let rest = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) line(part);
    });
    stream.on('close', () => {
      if (rest !== '') line(rest);
      resolve();
    });
    stream.on('error', () => undefined);
  });
}
