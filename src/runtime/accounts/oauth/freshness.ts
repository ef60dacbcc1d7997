/** When a token is refreshed, and when a refresh that failed is tried again (pure). */
import type { AccountHealth } from '../../store/configuration/accounts.ts';

/** A run that begins now ends before its token does. */
const spareMs = 60_000;

/**
 * Whether a refresh has to come before a run.
 * @param runMs the longest that the run may take
 */
export function isDue(health: AccountHealth, now: number, runMs: number): boolean {
  const { status, canRefresh, expiresAt, obtainedAt, retryAt } = health;
  if (!canRefresh || status === 'dead' || expiresAt === null) return false;
  // The clock may have been set back meanwhile: then nobody knows how long the token lives.
  const isBefore = now < obtainedAt - spareMs;
  if (retryAt !== null && now < retryAt && retryAt - now <= longestRetryMs) return false;
  // At most half of its life: else a short one would be refreshed at each run.
  const margin = Math.min(runMs + spareMs, (expiresAt - obtainedAt) / 2);
  return isBefore || now >= expiresAt - margin;
}

/** Whether a token is over and there is no new one: what has just been refreshed is good, however short it lives. */
export function isOver({ expiresAt, canRefresh, error }: AccountHealth, now: number): boolean {
  return expiresAt !== null && now >= expiresAt && (!canRefresh || error !== null);
}

/** What to do about an expired token, in one or two sentences. */
export function expiredMessage(name: string, { expiresAt, error, retryAt }: AccountHealth): string {
  const since = new Date(expiresAt ?? 0).toISOString();
  const again = retryAt === null ? '' : ` It is tried again at ${new Date(retryAt).toISOString()}.`;
  return error === null
    ? `The token of the account ${name} expired at ${since}, and there is nothing to refresh it with. Connect the account again.`
    : `The token of the account ${name} expired at ${since} and could not be refreshed: ${error}${again}`;
}

const firstRetryMs = 5000;
const longestRetryMs = 300_000;

/** How long a refresh is not tried again after so many that failed in a row. */
export function retryAfter(failures: number): number {
  return Math.min(firstRetryMs * 2 ** Math.max(0, failures - 1), longestRetryMs);
}
