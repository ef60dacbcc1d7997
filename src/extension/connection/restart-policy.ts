/** When a runtime that died is started again. */

/** Starts within the window after which we give up and ask the person. */
const maxStarts = 5;
const windowMs = 60_000;
const firstDelayMs = 500;
const maxDelayMs = 8000;

export type Restart =
  | { readonly restart: true; readonly delayMs: number }
  | { readonly restart: false };

/**
 * @param losses when a runtime was lost or failed to start, epoch ms, oldest first, the latest included
 * @returns at once after the first loss, then 0.5 s, 1 s, …, 8 s; no more after five in a minute
 */
export function planRestart(losses: readonly number[], now: number): Restart {
  const recent = losses.filter((at) => now - at < windowMs).length;
  if (recent > maxStarts) return { restart: false };
  const delayMs = recent <= 1 ? 0 : Math.min(firstDelayMs * 2 ** (recent - 2), maxDelayMs);
  return { restart: true, delayMs };
}
