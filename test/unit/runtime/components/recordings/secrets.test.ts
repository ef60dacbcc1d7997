import { expect, test } from 'vitest';
import { maskOf } from '../../../../../src/protocol/mask.ts';
import { removed } from '../../../../../src/protocol/secret-shapes.ts';
import { secretsMask } from '../../../../../src/runtime/components/recordings/run-secrets.ts';
import { secretsOf } from '../../../../../src/runtime/components/recordings/secrets.ts';
import { shareable } from '../../../../../src/runtime/components/recordings/shareable.ts';
import { originalText } from '../../../../../src/runtime/workflows/import/write-workflow.ts';

const secret = 'pä+s/s wörd&"1"\\';
const bytes = Buffer.from(secret);
const json = JSON.stringify(secret).slice(1, -1);

test.each<readonly [string, string]>([
  ['as it is', `x${secret}y`],
  ['in JSON', JSON.stringify({ a: secret })],
  ['in JSON in JSON', JSON.stringify({ a: JSON.stringify({ b: secret }) })],
  ['in a URL', `https://a.example/?k=${encodeURIComponent(secret)}`],
  [
    'in a URL, in small letters',
    encodeURIComponent(secret).replaceAll(/%../g, (it) => it.toLowerCase()),
  ],
  ['in a form', new URLSearchParams({ a: secret, b: '1' }).toString()],
  ['in base64', bytes.toString('base64')],
  ['in base64 for URLs', bytes.toString('base64url')],
  ['in hexadecimal digits', bytes.toString('hex')],
  ['in XML', `<a>${secret.replaceAll('&', '&amp;')}</a>`],
  ...['', 'u', 'us', 'use'].map(
    (user) =>
      [
        `in Basic of "${user}"`,
        `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`,
      ] as const,
  ),
  ['in base64 with more behind', Buffer.from(`${secret}, and more`).toString('base64')],
])('a value is hidden %s', (_, text) => {
  const shown = maskOf({ KEY: secret }).text(text);
  expect(shown).toContain('[KEY]');
  const inner = bytes.toString('base64').slice(4, -4);
  for (const form of [secret, json, inner, bytes.toString('hex')])
    expect(shown).not.toContain(form);
});

test('secret props of every shape are hidden, and accounts and variables', () => {
  const mask = secretsMask({
    definition: {
      props: [
        { name: 'one', type: 'string', secret: true },
        { name: 'all', type: 'string[]', secret: true },
        { name: 'map', type: 'object', secret: true },
        { name: 'open', type: 'string' },
      ],
    },
    props: {
      one: 'first-secret',
      all: ['second-secret'],
      map: { deep: { x: 12345678 } },
      open: 'open-value',
    },
    accounts: { app: { oauth_access_token: 'third-secret' } },
    environment: maskOf({ NAME: 'fourth-secret' }),
  });
  const shown = JSON.stringify(
    mask.value({
      text: 'first-secret second-secret 12345678 third-secret fourth-secret open-value',
      number: 12345678,
    }),
  );
  expect(shown).not.toMatch(/-secret|12345678/);
  expect(shown).toContain('open-value');
  expect(mask.text('first-secret')).toBe(removed);
});

test.each([
  [{ password: 'hunter2' }, ['PASSWORD']],
  [{ token: 'abc' }, ['TOKEN']],
  [{ auth: { token: 'abc' } }, ['HTTP_TOKEN']],
  [
    { dbPassword: 'x', client_secret: 'y', 'api-key': 'z', accessToken: 'a' },
    ['DB_PASSWORD', 'CLIENT_SECRET', 'API_KEY', 'ACCESS_TOKEN'],
  ],
  [
    { headers: [{ name: 'Authorization', value: 'Bearer 0123456789abcdef0123' }] },
    ['AUTHORIZATION'],
  ],
  [{ headers: [{ name: 'X-Api-Key', value: 'abc' }] }, ['X_API_KEY']],
  [{ url: 'https://user:pass@host.example/' }, ['URL']],
  [{ url: 'https://host.example/?api_key=abc' }, ['URL']],
  [{ list: ['https://hooks.slack.com/services/T0/B0/0123456789abcdefXYZ'] }, ['LIST']],
  [
    {
      password: '{{process.env.P}}',
      next_page_token: 'x',
      passwordHint: 'y',
      url: 'https://a.example/?q=1',
      tokens: 3,
      secret: 'two words',
    },
    [],
  ],
])('secrets in %j', (value, names) => {
  expect([...secretsOf(value, [])].map(({ name }) => name)).toEqual(names);
  expect([...secretsOf(shareable(value, '', maskOf({})).value, [])]).toEqual([]);
});

test('what is kept of an export has no secrets, and is kept to the letter without them', () => {
  const value = { steps: [{ configured_props: { token: 'sk-live-0123', text: 'a' } }] };
  expect(originalText(value, JSON.stringify(value))).not.toContain('sk-live');
  expect(originalText({ a: 1 }, '{"a":  1}')).toBe('{"a":  1}');
});
