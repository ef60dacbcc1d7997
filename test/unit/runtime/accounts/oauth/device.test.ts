/** The device grant with a clock that passes when told to, against a server with the habits of GitHub. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Accounts } from '../../../../../src/runtime/accounts/accounts.ts';
import { createSealer } from '../../../../../src/runtime/accounts/seal.ts';
import { OAuthClients } from '../../../../../src/runtime/accounts/oauth/clients.ts';
import { AllowedCommands } from '../../../../../src/runtime/accounts/oauth/command.ts';
import { Connections } from '../../../../../src/runtime/accounts/oauth/connections.ts';
import { clientMethodOf } from '../../../../../src/runtime/accounts/oauth/methods.ts';
import { appsIn } from '../../../../support/apps.ts';
import { atEndOfTest } from '../../../../support/at-end.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { newStore } from '../../../../support/store.ts';

/** @param answers of the token endpoint, one after the other, the last one for ever */
async function deviceWorld(answers: readonly object[], errorStatus: number) {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    const isToken = request.url === '/token';
    const body = isToken
      ? answers[Math.min(asked++, answers.length - 1)]
      : {
          device_code: 'marker-device',
          user_code: 'ABCD-1234',
          verification_uri: 'https://acme.test/device',
          interval: 5,
          expires_in: 900,
        };
    const isError = isToken && body !== undefined && 'error' in body;
    response.writeHead(isError ? errorStatus : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfTest(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'user'));
  const method = {
    type: 'oauth2',
    grants: ['device'],
    token_url: `${url}/token`,
    device_url: `${url}/device`,
    response: { error_in_200: errorStatus === 200 },
  };
  const text = JSON.stringify({ app: 'acme', name: 'Acme', methods: [method] });
  writeFileSync(join(folder, 'user', 'acme.json'), text);
  const { store } = await newStore();
  const { apps } = appsIn(folder, store.settings);
  const sealer = createSealer({ bytes: Buffer.alloc(32, 1), origin: '/conf/key' });
  const clock = new FakeClock(1_000_000);
  const { now } = clock;
  const common = { sealer, now };
  const accounts = new Accounts({ ...common, table: store.accounts, newId: () => 'apn_1' });
  const folderOfClients = join(folder, 'clients');
  const clients = new OAuthClients({ ...common, folder: folderOfClients, newId: () => 'oa_1' });
  const { definition } = apps.get('acme');
  clients.add(definition, clientMethodOf(definition), { id: 'me', secret: '' });
  const allowedCommands = new AllowedCommands(store.settings);
  const connections = new Connections({
    accounts,
    apps,
    clients,
    allowedCommands,
    clock,
    connected: () => {},
  });
  atEndOfTest(() => Promise.resolve(connections.close()));
  const {
    session,
    user_code: _,
    ...started
  } = await connections
    .start({ app: 'acme', grant: 'device' })
    .then((connection) => ({ ...connection, user_code: connection.userCode }));
  /** Waits for the next poll to be due, and lets it happen. @returns its seconds */
  const poll = async (): Promise<number> => {
    const before = asked;
    const seconds = Math.min(...clock.waits) / 1000;
    clock.pass(seconds * 1000);
    await expect.poll(() => asked).toBe(before + 1);
    return seconds;
  };
  return { connections, session, started, clock, poll, accounts, asked: () => asked };
}

const good = { access_token: 'at', token_type: 'bearer' };
const pending = { error: 'authorization_pending' };

test.each([
  ['clause 10: errors with status 400', 400],
  ['clause 11: errors with status 200, as GitHub has them', 200],
])('%s: polling goes on, and slows down by 5 s when asked to', async (_what, status) => {
  const answers = [pending, { error: 'slow_down' }, pending, good];
  const { connections, session, started, poll, clock, accounts } = await deviceWorld(
    answers,
    status,
  );
  expect(started).toMatchObject({
    userCode: 'ABCD-1234',
    verificationUri: 'https://acme.test/device',
  });
  const waited: number[] = [];
  for (const _ of answers) {
    await expect.poll(() => clock.waits.some((ms) => ms <= 20_000)).toBe(true);
    waited.push(await poll());
  }
  expect(waited).toEqual([5, 5, 10, 10]);
  const ended = await connections.wait(session, new AbortController().signal);
  expect(ended).toMatchObject({ status: 'connected', account: 'apn_1' });
  expect(accounts.credentials('apn_1')).toEqual({
    oauth_access_token: 'at',
    oauth_client_id: 'me',
  });
});

test('clause 10: a code that has run out, a refusal and a cancellation end it', async () => {
  const over = await deviceWorld([{ error: 'expired_token' }], 400);
  await over.poll();
  expect(await over.connections.wait(over.session, new AbortController().signal)).toMatchObject({
    status: 'failed',
    error: 'The code has run out before anybody entered it.',
  });

  const denied = await deviceWorld([{ error: 'access_denied' }], 400);
  await denied.poll();
  const said = await denied.connections.wait(denied.session, new AbortController().signal);
  expect(said.error).toContain('access_denied');

  const given = await deviceWorld([pending], 400);
  given.connections.cancel(given.session);
  given.clock.pass(60_000);
  expect(given.connections.get(given.session).status).toBe('cancelled');
  expect(given.asked()).toBe(0);
});
