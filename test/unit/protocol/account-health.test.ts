import { expect, test } from 'vitest';
import { accountHealth } from '../../../src/protocol/account-health.ts';

const now = Date.parse('2026-11-24T00:00:00.000Z');
const good = { healthy: true, dead: false, error: null, expires_at: null, renews: false };
const inDays = (days: number) => new Date(now + days * 24 * 3_600_000).toISOString();

test.each([
  ['keys that were typed in', { healthy: true }, undefined],
  ['keys that their app refused', { healthy: false, error: 'no' }, { state: 'failing', why: 'no' }],
  ['a token without an end', good, { state: 'healthy', why: null }],
  [
    'one that is renewed',
    { ...good, expires_at: inDays(-1), renews: true },
    { state: 'healthy', why: null },
  ],
  [
    'one that ends in eight days',
    { ...good, expires_at: inDays(8) },
    { state: 'healthy', why: null },
  ],
  [
    'one that ends in seven days',
    { ...good, expires_at: inDays(7) },
    {
      state: 'expiring',
      why: 'Its token ends at 2026-12-01 00:00 UTC. Connect the account again by then.',
    },
  ],
  [
    'one that has ended',
    { ...good, expires_at: inDays(0) },
    { state: 'dead', why: 'Its token expired at 2026-11-24 00:00 UTC. Connect the account again.' },
  ],
  [
    'a refresh that failed',
    { ...good, healthy: false, error: 'late' },
    { state: 'failing', why: 'late' },
  ],
  [
    'a grant that is gone',
    { ...good, healthy: false, dead: true, error: 'revoked' },
    { state: 'dead', why: 'revoked' },
  ],
] as const)('%s', (_, account, expected) => {
  expect(accountHealth(account, now)).toEqual(expected);
});
