/** A schedule as a person types it (pure). */

/** `900`, or five or six fields of cron, with a time zone behind them or not. */
export function timerProps(typed: string): Record<string, unknown> {
  if (/^\d+$/.test(typed)) return { intervalSeconds: Number(typed) };
  const words = typed.split(/\s+/);
  const last = words.at(-1) ?? '';
  const hasZone = words.length > 5 && /^[A-Za-z]+(?:\/[\w+-]+)*$/.test(last);
  const cron = (hasZone ? words.slice(0, -1) : words).join(' ');
  return { cron, ...(hasZone && { timezone: last }) };
}
