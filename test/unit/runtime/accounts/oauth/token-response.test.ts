import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { checkDefinition } from '../../../../../src/runtime/accounts/apps/read.ts';
import {
  normaliseTokenResponse,
  type ResponseRules,
} from '../../../../../src/runtime/accounts/oauth/token-response.ts';

const as = { issuer: 'https://acme.test', token_endpoint: 'https://acme.test/token' };
const client = { client_id: 'id' };

function rulesOf(response: object): ResponseRules {
  const [method] = checkDefinition(
    {
      app: 'acme',
      name: 'Acme',
      methods: [
        {
          type: 'oauth2',
          authorization_url: 'https://acme.test/a',
          token_url: 'https://acme.test/token',
          response,
        },
      ],
    },
    'acme',
  ).methods;
  if (method?.type !== 'oauth2') throw new Error('It is one.');
  return method.response;
}

const json = (body: object, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });
const good = { access_token: 'at', token_type: 'Bearer', expires_in: 3600, refresh_token: 'rt' };

const habits: readonly (readonly [string, () => Response, object])[] = [
  [
    'a body like that of a form',
    () =>
      new Response('access_token=at&token_type=bearer&expires_in=3600', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    { form: true },
  ],
  ['no token_type', () => json({ access_token: 'at' }), { token_type: true }],
  ['a token_type of its own', () => json({ ...good, token_type: 'bot' }), { token_type: true }],
  ['status 201', () => json(good, 201), { any_success: true }],
  ['null for no refresh token', () => json({ ...good, refresh_token: null }), { loose: true }],
  ['scope as a list', () => json({ ...good, scope: ['a', 'b'] }), { loose: true }],
  [
    'a nested token',
    () => json({ ok: true, token_type: 'Bearer', authed_user: { access_token: 'at' } }),
    { access_token: '/authed_user/access_token' },
  ],
];

const process = async (rules: ResponseRules, response: Response) =>
  oauth.processRefreshTokenResponse(
    as,
    client,
    await normaliseTokenResponse(rules, true, response),
  );

test.each(habits)(
  'clause 13: %s passes with its rule, and fails without',
  async (_habit, answer, rule) => {
    await expect(process(rulesOf({}), answer())).rejects.toBeInstanceOf(Error);
    expect(await process(rulesOf(rule), answer())).toMatchObject({ access_token: 'at' });
  },
);

test('clause 13: the nested lifetime of a nested token counts, with its rule', async () => {
  const nested = { access_token: 'at', refresh_token: 'rt', expires_in: 43_200 };
  const answer = () => json({ ok: true, token_type: 'Bearer', authed_user: nested });
  const token = { access_token: '/authed_user/access_token' };
  expect(await process(rulesOf(token), answer())).not.toHaveProperty('expires_in');
  const whole = { ...token, expires_in: '/authed_user/expires_in' };
  expect(await process(rulesOf(whole), answer())).toMatchObject({ expires_in: 43_200 });
  const atTop = () => json({ ...good, expires_in: 60 });
  expect(await process(rulesOf(whole), atTop())).toMatchObject({ expires_in: 60 });
});

test('clause 13: an error with status 200 is one, with its rule', async () => {
  const answer = () => json({ error: 'bad_refresh_token', error_description: 'over' });
  await expect(process(rulesOf({}), answer())).rejects.not.toMatchObject({
    error: 'bad_refresh_token',
  });
  await expect(process(rulesOf({ error_in_200: true }), answer())).rejects.toMatchObject({
    error: 'bad_refresh_token',
  });
});

test('without a known issuer an ID token is left out', async () => {
  const response = await normaliseTokenResponse(
    rulesOf({}),
    false,
    json({ ...good, id_token: 'x' }),
  );
  expect(await response.json()).toEqual(good);
});
