/** Accounts that connect by OAuth, from outside. The clauses are those of docs/accounts.md. */
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Account, Connection, Workflow } from '../../src/protocol/catalogue.ts';
import { atEndOfTest } from '../support/at-end.ts';
import { gather, runCli, spawnCli } from '../support/cli.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import {
  acme,
  browse,
  clientId,
  clientSecret,
  ownRedirect,
  startProvider,
  type TestProvider,
} from '../support/oauth-provider.ts';
import { startRuntime, type TestRuntime, useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const action = `
export default {
  key: 'acme-show', name: 'Show', version: '0.0.1', type: 'action',
  props: { acme: { type: 'app', app: 'acme' } },
  run() { return { keys: Object.keys(this.acme.$auth).sort(), token: this.acme.$auth.oauth_access_token }; },
};`;

const byHand = `
export default {
  name: 'By hand', props: { acme: { type: 'app', app: 'acme' } },
  run() { this.$emit({ token: this.acme.$auth.oauth_access_token }); },
};`;

interface World {
  readonly folder: string;
  readonly provider: TestProvider;
  readonly runtime: TestRuntime;
}

const shared = useRuntime();

/** A provider of its own in the runtime of all tests, which has no account any more. */
async function world(method = {}): Promise<World> {
  const accounts = await shared.restData<readonly Account[]>('GET', '/v1/accounts');
  for (const { id } of accounts) await shared.restData('DELETE', `/v1/accounts/${id}`);
  return define(shared, shared.folder, method);
}

/** A runtime of its own, for what ends it or reads all that it has written. */
async function ownWorld(): Promise<World> {
  const folder = temporaryFolder();
  return define(await startRuntime({ folder }), folder);
}

async function define(runtime: TestRuntime, folder: string, method = {}): Promise<World> {
  const provider = await startProvider();
  mkdirSync(join(folder, 'weir', 'apps'), { recursive: true });
  const definition = JSON.stringify(acme(provider, {}, method));
  writeFileSync(join(folder, 'weir', 'apps', 'acme.json'), definition);
  await runtime.restData('POST', '/v1/oauth_clients', {
    app: 'acme',
    client_id: clientId,
    client_secret: clientSecret,
  });
  return { folder, provider, runtime };
}

const start = ({ runtime }: World, more = {}): Promise<Connection> =>
  runtime.restData('POST', '/v1/accounts/connect', { app: 'acme', ...more });

const state = ({ runtime }: World, { session }: Connection, query = ''): Promise<Connection> =>
  runtime.restData('GET', `/v1/accounts/connect/${session}${query}`);

/** Through the browser, to the end. */
async function connect(given: World, more = {}): Promise<Connection> {
  const started = await start(given, more);
  await fetch(await browse(started.authorization_url ?? ''));
  return state(given, started, '?wait=1');
}

async function show({ runtime, folder }: World): Promise<{ keys: string[]; token: string }> {
  const path = await sourceFile(folder, 'show.mjs', action);
  const run = await runtime.restData<{ return_value: { keys: string[]; token: string } }>(
    'POST',
    '/v1/actions/run',
    { component_path: path },
  );
  return run.return_value;
}

const account = ({ runtime }: World, id: string): Promise<Account> =>
  runtime.restData('GET', `/v1/accounts/${id}`);

test('clauses 1, 3, 5, 25: code with PKCE connects, and a run sees exactly what it should', async () => {
  const here = await world();
  const started = await start(here);
  const url = new URL(started.authorization_url ?? '');
  expect(url.searchParams.get('code_challenge_method')).toBe('S256');
  expect(url.search).toContain('scope=openid%20offline_access%20email');
  expect((url.searchParams.get('state') ?? '').length).toBeGreaterThanOrEqual(43);
  expect(started.redirect_uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback\/[\w-]{16}$/);
  const back = await browse(url.href);
  expect(new URL(back).searchParams.get('iss')).toBe(here.provider.url);
  await fetch(back);
  const ended = await state(here, started, '?wait=1');
  expect(ended).toMatchObject({ status: 'connected', error: null });
  expect(await account(here, ended.account ?? '')).toMatchObject({
    name: 'ann@acme.test',
    healthy: true,
    dead: false,
  });
  const { keys, token } = await show(here);
  expect(keys).toEqual(['oauth_access_token', 'oauth_client_id', 'oauth_uid']);
  const me = await fetch(`${here.provider.url}/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await me.json()).toMatchObject({ sub: 'ann' });
});

test('clauses 2, 4, 7, 8: a callback with another state, host or path is refused, and the connection stays open', async () => {
  const here = await world();
  const [one, other] = [await start(here), await start(here)];
  const back = new URL(await browse(one.authorization_url ?? ''));
  const status = async (address: string, headers = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port, pathname, search } = new URL(address);
      request({ hostname, port, path: pathname + search, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  const swapped = new URL(other.redirect_uri ?? '');
  swapped.search = back.search;
  expect(await status(swapped.href)).toBe(400);
  const missing = new URL(back);
  missing.searchParams.delete('state');
  expect(await status(missing.href)).toBe(400);
  expect(await status(back.href, { host: 'evil.test' })).toBe(403);
  expect(await status(`${back.origin}/other`)).toBe(404);
  expect((await state(here, one)).status).toBe('waiting');
  expect(here.provider.tokenRequests).toEqual([]);

  const response = await fetch(back, { redirect: 'manual' });
  expect(response.status).toBe(303);
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'");
  expect(response.headers.get('cache-control')).toBe('no-store');
  const page = await fetch(new URL(response.headers.get('location') ?? '', back));
  expect(await page.text()).toContain('You can close this page');
  expect((await state(here, one, '?wait=1')).status).toBe('connected');
  expect((await state(here, other)).status).toBe('waiting');
});

test('clause 3: an answer of another issuer, or without one, is refused', async () => {
  const here = await world();
  for (const iss of ['https://evil.test', null]) {
    const started = await start(here);
    const back = new URL(await browse(started.authorization_url ?? ''));
    if (iss === null) back.searchParams.delete('iss');
    else back.searchParams.set('iss', iss);
    await fetch(back);
    const ended = await state(here, started, '?wait=1');
    expect(ended).toMatchObject({ status: 'failed', error: expect.stringContaining('issuer') });
  }
  expect(here.provider.tokenRequests).toEqual([]);
});

test('clause 9: who says no in the browser, and who cancels, ends the connection with that reason', async () => {
  const here = await world();
  here.provider.person = 'nobody';
  expect(await connect(here)).toMatchObject({
    status: 'failed',
    error: 'Access was denied in the browser.',
  });
  const started = await start(here);
  await here.runtime.restData('DELETE', `/v1/accounts/connect/${started.session}`);
  expect((await state(here, started)).status).toBe('cancelled');
  await expect(fetch(started.redirect_uri ?? '')).rejects.toThrow('fetch failed');
});

test('clause 12: the pasted address finishes; a bare code does not', async () => {
  const here = await world();
  const started = await start(here);
  const back = new URL(await browse(started.authorization_url ?? ''));
  const path = `/v1/accounts/connect/${started.session}`;
  const bare = await here.runtime.rest('POST', path, { url: back.searchParams.get('code') });
  expect(bare.status).toBe(400);
  expect(JSON.stringify(bare.body)).toContain('Paste the whole address');
  const ended = await here.runtime.restData<Connection>('POST', path, { url: back.href });
  expect(ended.status).toBe('connected');
});

test('clauses 6, 12: pasting finishes while another program has the port that the app wants', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  atEndOfTest(() => new Promise<void>((resolve) => other.close(() => resolve())));
  const { port } = other.address() as AddressInfo;
  const here = await world({ redirect: { port, path: '/oauth/callback' } });
  const refused = await here.runtime.rest('POST', '/v1/accounts/connect', { app: 'acme' });
  expect(JSON.stringify(refused.body)).toContain('connect with --paste');
  const started = await start(here, { pasted: true });
  expect(started.redirect_uri).toBe(`http://127.0.0.1:${port}/oauth/callback`);
  const url = await browse(started.authorization_url ?? '');
  const path = `/v1/accounts/connect/${started.session}`;
  const ended = await here.runtime.restData<Connection>('POST', path, { url });
  expect(ended.status).toBe('connected');
});

test('clause 12: an app that takes no address of this machine comes back to one of its own', async () => {
  const here = await world();
  for (const redirect_uri of ['http://acme.test/back', 'https://acme.test/back?a=1', 'back']) {
    const path = '/v1/accounts/connect';
    const refused = await here.runtime.rest('POST', path, { app: 'acme', redirect_uri });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining('must be an https address without a query'),
    ]);
  }
  const cli = { configFolder: join(here.folder, 'config') };
  const address = ['--redirect-uri', ownRedirect, '--data', join(here.folder, 'data')];
  const child = spawnCli(['accounts', 'connect', 'acme', '--json', ...address], cli);
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  const url = await until('the address', () => /http:\S+\/auth\?\S+/.exec(stderr())?.[0]);
  expect(new URL(url).searchParams.get('redirect_uri')).toBe(ownRedirect);
  const back = await browse(url);
  expect(back.startsWith(`${ownRedirect}?`)).toBe(true);
  child.stdin?.end(`${back}\n`);
  await once(child, 'exit');
  expect(JSON.parse(stdout())).toMatchObject({ name: 'ann@acme.test', healthy: true });
});

test('clause 12: the whole way on the command line, without a secret as an argument', async () => {
  const here = await world();
  const cli = { configFolder: join(here.folder, 'config') };
  const data = ['--data', join(here.folder, 'data')];
  const stdin = `${clientSecret}\n`;
  const added = await runCli(['oauth-clients', 'add', 'acme', '--id', clientId, ...data], {
    ...cli,
    stdin,
  });
  expect(added.code).toBe(0);
  const child = spawnCli(['accounts', 'connect', 'acme', '--json', ...data], cli);
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  const url = await until('the address', () => /http:\S+\/auth\?\S+/.exec(stderr())?.[0]);
  await fetch(await browse(url));
  await once(child, 'exit');
  expect(JSON.parse(stdout())).toMatchObject({ name: 'ann@acme.test', healthy: true });
  const shown = await here.runtime.weir('accounts', 'list');
  expect(shown.stdout).toMatch(/ann@acme\.test +healthy/);
  expect(added.stdout + added.stderr + stdout() + stderr()).not.toContain(clientSecret);
});

test('clause 10: the device grant waits until the code is entered', async () => {
  const here = await world();
  const started = await start(here, { grant: 'device' });
  expect(started.user_code).toMatch(/\S{4,}/);
  expect(started.verification_uri).toBe(`${here.provider.url}/device`);
  await here.runtime.restData('DELETE', `/v1/accounts/connect/${started.session}`);
  expect((await state(here, started)).status).toBe('cancelled');
});

test('clauses 15, 20, 21: ten runs at the moment of expiry make one refresh, and all have the new token', async () => {
  const here = await world();
  here.provider.lifetime = 4;
  await connect(here);
  const before = await show(here);
  const refreshes = () => here.provider.tokenRequests.filter((r) => r.grant === 'refresh_token');
  expect(refreshes()).toEqual([]);
  here.provider.lifetime = 3600;
  await new Promise((resolve) => setTimeout(resolve, 2100));
  const tokens = await Promise.all(Array.from({ length: 10 }, () => show(here)));
  expect(refreshes()).toHaveLength(1);
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(1);
  expect(tokens[0]?.token).not.toBe(before.token);
});

const source = `
export default {
  key: 'acme-echo', name: 'Echo', version: '0.0.1', type: 'source',
  props: { acme: { type: 'app', app: 'acme' }, http: { type: '$.interface.http', customResponse: true } },
  async run(event) {
    const { oauth_access_token: token } = this.acme.$auth;
    if (event.query.until) await new Promise((resolve) => setTimeout(resolve, event.query.until - Date.now()));
    this.http.respond({ status: 200, body: token });
  },
};`;

test('clause 15: requests of a source that come at the moment of expiry wait for one refresh; what runs already ends with its token', async () => {
  const here = await world();
  here.provider.lifetime = 8;
  const { account: id } = await connect(here);
  const { expires_at: expires } = await account(here, id ?? '');
  // Half of its life before the end of a token that lives shorter than a run may take.
  const dueAt = Date.parse(expires ?? '') - 4000;
  const path = await sourceFile(here.folder, 'echo.mjs', source);
  const { endpoint_url: url } = await here.runtime.restData<{ endpoint_url: string }>(
    'POST',
    '/v1/sources',
    { component_path: path },
  );
  const ask = async (query = ''): Promise<string> => (await fetch(url + query)).text();
  const before = await ask();
  here.provider.lifetime = 3600;
  const slow = ask(`?until=${dueAt + 1000}`);
  await new Promise((resolve) => setTimeout(resolve, dueAt + 100 - Date.now()));
  const tokens = await Promise.all(Array.from({ length: 10 }, () => ask()));
  expect(await slow).toBe(before);
  expect(new Set(tokens).size).toBe(1);
  expect(tokens[0]).not.toBe(before);
  expect(here.provider.tokenRequests.filter((r) => r.grant === 'refresh_token')).toHaveLength(1);
});

test('clause 15: a workflow whose token would run out begins with a new one', async () => {
  const here = await world();
  here.provider.lifetime = 2;
  await connect(here);
  const folder = join(here.folder, 'orders');
  mkdirSync(folder);
  const answering = action.replace(
    'run() {',
    'run({ $ }) { $.respond({ status: 200, body: this.acme.$auth.oauth_access_token });',
  );
  await sourceFile(folder, 'show.mjs', answering);
  writeFileSync(
    join(folder, 'workflow.yaml'),
    JSON.stringify({
      schema: 'workflow/2022.04',
      name: 'Orders',
      triggers: [{ uses: '$.interface.http', props: { response: 'workflow' } }],
      steps: [{ namespace: 'show', uses: './show.mjs' }],
    }),
  );
  const { triggers } = await here.runtime.weirJson<Workflow>('deploy', folder);
  const url = triggers[0]?.endpoint_url ?? '';
  const seen = async (): Promise<string> => (await fetch(url)).text();
  const before = await seen();
  expect(before.length).toBeGreaterThan(20);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(await seen()).not.toBe(before);
});

/** Shows its token, and goes on for so long. */
const slowStep = (ms: number): string =>
  action.replace('run() {', `async run() { await new Promise((go) => setTimeout(go, ${ms}));`);

/** Asks the provider who its token is of, and answers with what that says. */
const askingStep = ({ provider }: World): string =>
  action.replace(
    'run() {',
    `async run({ steps, $ }) {
      const token = this.acme.$auth.oauth_access_token;
      const { status } = await fetch('${provider.url}/me', { headers: { authorization: 'Bearer ' + token } });
      $.respond({ status: 200, body: { status, isNew: token !== steps.slow.$return_value.token } });`,
  );

let slowWorkflows = 0;

/** Deploys it. @returns its id, and the URL of its trigger */
async function slowWorkflow(
  here: World,
  ms: number,
  isolate?: string,
): Promise<{ id: string; url: string }> {
  slowWorkflows += 1;
  const name = `slow-${slowWorkflows}`;
  const folder = join(here.folder, name);
  mkdirSync(folder);
  await sourceFile(folder, 'slow.mjs', slowStep(ms));
  await sourceFile(folder, 'ask.mjs', askingStep(here));
  writeFileSync(
    join(folder, 'workflow.yaml'),
    JSON.stringify({
      schema: 'workflow/2022.04',
      name,
      triggers: [{ uses: '$.interface.http', props: { response: 'workflow' } }],
      steps: [
        { namespace: 'slow', uses: './slow.mjs' },
        { namespace: 'ask', uses: './ask.mjs' },
      ],
      ...(isolate !== undefined && { settings: { isolate } }),
    }),
  );
  const { id, triggers } = await here.runtime.weirJson<Workflow>('deploy', folder);
  return { id, url: triggers[0]?.endpoint_url ?? '' };
}

test.each([undefined, 'step'])(
  'clause 20: a step that begins when its token is over has a new one (isolate: %s)',
  async (isolate) => {
    const here = await world();
    here.provider.lifetime = 2;
    await connect(here);
    const { url } = await slowWorkflow(here, 2500, isolate);
    expect(await (await fetch(url)).json()).toEqual({ status: 200, isNew: true });
  },
);

test('clause 20: a step whose token is over, and has nothing to renew it, fails and says so', async () => {
  const here = await world();
  here.provider.lifetime = 4;
  here.provider.leaveOut = ['refresh_token'];
  await connect(here);
  const { id, url } = await slowWorkflow(here, 4500);
  await (await fetch(url)).text();
  const [execution] = await here.runtime.restData<readonly { id: string }[]>(
    'GET',
    `/v1/workflows/${id}/executions?limit=1`,
  );
  expect(JSON.stringify(execution)).toContain('there is nothing to refresh it with');
});

test('clause 16: a refreshed token is on disk: kill -9 loses nothing', async () => {
  const here = await ownWorld();
  here.provider.lifetime = 2;
  const id = (await connect(here)).account ?? '';
  await new Promise((resolve) => setTimeout(resolve, 1100));
  here.provider.lifetime = 2;
  const { token } = await show(here);
  await here.runtime.kill();
  const again = { ...here, runtime: await startRuntime({ folder: here.folder }) };
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const next = await show(again);
  expect(next.token).not.toBe(token);
  expect(await account(again, id)).toMatchObject({ healthy: true });
  expect(here.provider.tokenRequests.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('clause 17: kill -9 before the answer: the old refresh token is tried once, and what became of it is said', async () => {
  const here = await ownWorld();
  here.provider.lifetime = 2;
  const id = (await connect(here)).account ?? '';
  await new Promise((resolve) => setTimeout(resolve, 2100));
  let isAsked = false;
  // The provider has rotated the token, and its answer never comes.
  here.provider.beforeAnswer = () => {
    isAsked = true;
    return new Promise(() => undefined);
  };
  const cutOff = show(here).catch(() => undefined);
  await until('the provider is asked', () => isAsked);
  await here.runtime.kill();
  await cutOff;
  here.provider.beforeAnswer = undefined;
  const again = { ...here, runtime: await startRuntime({ folder: here.folder }) };
  const asked = here.provider.tokenRequests.length;
  await expect(show(again)).rejects.toThrow(/could not be refreshed.*Connect the account again/s);
  await expect(show(again)).rejects.toThrow('Connect the account again');
  expect(here.provider.tokenRequests).toHaveLength(asked + 1);
  expect(await account(again, id)).toMatchObject({ healthy: false, dead: true });
});

test('clause 19: an answer without a refresh token leaves the old one, and one without expires_in has the usual time', async () => {
  const here = await world({ response: { default_expires_in: 2 } });
  here.provider.leaveOut = ['expires_in'];
  const id = (await connect(here)).account ?? '';
  const expires = Date.parse((await account(here, id)).expires_at ?? '');
  expect(expires - Date.now()).toBeGreaterThan(0);
  expect(expires - Date.now()).toBeLessThanOrEqual(2000);
  here.provider.rotates = false;
  here.provider.leaveOut = ['expires_in', 'refresh_token'];
  const tokens = new Set<string>();
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1100));
    tokens.add((await show(here)).token);
  }
  expect(tokens.size).toBe(3);
  const used = here.provider.tokenRequests
    .map(({ body }) => new URLSearchParams(body).get('refresh_token'))
    .filter((token) => token !== null);
  expect(used).toHaveLength(3);
  expect(new Set(used).size).toBe(1);

  const endless = await world();
  endless.provider.leaveOut = ['expires_in'];
  const never = (await connect(endless)).account ?? '';
  expect(await account(endless, never)).toMatchObject({ healthy: true, expires_at: null });
});

test('clause 18: a refused refresh is dead and never asked again; a failing provider is retried', async () => {
  const here = await world();
  here.provider.lifetime = 6;
  const id = (await connect(here)).account ?? '';
  await new Promise((resolve) => setTimeout(resolve, 3100));
  here.provider.broken = 503;
  // It lives for nearly three seconds still.
  await show(here);
  expect(await account(here, id)).toMatchObject({
    healthy: false,
    dead: false,
    error: expect.stringContaining('answered with 503'),
  });
  here.provider.broken = undefined;
  const checked = await here.runtime.restData<Account>('POST', `/v1/accounts/${id}/check`);
  expect(checked).toMatchObject({ healthy: true });

  // Somebody else uses the refresh token: the provider takes the whole grant away.
  const last = here.provider.tokenRequests.at(-1);
  const stolen = new URLSearchParams(last?.body);
  await fetch(`${here.provider.url}/token`, { method: 'POST', body: stolen });
  const asked = here.provider.tokenRequests.length;
  await new Promise((resolve) => setTimeout(resolve, 3100));
  await show(here);
  expect(await account(here, id)).toMatchObject({
    healthy: false,
    dead: true,
    error: expect.stringContaining('Connect the account again.'),
  });
  await show(here);
  expect(here.provider.tokenRequests).toHaveLength(asked + 1);

  const again = await connect(here, { account: id });
  expect(again).toMatchObject({ status: 'connected', account: id });
  expect(await account(here, id)).toMatchObject({ healthy: true, dead: false });
});

test('clause 20: nobody gets a token that is over; what would have had it says why, and goes on by itself', async () => {
  const here = await world();
  here.provider.lifetime = 2;
  const id = (await connect(here)).account ?? '';
  const { name } = await here.runtime.restData<Account & { name: string }>(
    'GET',
    `/v1/accounts/${id}`,
  );
  const file = await sourceFile(here.folder, 'by-hand.mjs', byHand);
  const { id: sourceId } = await here.runtime.weirJson<{ id: string }>('deploy', file);
  here.provider.broken = 503;
  await new Promise((resolve) => setTimeout(resolve, 2100));
  await sourceFile(here.folder, 'show.mjs', action);
  const refused = await here.runtime.rest('POST', '/v1/actions/run', {
    component_path: join(here.folder, 'show.mjs'),
  });
  expect(refused).toMatchObject({
    status: 409,
    body: {
      error: expect.stringMatching(
        new RegExp(
          `^The token of the account ${name} expired at .* and could not be refreshed: .*answered with 503`,
        ),
      ),
    },
  });
  const run = await here.runtime.weir('invoke', sourceId, '--json');
  expect(run.stdout + run.stderr).toContain(`The token of the account ${name} expired at`);
  here.provider.broken = undefined;
  await here.runtime.restData('POST', `/v1/accounts/${id}/check`);
  const { token } = await show(here);
  expect(token).not.toBe('');
  expect((await here.runtime.weir('invoke', sourceId, '--json')).code).toBe(0);
});

/** A token in clear would be masked. */
const refusing = `
import { createHash } from 'node:crypto';
export default {
  key: 'acme-refused', name: 'Refused', version: '0.0.1', type: 'action',
  props: { acme: { type: 'app', app: 'acme' } },
  run() {
    const token = createHash('sha256').update(this.acme.$auth.oauth_access_token).digest('hex');
    throw Object.assign(new Error(token), { response: { status: 401 } });
  },
};`;

const refusingSource = refusing
  .replace("type: 'action'", "type: 'source'")
  .replace("app: 'acme' } }", "app: 'acme' }, http: '$.interface.http' }");

test('clause 22: a run that an app answered with 401 makes the next one refresh first, once', async () => {
  const here = await world();
  await connect(here);
  const path = await sourceFile(here.folder, 'refused.mjs', refusing);
  const refreshes = () =>
    here.provider.tokenRequests.filter(({ grant }) => grant === 'refresh_token').length;
  const tokenOf = async (): Promise<string> => {
    const run = await here.runtime.restData<{ error: { message: string } }>(
      'POST',
      '/v1/actions/run',
      { component_path: path },
    );
    // What the runtime learnt of the answer is nobody else's business.
    expect(JSON.stringify(run)).not.toContain('unauthorized');
    return run.error.message;
  };
  const before = await tokenOf();
  expect(refreshes()).toBe(0);
  const after = await tokenOf();
  expect(after).not.toBe(before);
  expect(refreshes()).toBe(1);
  // 401 may mean something else: it is not asked again and again.
  expect(await tokenOf()).toBe(after);
  expect(refreshes()).toBe(1);
});

test('clause 22: so does a run of a source, and a step of a workflow', async () => {
  const here = await world();
  await connect(here);
  const refreshes = () =>
    here.provider.tokenRequests.filter(({ grant }) => grant === 'refresh_token').length;
  const path = await sourceFile(here.folder, 'refused-source.mjs', refusingSource);
  const source = await here.runtime.restData<{ endpoint_url: string }>('POST', '/v1/sources', {
    component_path: path,
  });
  await fetch(source.endpoint_url, { method: 'POST' });
  await until('the next run refreshes', async () => {
    await show(here);
    return refreshes() > 0;
  });
  expect(refreshes()).toBe(1);

  const other = await world();
  await connect(other);
  const folder = join(other.folder, 'refused');
  mkdirSync(folder);
  await sourceFile(folder, 'refused.mjs', refusing);
  writeFileSync(
    join(folder, 'workflow.yaml'),
    JSON.stringify({
      schema: 'workflow/2022.04',
      name: 'Refused',
      triggers: [{ uses: '$.interface.http' }],
      steps: [{ namespace: 'refused', uses: './refused.mjs' }],
    }),
  );
  const { triggers } = await other.runtime.weirJson<Workflow>('deploy', folder);
  await fetch(triggers[0]?.endpoint_url ?? '');
  const asked = other.provider.tokenRequests;
  await until('the next run refreshes', async () => {
    await show(other);
    return asked.filter(({ grant }) => grant === 'refresh_token').length > 0;
  });
  expect(asked.map(({ status }) => status)).toEqual([200, 200]);
});

test('clause 23: connecting again keeps id and name; another person is asked for first', async () => {
  const here = await world();
  const id = (await connect(here, { name: 'Mine' })).account ?? '';
  expect(await connect(here, { account: id })).toMatchObject({ account: id });
  here.provider.person = 'bob';
  expect(await connect(here, { account: id })).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('is of ann@acme.test, but bob@acme.test has signed in'),
  });
  expect(await connect(here, { account: id, take_over: true })).toMatchObject({ account: id });
  expect((await account(here, id)).name).toBe('Mine');
});

test('clause 24: deleting revokes; when it cannot, it deletes and says so', async () => {
  const here = await world();
  const { account: id } = await connect(here);
  const { token } = await show(here);
  const me = () =>
    fetch(`${here.provider.url}/me`, { headers: { authorization: `Bearer ${token}` } });
  expect((await me()).status).toBe(200);
  expect(await here.runtime.restData('DELETE', `/v1/accounts/${id}`)).toEqual({});
  expect(here.provider.revocations).toHaveLength(1);
  // The grant is over, and not only what was sent: its access token, too.
  expect((await me()).status).toBe(401);

  const { account: other } = await connect(here);
  here.provider.isAway = true;
  expect(await here.runtime.restData('DELETE', `/v1/accounts/${other}`)).toEqual({
    note: expect.stringContaining('The grant could not be revoked: '),
  });
  await expect(account(here, other ?? '')).rejects.toThrow('404');
});

test('client credentials connect at once, and are asked for again when they run out', async () => {
  const here = await world();
  here.provider.lifetime = 2;
  const started = await start(here, { grant: 'client_credentials', scopes: [] });
  expect(started).toMatchObject({ status: 'connected' });
  const before = await show(here);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect((await show(here)).token).not.toBe(before.token);
});

test('clause 28: a definition that sends tokens elsewhere since is refused', async () => {
  const here = await world();
  const path = join(here.folder, 'weir', 'apps', 'acme.json');
  writeFileSync(
    path,
    JSON.stringify(acme(here.provider, {}, { token_url: 'https://evil.test/t' })),
  );
  const refused = await here.runtime.rest('POST', '/v1/accounts/connect', { app: 'acme' });
  expect(refused.status).toBe(409);
  expect(JSON.stringify(refused.body)).toContain('sends tokens to other addresses');
});

test('clauses 26, 27: no secret stands in a file, in the log, or in what is said', async () => {
  const here = await ownWorld();
  here.provider.lifetime = 2;
  const id = (await connect(here)).account ?? '';
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const { token } = await show(here);
  here.provider.broken = 400;
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await here.runtime.restData('POST', `/v1/accounts/${id}/check`);
  const lists = await here.runtime.weir('accounts', 'list');
  const doctor = await here.runtime.weir('doctor');
  expect(doctor.stdout).toMatch(
    /account ann@acme\.test of acme: .*gave an answer that is none of OAuth/,
  );
  const clients = await here.runtime.weir('oauth-clients', 'list', '--json');
  const refreshToken = here.provider.tokenRequests
    .map(({ body }) => new URLSearchParams(body).get('refresh_token'))
    .find((one) => one !== null);
  const code = new URLSearchParams(here.provider.tokenRequests[0]?.body).get('code');
  await here.runtime.stop();
  const said = here.runtime.output() + lists.stdout + lists.stderr + clients.stdout;
  // Nobody has the store open now: doctor reads it by itself.
  const alone = await here.runtime.weir('doctor', '--json');
  expect(JSON.parse(alone.stdout)).toContainEqual(
    expect.objectContaining({ name: 'account ann@acme.test of acme' }),
  );
  expect(clients.stdout).toContain(clientId);
  const heard = said + doctor.stdout + alone.stdout;
  const secrets = [clientSecret, token, refreshToken, code].map(String);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10);
    expect(heard).not.toContain(secret);
  }
  const found = files(here.folder).filter((file) => {
    const text = readFileSync(file, 'latin1');
    return secrets.some((secret) => text.includes(secret));
  });
  expect(found).toEqual([]);
});

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
