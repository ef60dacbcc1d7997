/** A timer as people write it on a command line. */
export type Schedule = { readonly intervalSeconds: number } | { readonly cron: string };

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90`, `90s`, `15m`, `2h`, `1d` or a cron expression; undefined for anything else. */
export function parseSchedule(text: string): Schedule | undefined {
  const trimmed = text.trim();
  const interval = /^(\d+)([smhd]?)$/.exec(trimmed);
  if (interval !== null) {
    return { intervalSeconds: Number(interval[1]) * (units[interval[2] ?? ''] ?? 1) };
  }
  // The runtime reads the expression; the number of fields tells it from a slip of the keyboard.
  return /^(?:\S+\s+){4,5}\S+$/.test(trimmed) ? { cron: trimmed } : undefined;
}
