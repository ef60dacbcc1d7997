/** A timer as a person writes it: an interval ("15m", "90 seconds") or a cron expression. */
export type Schedule =
  | { readonly intervalSeconds: number }
  | { readonly cron: string; readonly timezone?: string };

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** The platform's smallest interval, in seconds (reference §9). */
const minSeconds = 15;

/** Returns the schedule, or one sentence about what is wrong with it. */
export function parseSchedule(text: string): Schedule | string {
  const trimmed = text.trim();
  const interval = /^(\d+)\s*(s|m|h|d)[a-z]*$/i.exec(trimmed);
  if (interval !== null) {
    const seconds = Number(interval[1]) * (units[(interval[2] ?? 's').toLowerCase()] ?? 1);
    if (seconds < minSeconds) return `The shortest interval is ${minSeconds} seconds.`;
    return { intervalSeconds: seconds };
  }
  // The runtime checks the expression itself; five fields is what tells it from a mistyped interval.
  if (/^(\S+\s+){4,5}\S+$/.test(trimmed)) return { cron: trimmed };
  return 'Write an interval such as 15m, or a cron expression such as 0 9 * * 1-5.';
}
