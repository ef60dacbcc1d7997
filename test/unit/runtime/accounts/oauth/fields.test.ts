import { expect, test } from 'vitest';
import { filledAddress, fieldsOf } from '../../../../../src/runtime/accounts/oauth/fields.ts';

test.each([
  ['https://{host}.acme.test/token', 'eu', 'https://eu.acme.test/token'],
  ['https://{host}.acme.test/token', 'EU.west', 'https://EU.west.acme.test/token'],
  ['https://{host}/token', 'git.acme.test:8443', 'https://git.acme.test:8443/token'],
  ['https://api{host}.acme.test/token', '', 'https://api.acme.test/token'],
  ['https://{host}:8443/token', 'acme.test', 'https://acme.test:8443/token'],
  ['https://acme.test/{host}/token', 'my tenant', 'https://acme.test/my tenant/token'],
])('%s takes %s', (address, host, filled) => {
  expect(filledAddress(address, { host })).toBe(filled);
});

test.each([
  ['https://{host}.acme.test/token', 'evil.test/'],
  ['https://{host}.acme.test/token', 'evil.test\\'],
  ['https://{host}.acme.test/token', 'evil.test?'],
  ['https://{host}.acme.test/token', 'evil.test#'],
  ['https://{host}.acme.test:8443/token', 'evil.test:8443/'],
])(
  '%s does not lead elsewhere by %j, whatever the pattern of its definition takes',
  async (address, evil) => {
    const fields = await fieldsOf({ fields: [{ name: 'host', pattern: '.*', default: evil }] }, {});
    expect(() => filledAddress(address, fields)).toThrow(`${address} leads to evil.test`);
  },
);

test('a password stands in no address', () => {
  expect(() => filledAddress('https://{host}/token', { host: ':pass@acme.test' })).toThrow(
    'is not an address',
  );
});
