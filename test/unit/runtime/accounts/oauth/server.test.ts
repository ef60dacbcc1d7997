import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { checkDefinition } from '../../../../../src/runtime/accounts/apps/read.ts';
import { OAuthServer } from '../../../../../src/runtime/accounts/oauth/server.ts';
import { atEndOfTest } from '../../../../support/at-end.ts';

const secret = 's e+c/r:et';
const keys = { id: 'oa_1', clientId: 'my id', clientSecret: secret };

/** What a token endpoint is sent. */
async function sent(
  more: object,
  answer = (): [number, string] => [200, '{"access_token":"at","token_type":"bearer"}'],
) {
  const seen = { authorization: '', type: '', body: '' };
  const server = createServer((request, response) => {
    seen.authorization = request.headers.authorization ?? '';
    seen.type = request.headers['content-type'] ?? '';
    request.on('data', (piece: Buffer) => void (seen.body += piece.toString()));
    request.on('end', () => {
      const [status, body] = answer();
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfTest(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const method = { type: 'oauth2', authorization_url: `${url}/a`, token_url: `${url}/t`, ...more };
  const [checked] = checkDefinition({ app: 'acme', name: 'A', methods: [method] }, 'acme').methods;
  if (checked?.type !== 'oauth2') throw new Error('It is one.');
  return { seen, tokens: new OAuthServer(checked, {}, keys).refresh('marker-refresh') };
}

test('clause 14: the client says who it is in the body, in a header, or has no secret to say', async () => {
  const post = await sent({});
  await post.tokens;
  expect(Object.fromEntries(new URLSearchParams(post.seen.body))).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'marker-refresh',
    client_id: 'my id',
    client_secret: secret,
  });

  const basic = await sent({ client_auth: 'basic' });
  await basic.tokens;
  expect(Buffer.from(basic.seen.authorization.slice(6), 'base64').toString()).toBe(
    'my+id:s+e%2Bc%2Fr%3Aet',
  );
  expect(basic.seen.body).not.toContain('client_secret');

  const none = await sent({ client_auth: 'none' });
  await none.tokens;
  expect(none.seen.body).toContain('client_id=my+id');
  expect(none.seen.body + none.seen.authorization).not.toContain('secret');

  const json = await sent({ token_body: 'json', refresh_params: { more: '1' } });
  await json.tokens;
  expect(json.seen.type).toBe('application/json');
  expect(JSON.parse(json.seen.body)).toMatchObject({ client_secret: secret, more: '1' });
});

const wordsForDead = [
  ['GitHub', 'bad_refresh_token'],
  ['Slack', 'invalid_refresh_token'],
  ['Slack', 'token_revoked'],
  ['Zoho', 'invalid_code'],
] as const;

test.each(wordsForDead)('clause 18: %s says that a grant is over: %s', async (_app, error) => {
  const answer = (): [number, string] => [200, JSON.stringify({ ok: false, error })];
  const { tokens } = await sent({ response: { error_in_200: true } }, answer);
  await expect(tokens).rejects.toMatchObject({ kind: 'dead', code: error });
});

test('clause 18: what is over and what passes are told apart, and no secret is repeated', async () => {
  const kindOf = async (status: number, body: object) => {
    const { tokens } = await sent({}, () => [status, JSON.stringify(body)]);
    return tokens.catch((error: unknown) => error);
  };
  expect(await kindOf(400, { error: 'invalid_grant' })).toMatchObject({ kind: 'dead' });
  expect(await kindOf(401, { error: 'invalid_client' })).toMatchObject({ kind: 'refused' });
  expect(await kindOf(500, { error: 'invalid_grant' })).toMatchObject({ kind: 'unreachable' });
  expect(await kindOf(429, {})).toMatchObject({ kind: 'unreachable' });
  const talkative = await kindOf(400, {
    error: 'invalid_grant',
    error_description: `marker-refresh of ${secret} is over`,
  });
  expect(String(talkative)).toContain('… of … is over');
});
