import type { AccountHealth, GrantKind } from '../../store/configuration/accounts.ts';
import type { Tokens } from './server.ts';

/** Health of an account that has just got a token (pure). */
export function healthOf(
  { expiresIn, scope }: Pick<Tokens, 'expiresIn' | 'scope'>,
  {
    now,
    kind,
    scope: asked,
    canRefresh,
    refreshed,
  }: {
    readonly now: number;
    readonly kind: GrantKind;
    /** The requested scope: a provider that returns none has granted it. */
    readonly scope: string;
    readonly canRefresh: boolean;
    readonly refreshed: boolean;
  },
): AccountHealth {
  return {
    kind,
    status: 'healthy',
    error: null,
    obtainedAt: now,
    expiresAt: expiresIn === undefined ? null : now + expiresIn * 1000,
    refreshedAt: refreshed ? now : null,
    retryAt: null,
    failures: 0,
    scopes: (scope ?? asked).split(/[\s,]+/).filter((one) => one !== ''),
    canRefresh,
  };
}
