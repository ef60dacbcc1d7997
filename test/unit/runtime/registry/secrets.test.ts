import { expect, test } from 'vitest';
import { tokensIn } from '../../../../src/protocol/secret-shapes.ts';
import { isSecretName } from '../../../../src/runtime/registry/publish/secrets.ts';

test.each([
  ['a GitHub token', `const t = 'ghp_${'aB3d'.repeat(9)}';`],
  ['an npm token', `npm_${'aB3d'.repeat(9)}`],
  ['an npm token', '//registry.acme.test/:_authToken=abcdef'],
  ['an AWS access key', 'AKIAIOSFODNN7EXAMPLE'],
  ['a Slack token', `xoxb-${'1234567890-abc'.repeat(2)}`],
  ['a Stripe key', `sk_live_${'aB3d'.repeat(6)}`],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----'],
  ['a key of a Weir runtime', `weir_${'aB-d'.repeat(10)}xyz`],
  ['a password in a URL', 'postgres://ann:hunter2@db.acme.test/orders'],
])('%s is found, by its line', (what, text) => {
  expect(tokensIn(`first\n${text}`)).toEqual([{ what, line: 2 }]);
});

test.each([
  'https://user:pass@host/',
  'https://${user}:${password}@host/',
  'https://api.acme.test:8080/@me',
  '//registry.acme.test/:_authToken=${NPM_TOKEN}',
  'sk-short',
  'const skipped = "task-management-and-some-more-words-here";',
])('%s is not a secret', (text) => {
  expect(tokensIn(text)).toEqual([]);
});

test('names of files that are secret', () => {
  const names = ['.env', 'a/.env.local', '.npmrc', '.weir/weir.db', 'keys/server.pem', 'id_rsa'];
  expect(names.filter(isSecretName)).toEqual(names);
  expect(['a/key.mjs', 'credentials.mjs', 'README.md'].filter(isSecretName)).toEqual([]);
});
