/** The runtime's own log: what happened to Weir, never payloads or secrets. */
import { appendFileSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';

export type Level = 'debug' | 'info' | 'warn' | 'error';
export type Log = (level: Level, message: string) => void;

const keepBytes = 1_000_000;

/**
 * Appends to `<folder>/runtime.log` (the previous one is kept as `runtime.log.1` once it passed 1 MB).
 * @param inPlace false once another folder stands at the path, whose log belongs to another runtime:
 * what is said from then on goes to where the file was taken.
 * @param echo is given each line too; `weir serve` prints it.
 */
export function createLog(
  folder: string,
  now: () => number,
  inPlace: () => boolean,
  echo?: (level: Level, line: string) => void,
): Log {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'runtime.log');
  if (sizeOf(file) > keepBytes) renameSync(file, `${file}.1`);
  const descriptor = openSync(file, 'a', 0o600);
  return (level, message) => {
    const line = `${new Date(now()).toISOString()} ${level} ${message}`;
    echo?.(level, line);
    try {
      appendFileSync(inPlace() ? file : descriptor, `${line}\n`, { mode: 0o600 });
    } catch (error) {
      // A full disk must not end the runtime because of its log; the store reports it loudly.
      echo?.('warn', `The log file could not be written: ${String(error)}`);
    }
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The log text for a thrown value: a sentence made for people, otherwise its stack. */
export function describeError(error: unknown): string {
  if (WeirError.is(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
