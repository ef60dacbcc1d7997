/** A line of JSON for each request that has ended, in a file or on standard output. */
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Log } from '../base/log.ts';
import type { OnRequested } from './requested.ts';

export interface RequestLog {
  readonly write: OnRequested;
  close(): Promise<void>;
}

/** So much may wait for a disk, or a reader of standard output, before lines are left out. */
const mostWaiting = 8 * 1024 * 1024;

/** @param target path of a file that is appended to, or `-` */
export function openRequestLog(target: string, now: () => number, log: Log): RequestLog {
  const isStdout = target === '-';
  const out: Writable = isStdout
    ? process.stdout
    : createWriteStream(target, { flags: 'a', mode: 0o600 });
  let failed = false;
  let leftOut = 0;
  const onError = (error: Error): void => {
    if (!failed) log('warn', `Requests are no longer written to ${target}: ${error.message}`);
    failed = true;
  };
  out.on('error', onError);
  return {
    write(requested) {
      if (failed) return;
      if (out.writableLength > mostWaiting) {
        leftOut += 1;
        return;
      }
      const more = leftOut > 0 ? { left_out: leftOut } : {};
      leftOut = 0;
      out.write(
        `${JSON.stringify({ at: new Date(now()).toISOString(), ...requested, ...more })}\n`,
      );
    },
    close: () =>
      new Promise((resolve) => {
        if (isStdout || failed) {
          out.off('error', onError);
          resolve();
        } else out.end(() => resolve());
      }),
  };
}
