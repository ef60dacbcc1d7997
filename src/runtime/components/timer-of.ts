import type { ConfigurableProp } from '../../protocol/definition.ts';

/** When a timer ticks: every so many seconds, or by a cron expression. */
export type Timer =
  | { readonly intervalSeconds: number }
  | { readonly cron: string; readonly timezone?: string };

/**
 * The schedule of a timer prop. `static` is the component's word and is not configurable; otherwise
 * what is configured wins over `default`, and that over the spelling of 2020 on the prop itself
 * (P3.8, P3.9). `cron` wins over an interval given beside it (P8.5).
 *
 * @returns undefined when no schedule is given, or none that is well formed
 */
export function timerOf(prop: ConfigurableProp, configured: unknown): Timer | undefined {
  const candidates =
    prop.static === undefined ? [configured, prop.default, prop] : [prop.static, configured];
  for (const candidate of candidates) {
    const timer = readTimer(candidate);
    if (timer !== undefined) return timer;
  }
  return undefined;
}

/** Reads both spellings: what people configure (`intervalSeconds`) and what replies show (`interval_seconds`). */
export function readTimer(value: unknown): Timer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { cron, timezone, intervalSeconds, interval_seconds } = value as Record<string, unknown>;
  if (typeof cron === 'string' && cron.trim() !== '') {
    return { cron: cron.trim(), ...(typeof timezone === 'string' ? { timezone } : {}) };
  }
  const seconds = Number(intervalSeconds ?? interval_seconds ?? Number.NaN);
  return seconds > 0 && Number.isFinite(seconds) ? { intervalSeconds: seconds } : undefined;
}
