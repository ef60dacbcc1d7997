/** Apps that send events to sources with an apphook, from outside: real sources of the registry, signed requests. */
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type {
  Account,
  EmittedEvent,
  Invocation,
  LogLine,
  Source,
} from '../../src/protocol/catalogue.ts';
import { deploy as deployVerb } from '../../src/cli/verbs/deploy.ts';
import { runCli } from '../support/cli.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { registryScope } from '../support/registry-packages.ts';
import { startRuntime, type TestRuntime, useRuntime } from '../support/runtime.ts';
import { sendAsGitHub, sendAsSlack, sendAsZoom } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { enter, typeCommand } from './support/terminal.ts';

/** Unlike any other text: nothing that is stored or shown may have it. */
const secret = 'signing-marker-5d1f0c9be7';

interface World {
  readonly folder: string;
  readonly runtime: TestRuntime;
  readonly account: Account;
}

const shared = useRuntime();

/** The runtime of all tests, with this account and nothing else. */
async function world(app: string, given: string | null = secret): Promise<World> {
  for (const kind of ['sources', 'accounts']) {
    const all = await shared.restData<readonly { id: string }[]>('GET', `/v1/${kind}`);
    for (const { id } of all) await shared.restData('DELETE', `/v1/${kind}/${id}`);
  }
  return withAccount(shared, shared.folder, app, given);
}

/** A runtime of its own, for what ends it. */
async function ownWorld(app: string, given: string | null = secret): Promise<World> {
  const folder = temporaryFolder();
  return withAccount(await startRuntime({ folder }), folder, app, given);
}

async function withAccount(
  runtime: TestRuntime,
  folder: string,
  app: string,
  given: string | null,
): Promise<World> {
  const account = await runtime.restData<Account>('POST', '/v1/accounts', {
    app,
    credentials: { oauth_access_token: 'xoxp-1', oauth_uid: 'U1' },
    signing_secret: given,
  });
  return { folder, runtime, account };
}

const slackSource = (name: string): string =>
  join(registryScope, 'slack', 'sources', name, `${name}.mjs`);

function deploy({ runtime }: World, path: string, props: object = {}): Promise<Source> {
  const body = { component_path: path, configured_props: props };
  return runtime.restData<Source>('POST', '/v1/sources', body);
}

const events = async ({ runtime }: World, { id }: Source): Promise<EmittedEvent[]> =>
  await runtime.restData('GET', `/v1/sources/${id}/event_summaries?limit=100&expand=event`);

const runs = async ({ runtime }: World, { id }: Source): Promise<Invocation[]> =>
  (await runtime.restData<Invocation[]>('GET', `/v1/sources/${id}/invocations?limit=100`)).filter(
    ({ hook }) => hook === null,
  );

/** Resolves when nothing waits or runs any more. */
const settled = (here: World, source: Source): Promise<Invocation[]> =>
  until('its runs to end', async () => {
    const all = await runs(here, source);
    return all.every(({ status }) => status === 'succeeded') && all;
  });

/** What the Events API wraps an event in. */
const wrapped = (event: object, eventId: string): object => ({
  token: 'deprecated',
  team_id: 'T1',
  api_app_id: 'A1',
  event,
  type: 'event_callback',
  event_id: eventId,
  event_time: 1_700_000_000,
});

const channelCreated = {
  type: 'channel_created',
  channel: { id: 'C024BE91L', name: 'fun', created: 1_360_782_804, creator: 'U024BE7LH' },
  event_ts: '1714140253.000100',
};

test('Slack: sources of the registry get what they asked for, from one address', async () => {
  const here = await world('slack');
  const created = await deploy(here, slackSource('new-channel-created'));
  const messages = await deploy(here, slackSource('new-message-in-channels'), {
    conversations: ['C1'],
    resolveNames: false,
  });
  const direct = await deploy(here, slackSource('new-direct-message'));
  const url = created.webhook?.url ?? '';
  expect(created.webhook).toMatchObject({
    app: 'slack',
    account: here.account.id,
    has_secret: true,
    one_address: true,
    secret_name: 'Signing Secret',
    event_names: ['channel_created'],
  });
  expect(url).toBe(here.account.webhook?.url);
  expect(messages.webhook).toMatchObject({ url, event_names: ['C1'] });
  expect(created.endpoint_url).toBeNull();

  const challenge = { token: 'x', challenge: '3eZbrw1aBm2rZgRNFdxV', type: 'url_verification' };
  expect(await sendAsSlack(url, challenge, { secret })).toEqual({
    status: 200,
    type: 'text/plain; charset=utf-8',
    body: challenge.challenge,
  });

  const message = { type: 'message', text: 'Grüße ✓', user: 'U2', ts: '1.2', event_ts: '1.2' };
  const inChannel = { ...message, channel: 'C1', channel_type: 'channel', client_msg_id: 'm1' };
  const elsewhere = { ...message, channel: 'C2', channel_type: 'channel', client_msg_id: 'm2' };
  const toMe = { ...message, channel: 'D1', channel_type: 'im', client_msg_id: 'm3' };
  const sent = [channelCreated, inChannel, elsewhere, toMe].map(
    (event, at) => [event, `Ev${at}`] as const,
  );
  for (const [event, eventId] of sent) {
    expect(await sendAsSlack(url, wrapped(event, eventId), { secret })).toMatchObject({
      status: 200,
      body: '',
    });
  }
  expect(await settled(here, created)).toHaveLength(1);
  expect(await settled(here, messages)).toHaveLength(1);
  expect(await settled(here, direct)).toHaveLength(1);
  expect(await events(here, created)).toMatchObject([
    { event: channelCreated, metadata: { summary: 'New channel created - fun' } },
  ]);
  expect(await events(here, messages)).toMatchObject([
    { event: inChannel, metadata: { id: 'm1' } },
  ]);
  expect(await events(here, direct)).toMatchObject([{ event: toMe, metadata: { id: 'm3' } }]);
});

test('Slack: interactions come as forms, by action and channel', async () => {
  const here = await world('slack');
  const path = slackSource('new-interaction-event-received');
  const source = await deploy(here, path, { action_ids: ['approve'], conversations: ['C1'] });
  expect(source.webhook?.event_names).toEqual(['interaction_events:C1:approve']);
  const url = source.webhook?.url ?? '';
  const pressed = (channel: string, action: string) => ({
    type: 'block_actions',
    user: { id: 'U1' },
    channel: { id: channel },
    actions: [{ action_id: 'other' }, { action_id: action }],
    trigger_id: `${channel}.${action}`,
  });
  const send = (channel: string, action: string) =>
    sendAsSlack(url, pressed(channel, action), { secret, as: 'form' });
  expect(await send('C1', 'approve')).toMatchObject({ status: 200, body: '' });
  expect(await send('C2', 'approve')).toMatchObject({ status: 200 });
  expect(await send('C1', 'reject')).toMatchObject({ status: 200 });
  expect(await settled(here, source)).toHaveLength(1);
  expect(await events(here, source)).toMatchObject([
    { event: { event: pressed('C1', 'approve') } },
  ]);
});

test('what is not signed as it should be is refused and runs nothing', async () => {
  const here = await world('slack');
  const source = await deploy(here, slackSource('new-channel-created'));
  const url = source.webhook?.url ?? '';
  const body = wrapped(channelCreated, 'Ev1');
  const now = Date.now() / 1000;
  const refused = [
    sendAsSlack(url, body, { secret: 'another' }),
    sendAsSlack(url, body, { secret, tampered: JSON.stringify(wrapped({}, 'Ev2')) }),
    sendAsSlack(url, body, { secret, at: now - 301 }),
    sendAsSlack(url, body, { secret, at: now + 302 }),
    sendAsSlack(url, body, { secret, headers: { 'x-slack-signature': 'v0=' } }),
    sendAsSlack(url, body, { secret, headers: { 'x-slack-request-timestamp': 'soon' } }),
    sendAsSlack(url, { challenge: 'c', type: 'url_verification' }, { secret: 'another' }),
    // What callers of other endpoints may ask for is nothing that an app signs.
    sendAsSlack(`${url}?pipedream_upload_body=1`, body, { secret: 'another' }),
  ];
  for (const answer of await Promise.all(refused)) {
    expect(answer.status).toBe(401);
    expect(answer.body).not.toContain(secret);
  }
  expect((await fetch(url)).status).toBe(401);
  expect((await fetch(url.replace(/.$/, '_'))).status).toBe(404);
  expect(await runs(here, source)).toEqual([]);
  const logs = await here.runtime.restData<LogLine[]>(
    'GET',
    `/v1/sources/${source.id}/logs?limit=100`,
  );
  const told = logs.filter(({ text }) => text.startsWith('A request of its app was refused'));
  // One line, however often somebody tries.
  expect(told).toHaveLength(1);

  expect(await sendAsSlack(url, body, { secret, at: now - 290 })).toMatchObject({ status: 200 });
  expect(await settled(here, source)).toHaveLength(1);
});

test('a delivery that is sent again runs once, also after a kill -9 behind its 200', async () => {
  const here = await ownWorld('slack');
  const source = await deploy(here, slackSource('new-channel-created'));
  const path = new URL(source.webhook?.url ?? '').pathname;
  const send = (runtime: TestRuntime, eventId: string, headers = {}) =>
    sendAsSlack(new URL(path, runtime.url).href, wrapped(channelCreated, eventId), {
      secret,
      headers,
    });
  const retried = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' };
  const answers = await Promise.all([
    send(here.runtime, 'Ev1'),
    send(here.runtime, 'Ev1', retried),
    send(here.runtime, 'Ev2'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await here.runtime.kill();

  const runtime = await startRuntime({ folder: here.folder });
  const again = { ...here, runtime };
  expect(await send(runtime, 'Ev1', retried)).toMatchObject({ status: 200 });
  expect(await send(runtime, 'Ev3')).toMatchObject({ status: 200 });
  expect(await settled(again, source)).toHaveLength(3);
  expect(await events(again, source)).toHaveLength(3);
});

test('Zoom: it validates the address, and events come by name', async () => {
  const here = await world('zoom');
  const path = await sourceFile(
    here.folder,
    'meetings.mjs',
    `export default {
      name: 'Meetings', dedupe: 'unique',
      props: {
        app: { type: 'app', app: 'zoom' },
        kinds: { type: 'string[]' },
        apphook: { type: '$.interface.apphook', appProp: 'app', eventNames() { return this.kinds; } },
      },
      run(event) { this.$emit(event, { id: event.payload.object.uuid, summary: event.event }); },
    };`,
  );
  const source = await deploy(here, path, {
    kinds: ['meeting.started', 'meeting.created.by_me', 'meeting.created.for_me'],
  });
  const url = source.webhook?.url ?? '';
  const validation = {
    payload: { plainToken: 'qgg8vlvZRS6UYooatFL8Aw' },
    event_ts: 1_654_503_849_680,
    event: 'endpoint.url_validation',
  };
  const answer = await sendAsZoom(url, validation, { secret });
  expect(answer).toMatchObject({ status: 200, type: 'application/json' });
  expect(JSON.parse(answer.body)).toEqual({
    plainToken: 'qgg8vlvZRS6UYooatFL8Aw',
    encryptedToken: createHmac('sha256', secret).update('qgg8vlvZRS6UYooatFL8Aw').digest('hex'),
  });
  // Whoever could have a token signed could sign requests, too.
  expect((await sendAsZoom(url, validation, { secret: 'another' })).status).toBe(401);

  const happened = (event: string, uuid: string) => ({
    event,
    event_ts: 1_626_230_691_572,
    payload: { account_id: 'AAA', object: { uuid, id: '1234567890', topic: 'My Meeting' } },
  });
  const send = (event: string, uuid: string, at?: number) =>
    sendAsZoom(url, happened(event, uuid), { secret, ...(at !== undefined && { at }) });
  expect((await send('meeting.started', 'a')).status).toBe(200);
  expect((await send('meeting.started', 'a', Date.now() / 1000 - 5000)).status).toBe(200);
  expect((await send('meeting.created', 'b')).status).toBe(200);
  expect((await send('meeting.ended', 'c')).status).toBe(200);
  expect((await send('meeting.started', 'd', Date.now() / 1000 - 7300)).status).toBe(401);
  expect(await settled(here, source)).toHaveLength(2);
  expect(await events(here, source)).toMatchObject([
    { event: happened('meeting.created', 'b') },
    { event: happened('meeting.started', 'a') },
  ]);
});

test('GitHub: each source has an address of its own, and that of the account feeds them all', async () => {
  const here = await world('github');
  const file = (name: string, names: string) =>
    sourceFile(
      here.folder,
      `${name}.mjs`,
      `export default {
        name: '${name}',
        props: {
          github: { type: 'app', app: 'github' },
          hook: { type: '$.interface.apphook', appProp: 'github', ${names} },
        },
        run(event) { this.$emit({ ...event, source: '${name}' }); },
      };`,
    );
  const issues = await deploy(here, await file('issues', `static: ['issues.opened', 'push']`));
  const all = await deploy(here, await file('all', ''));
  expect(issues.webhook).toMatchObject({
    one_address: false,
    event_names: ['issues.opened', 'push'],
  });
  expect(all.webhook?.event_names).toBeNull();
  expect(new URL(issues.webhook?.url ?? '').pathname).toMatch(/^\/h\/hi_/);
  expect(issues.webhook?.url).not.toBe(all.webhook?.url);

  const own = issues.webhook?.url ?? '';
  const ping = await sendAsGitHub(
    own,
    'ping',
    { zen: 'Design for failure.' },
    { secret, delivery: '1' },
  );
  expect(ping).toMatchObject({ status: 200, body: 'pong' });
  const opened = { action: 'opened', issue: { number: 7 } };
  const send = (url: string, event: string, content: object, delivery: string, by = secret) =>
    sendAsGitHub(url, event, content, { secret: by, delivery });
  expect((await send(own, 'issues', opened, '2')).status).toBe(200);
  expect((await send(own, 'issues', { action: 'closed' }, '3')).status).toBe(200);
  expect((await send(own, 'push', { ref: 'refs/heads/main' }, '4', 'another')).status).toBe(401);
  expect(await settled(here, issues)).toHaveLength(1);
  expect(await settled(here, all)).toHaveLength(0);

  // At both addresses: the source that has it already does not run again.
  const shared = here.account.webhook?.url ?? '';
  expect((await send(shared, 'issues', opened, '2')).status).toBe(200);
  expect(await settled(here, issues)).toHaveLength(1);
  expect(await settled(here, all)).toHaveLength(1);
  expect(await events(here, all)).toMatchObject([{ event: { ...opened, source: 'all' } }]);
});

test('the secret is entered, changed and taken away, and is shown nowhere', async () => {
  const here = await ownWorld('slack', null);
  const { runtime, account, folder } = here;
  const source = await deploy(here, slackSource('new-channel-created'));
  expect(source.webhook?.has_secret).toBe(false);
  const url = source.webhook?.url ?? '';
  const send = (id: string, by = secret) =>
    sendAsSlack(url, wrapped(channelCreated, id), { secret: by });
  // Slack sends it again, so that it is not lost while the secret is looked up.
  expect((await send('Ev1')).status).toBe(503);
  const change = (signing_secret: unknown) =>
    runtime.rest('PUT', `/v1/accounts/${account.id}`, { signing_secret });
  expect(await change(` ${secret}\n`)).toMatchObject({
    status: 200,
    body: { data: { webhook: { has_secret: true, url } } },
  });
  expect((await send('Ev1')).status).toBe(200);
  expect((await change('rotated-in-slack')).status).toBe(200);
  expect((await send('Ev2')).status).toBe(401);
  expect((await send('Ev2', 'rotated-in-slack')).status).toBe(200);
  expect(await change('')).toMatchObject({ status: 400 });
  expect((await change(secret)).status).toBe(200);
  expect(await settled(here, source)).toHaveLength(2);

  const keys = await runtime.restData('GET', `/v1/accounts/${account.id}?include_credentials=true`);
  expect(JSON.stringify(keys)).not.toContain(secret);
  const shown = [
    await runtime.weir('accounts', 'show', account.id),
    await runtime.weir('describe', source.id),
    await runtime.weir('logs', source.id),
    await runtime.weir('doctor'),
  ];
  expect(shown.map(({ stdout, stderr }) => stdout + stderr).join('\n')).not.toContain(secret);
  expect(runtime.output()).not.toContain(secret);
  expect((await change(null)).status).toBe(200);
  expect((await send('Ev3')).status).toBe(503);
  expect((await change(secret)).status).toBe(200);
  await runtime.stop();
  const filesWith = (text: string): string =>
    spawnSync('grep', ['-rlaF', text, folder], { encoding: 'utf8' }).stdout.trim();
  expect(filesWith('channel_created')).not.toBe('');
  expect(filesWith(secret)).toBe('');
});

test('command line: the address and what to do with it; the secret is asked for, or piped in', async () => {
  const here = await world('slack', null);
  const { runtime, account, folder } = here;
  const path = slackSource('new-channel-created');
  const url = account.webhook?.url ?? '';
  const deployed = await runtime.weir('deploy', path);
  expect(deployed.stdout).toMatch(/^webhook: +http.*\/h\/ah_/m);
  expect(deployed.stdout).toContain('Event Subscriptions');
  expect(deployed.stderr).toContain(`weir accounts update ${account.id} --signing-secret`);
  const doctor = await runtime.weir('doctor');
  expect(doctor.stdout).toMatch(
    /events of slack for .*: They are refused, because the Signing Secret is not entered/,
  );

  const data = ['--data', join(folder, 'data')];
  const screen = typeCommand(deployVerb, folder, 'deploy', path, '--name', 'Second', ...data);
  await screen.shows('Signing Secret (not shown):');
  await screen.type(secret, enter);
  expect(await screen.code).toBe(0);
  expect(screen.screen()).toContain(url);
  expect(screen.screen()).not.toContain(secret);
  expect((await sendAsSlack(url, wrapped(channelCreated, 'Ev1'), { secret })).status).toBe(200);

  const options = { configFolder: join(folder, 'config') };
  const update = ['accounts', 'update', account.id, '--signing-secret', ...data];
  const changed = await runCli(update, { ...options, stdin: 'changed\n' });
  expect(changed).toMatchObject({ code: 0, stderr: '' });
  expect(changed.stdout).toContain('Signing Secret: entered');
  expect((await sendAsSlack(url, wrapped(channelCreated, 'Ev2'), { secret })).status).toBe(401);
  expect(await runCli(update, options)).toMatchObject({
    code: 2,
    stderr: 'weir: The signing secret is empty.\n',
  });

  const described = await runtime.weir('describe', 'second');
  expect(described.stdout).toMatch(/^webhook: +http.*\/h\/ah_/m);
  expect(described.stdout).toMatch(/^app events: +channel_created$/m);
  expect((await runtime.weir('apps', 'slack')).stdout).toMatch(/^signed with: +Signing Secret$/m);
  const none = await runtime.restData<Account>('POST', '/v1/accounts', {
    app: 'x',
    credentials: {},
  });
  expect(await runtime.weir('accounts', 'update', none.id, '--signing-secret')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No definition says how x sends events') as string,
  });
});

test('without a definition it is fed by hand; one in the workspace brings its address', async () => {
  const here = await world('acme', null);
  const { runtime, folder, account } = here;
  const path = await sourceFile(
    folder,
    'acme.mjs',
    `export default {
      name: 'Acme orders',
      props: {
        acme: { type: 'app', app: 'acme' },
        hook: { type: '$.interface.apphook', appProp: 'acme', eventNames() { throw new Error('nobody asks'); } },
      },
      run(event) { this.$emit(event); },
    };`,
  );
  const source = await deploy(here, path);
  expect(source.webhook).toBeUndefined();
  expect(account.webhook).toBeUndefined();
  const run = await runtime.weir('invoke', source.id, '--event', '{"order":1}');
  expect(run.code).toBe(0);
  expect(await events(here, source)).toMatchObject([{ event: { order: 1 } }]);
  expect(
    await runtime.rest('PUT', `/v1/accounts/${account.id}`, { signing_secret: 'x' }),
  ).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('weir/apps/acme.json') as string },
  });

  mkdirSync(join(folder, 'weir', 'apps'), { recursive: true });
  const definition = {
    app: 'acme',
    name: 'Acme',
    methods: [{ type: 'keys', fields: [{ name: 'api_key', secret: true }] }],
    webhook: {
      register: 'Enter it at acme.example.',
      secret: 'webhook key',
      signature: { header: 'x-acme', algorithm: 'sha512', encoding: 'base64' },
      refused: 403,
      challenges: [
        { when: { 'query:challenge': true }, signed: false, answer: '{query:challenge}' },
      ],
      events: [{ event: '/data', names: ['{/kind}'], delivery: '{header:x-id}' }],
    },
  };
  writeFileSync(join(folder, 'weir', 'apps', 'acme.json'), JSON.stringify(definition));
  const refused = await runtime.rest('PUT', `/v1/sources/${source.id}`, { component_path: path });
  expect(refused).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining('eventNames of hook failed: nobody asks') as string },
  });
  await sourceFile(
    folder,
    'acme.mjs',
    `export default {
      name: 'Acme orders',
      props: {
        acme: { type: 'app', app: 'acme' },
        hook: { type: '$.interface.apphook', appProp: 'acme', async eventNames() { return ['order.' + this.acme.$auth.oauth_uid]; } },
      },
      run(event) { this.$emit(event); },
    };`,
  );
  const updated = await runtime.restData<Source>('PUT', `/v1/sources/${source.id}`, {
    component_path: path,
  });
  expect(updated.webhook).toMatchObject({ event_names: ['order.U1'], has_secret: false });
  await runtime.restData('PUT', `/v1/accounts/${account.id}`, { signing_secret: secret });
  const url = updated.webhook?.url ?? '';
  const challenged = await fetch(`${url}?challenge=${encodeURIComponent('<b>{body}')}`);
  expect(await challenged.text()).toBe('<b>{body}');
  expect(challenged.headers.get('x-content-type-options')).toBe('nosniff');
  const send = async (body: string, given?: string) => {
    const signature = given ?? createHmac('sha512', secret).update(body).digest('base64');
    const headers = { 'x-acme': signature, 'x-id': body };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };
  expect(await send('{"kind":"order.U1","data":{"order":2}}')).toBe(200);
  expect(await send('{"kind":"order.U2","data":{"order":3}}')).toBe(200);
  expect(await send('{"kind":"order.U1","data":{}}', 'AAAA')).toBe(403);
  expect(await send('order 4')).toBe(400);
  expect(await settled(here, source)).toHaveLength(2);
  expect(await events(here, source)).toMatchObject([
    { event: { order: 2 } },
    { event: { order: 1 } },
  ]);
});
