/** The state of an account, in the words that every interface uses (pure). */
import type { Account } from './catalogue.ts';

export interface AccountHealth {
  /** `dead`: it does nothing more until its user connects it again. */
  readonly state: 'healthy' | 'expiring' | 'failing' | 'dead';
  /** Why it is not healthy, or until when. */
  readonly why: string | null;
}

/** A token that nothing renews is said to expire this long before. */
const noticeMs = 7 * 24 * 3_600_000;

/**
 * @param now epoch ms
 * @returns undefined of keys that were typed in, unless their app was seen to refuse them: nobody knows how those are
 */
export function accountHealth(
  {
    healthy,
    dead,
    error = null,
    expires_at: expires = null,
    renews = false,
  }: Pick<Account, 'healthy' | 'dead' | 'error' | 'expires_at' | 'renews'>,
  now: number,
): AccountHealth | undefined {
  if (dead === undefined) return healthy ? undefined : { state: 'failing', why: error };
  if (dead) return { state: 'dead', why: error };
  if (!healthy) return { state: 'failing', why: error };
  if (expires === null || renews) return { state: 'healthy', why: null };
  const left = Date.parse(expires) - now;
  const at = `${expires.slice(0, 16).replace('T', ' ')} UTC`;
  if (left <= 0)
    return { state: 'dead', why: `Its token expired at ${at}. Connect the account again.` };
  return left > noticeMs
    ? { state: 'healthy', why: null }
    : { state: 'expiring', why: `Its token ends at ${at}. Connect the account again by then.` };
}
