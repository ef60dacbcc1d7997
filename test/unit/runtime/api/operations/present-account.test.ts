/** A token that is over and that nothing renews is dead in every face, though no refresh has failed. */
import { expect, test } from 'vitest';
import { presentAccount } from '../../../../../src/runtime/api/operations/present.ts';

const now = Date.parse('2026-11-24T00:00:00.000Z');
const health = {
  status: 'healthy',
  error: null,
  obtainedAt: now - 10_000,
  expiresAt: now,
  refreshedAt: null,
  retryAt: null,
  failures: 0,
  scopes: [],
  canRefresh: false,
} as const;
const account = { id: 'apn_1', name: 'A', app: 'acme', createdAt: 0, updatedAt: 0 };

test.each([
  ['over', health, { healthy: false, dead: true }],
  ['not over yet', { ...health, expiresAt: now + 1 }, { healthy: true, dead: false }],
  ['renewed', { ...health, canRefresh: true }, { healthy: true, dead: false }],
  ['without an end', { ...health, expiresAt: null }, { healthy: true, dead: false }],
  [
    'dead before',
    { ...health, status: 'dead', error: 'revoked' },
    { healthy: false, dead: true, error: 'revoked' },
  ],
] as const)('one that is %s', (_, given, expected) => {
  expect(presentAccount({ ...account, health: given }, {}, now)).toMatchObject(expected);
});
