/** Which secrets a component's process hides in what it prints. */
import { expect, test } from 'vitest';
import { hideSecrets, learnSecrets } from '../../../../../src/component/host/output/run-secrets.ts';

test('a secret that is still in use is hidden however many tokens were refreshed', () => {
  for (let n = 0; n < 1200; n++) {
    const accounts = { apn_1: { oauth_access_token: `token-number-${n}` } };
    learnSecrets(['signing'], { props: { signing: 'signing-secret' }, accounts });
  }
  expect(hideSecrets('signing-secret token-number-1199')).toBe('[signing] [oauth_access_token]');
});

test('of secrets that were picked from a list the values are hidden, and no label', () => {
  const one = { label: 'The first key', value: 'first-secret' };
  const list = { __lv: [one, { label: 'The second key', value: 'second-secret' }] };
  learnSecrets(['one', 'list'], { props: { one: { __lv: one }, list }, accounts: {} });
  expect(hideSecrets('The first key: first-secret, second-secret')).toBe(
    'The first key: [one], [list]',
  );
});
