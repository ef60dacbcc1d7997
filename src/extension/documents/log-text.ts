import type { LogLine } from '../../protocol/catalogue.ts';

/** A line as VS Code writes and colours those of a log, with the local time at which it was printed. */
export function logText({ ts, level, text }: Pick<LogLine, 'ts' | 'level' | 'text'>): string {
  return `${localTime(ts)} [${level}] ${text}`;
}

/** "2026-11-22 14:05:09.007" @param at epoch ms */
function localTime(at: number): string {
  const zone = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - zone).toISOString().replace('T', ' ').slice(0, -1);
}
