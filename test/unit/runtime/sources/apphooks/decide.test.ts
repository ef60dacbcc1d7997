import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { decide } from '../../../../../src/runtime/sources/apphooks/decide.ts';
import { expand, readRequest } from '../../../../../src/runtime/sources/apphooks/request.ts';
import { signatureProblem } from '../../../../../src/runtime/sources/apphooks/signature.ts';
import { builtIn } from '../../../../../src/runtime/accounts/apps/built-in/all.ts';
import { checkDefinition } from '../../../../../src/runtime/accounts/apps/read.ts';
import type { AppWebhook } from '../../../../../src/runtime/accounts/apps/webhook-schema.ts';

function webhookOf(app: string): AppWebhook {
  const written = builtIn.find((one) => one.app === app);
  const { webhook } = checkDefinition(written, app);
  if (webhook === undefined) throw new Error(`${app} has no webhook.`);
  return webhook;
}

const requestOf = (
  body: string,
  headers: Record<string, string>,
  secret: string,
  formField?: string,
) => readRequest({ headers, query: '', body: Buffer.from(body) }, formField, secret);

// The examples of the vendors' documentation.
const slackBody =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
const slackSecret = '8f742231b10e8888abcd99yyyzzz85a5';
const slackHeaders = {
  'content-type': 'application/x-www-form-urlencoded',
  'x-slack-request-timestamp': '1531420618',
  'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
};
const slackTime = 1_531_420_618_000;

test("the signatures of the vendors' own examples are good", () => {
  const slack = requestOf(slackBody, slackHeaders, slackSecret);
  expect(signatureProblem(webhookOf('slack'), slack, slackTime)).toBeUndefined();
  const github = requestOf(
    'Hello, World!',
    {
      'x-hub-signature-256':
        'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
    "It's a Secret to Everybody",
  );
  expect(signatureProblem(webhookOf('github'), github, 0)).toBeUndefined();
});

test.each<[string, { body?: string; secret?: string; now?: number; headers?: object }, RegExp]>([
  ['another body', { body: `${slackBody}&x=1` }, /another secret, or of another body/],
  ['another secret', { secret: 'x' }, /another secret/],
  ['300 s later', { now: slackTime + 300_000 }, /^$/],
  ['301 s later', { now: slackTime + 301_000 }, /more than 300 s/],
  ['301 s before', { now: slackTime - 301_000 }, /more than 300 s/],
  ['no signature', { headers: { 'x-slack-signature': undefined } }, /has no x-slack-signature/],
  [
    'no time',
    { headers: { 'x-slack-request-timestamp': undefined } },
    /has no x-slack-request-timestamp/,
  ],
  [
    'a time that is none',
    { headers: { 'x-slack-request-timestamp': 'NaN' } },
    /has no x-slack-request-timestamp/,
  ],
  ['a signature cut short', { headers: { 'x-slack-signature': 'v0=a2114d57' } }, /another secret/],
  [
    'a signature in capitals',
    { headers: { 'x-slack-signature': slackHeaders['x-slack-signature'].toUpperCase() } },
    /another secret/,
  ],
])('%s', (_name, { body = slackBody, secret = slackSecret, now = slackTime, headers }, problem) => {
  const given = Object.fromEntries(
    Object.entries({ ...slackHeaders, ...headers }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  const found = signatureProblem(webhookOf('slack'), requestOf(body, given, secret), now);
  expect(found ?? '').toMatch(problem);
});

test('a slash command is an interaction in its channel', () => {
  const request = requestOf(slackBody, slackHeaders, slackSecret, 'payload');
  expect(decide(webhookOf('slack'), request, slackTime)).toMatchObject({
    is: 'event',
    names: new Set(['interaction_events', 'interaction_events:G8PSS9T3V']),
    json: expect.stringContaining('"command":"/webhook-collect"') as string,
  });
});

/** As Slack sends it at `slackTime`. */
function slackDecides(content: unknown) {
  const body = typeof content === 'string' ? content : JSON.stringify(content);
  const signature = createHmac('sha256', slackSecret).update(`v0:1531420618:${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': `v0=${signature}`,
  };
  return decide(webhookOf('slack'), requestOf(body, headers, slackSecret, 'payload'), slackTime);
}

test.each<[string, object, string[]]>([
  [
    'a message in a channel',
    { type: 'message', channel: 'C1', channel_type: 'channel' },
    ['message', 'message.channel', 'C1', 'message:C1'],
  ],
  [
    'a reaction',
    { type: 'reaction_added', item: { type: 'message', channel: 'C1' } },
    ['reaction_added', 'reaction_added:C1'],
  ],
  [
    'a channel that is an object',
    { type: 'channel_created', channel: { id: 'C1' } },
    ['channel_created'],
  ],
])('names of %s', (_name, event, names) => {
  const decided = slackDecides({ type: 'event_callback', event_id: 'Ev1', event });
  expect(decided).toMatchObject({
    is: 'event',
    json: JSON.stringify(event),
    names: new Set(names),
  });
});

test('the same event has the same delivery, another one another', () => {
  const delivery = (id: string) => {
    const decided = slackDecides({ type: 'event_callback', event_id: id, event: { type: 'x' } });
    return decided.is === 'event' ? decided.delivery : undefined;
  };
  expect(delivery('Ev1')).toMatch(/^[\w-]{22}$/);
  expect(delivery('Ev1')).toBe(delivery('Ev1'));
  expect(delivery('Ev1')).not.toBe(delivery('Ev2'));
});

test('what is signed and no event is taken, and text that is not JSON is refused', () => {
  expect(slackDecides({ type: 'app_rate_limited', team_id: 'T1' })).toEqual({ is: 'nothing' });
  expect(slackDecides({ type: 'event_callback' })).toEqual({ is: 'nothing' });
  expect(slackDecides([])).toEqual({ is: 'nothing' });
  expect(slackDecides('no JSON')).toMatchObject({ is: 'refused', status: 400 });
});

test('placeholders: one text for each value, none without one, and no text is read twice', () => {
  const content = {
    a: 'one',
    list: [{ id: 'x' }, { id: '{/a}' }, { no: 1 }],
    'with/slash': { 'and~tilde': 2 },
    object: {},
  };
  const request = requestOf(JSON.stringify(content), { 'x-kind': 'k' }, 's');
  expect(expand(request, '{header:x-kind}.{/a}')).toEqual(['k.one']);
  expect(expand(request, '{/a}:{/list/*/id}')).toEqual(['one:x', 'one:{/a}']);
  expect(expand(request, '{/with~1slash/and~0tilde}')).toEqual(['2']);
  expect(expand(request, '{/object}')).toEqual([]);
  expect(expand(request, '{/constructor}')).toEqual([]);
  expect(expand(request, '{header:constructor}')).toEqual([]);
  expect(expand(request, 'plain')).toEqual(['plain']);
});
