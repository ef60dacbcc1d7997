import { expect } from 'vitest';
import { type FakeSlack, startSlack } from '../fakes/slack.ts';
import { type Stage, suite } from '../support/suite.ts';

const send = 'slack/actions/send-message-to-channel';

export const slack = suite({
  app: 'slack',
  hosts: ['slack.com'],
  credentials: { oauth_access_token: 'xoxp', oauth_uid: 'U1' },
  start: (atEnd) => startSlack('xoxp', atEnd),
  scenarios: [
    {
      component: 'slack/sources/new-channel-created',
      shows: 'the event of an apphook; dedupe unique',
      play: newChannel,
    },
    {
      component: 'slack/actions/list-channels',
      shows: 'pages by cursor, through the client of the third party and async-retry',
      play: listChannels,
    },
    {
      component: send,
      shows: 'additionalProps edits hidden props in place; a default; blocks as JSON in a form',
      play: sendMessage,
    },
    {
      component: 'slack/actions/approve-workflow',
      shows: '$.flow.suspend gives its URLs at once; options by function input values',
      play: approve,
    },
  ],
});

async function newChannel({ world, account }: Stage<FakeSlack>): Promise<void> {
  const source = await world.deploy('slack/sources/new-channel-created', { slack: account });
  const event = { type: 'channel_created', client_msg_id: 'M1', channel: { name: 'grain' } };
  const run = await world.invoke(source, event);
  expect(run.emitted).toMatchObject([
    { event, metadata: { id: 'M1', summary: 'New channel created - grain' } },
  ]);
  await world.invoke(source, event);
  expect(await world.events(source, 1)).toHaveLength(1);
}

async function listChannels({ world, account }: Stage<FakeSlack>): Promise<void> {
  const props = { slack: account, pageSize: 2, numPages: 5 };
  const run = await world.act('slack/actions/list-channels', props);
  expect(run).toMatchObject({
    summary: 'Successfully found 3 channels',
    return_value: { channels: [{ name: 'general' }, { name: 'mill' }, { name: 'grain' }] },
  });
}

async function sendMessage({ world, fake, account }: Stage<FakeSlack>): Promise<void> {
  const props = { slack: account, conversation: 'C1', text: 'It *turns*.', mrkdwn: true };
  const hiddenOf = async (more: object) => {
    const { configurable_props } = await world.props(send, { ...props, ...more });
    return configurable_props.filter(({ hidden }) => hidden === true).map(({ name }) => name);
  };
  expect(await hiddenOf({})).toContain('username');
  expect(await hiddenOf({ customizeBotSettings: true })).not.toContain('username');

  const run = await world.act(send, { ...props, customizeBotSettings: true, username: 'Miller' });
  expect(run.summary).toBe('Successfully sent a message to #mill');
  const sent = fake.called.find(({ method }) => method === 'chat.postMessage')?.args ?? {};
  expect(sent).toMatchObject({ channel: 'C1', text: 'It *turns*.', username: 'Miller' });
  expect(JSON.parse(sent['blocks'] ?? '')).toMatchObject([
    { type: 'section', text: { type: 'mrkdwn', text: 'It *turns*.' } },
    { type: 'context', elements: [{ text: expect.stringContaining('Sent via') as string }] },
  ]);
}

async function approve({ world, fake, account }: Stage<FakeSlack>): Promise<void> {
  const component = 'slack/actions/approve-workflow';
  const given = { slack: account, channelType: 'Channels' };
  const { options } = await world.options(component, 'conversation', given);
  expect(options).toContainEqual({ label: 'Public channel: mill', value: 'C1' });
  const types = fake.called.findLast(({ method }) => method === 'users.conversations')?.args;
  expect(types).toMatchObject({ types: 'public_channel,private_channel', user: 'U1' });

  const run = await world.act(component, { ...given, conversation: 'C1', message: 'Open it?' });
  expect(run.summary).toBe('Successfully sent message');
  const sent = fake.called.findLast(({ method }) => method === 'chat.postMessage')?.args ?? {};
  const [, actions] = JSON.parse(sent['blocks'] ?? '') as [
    unknown,
    { elements: { url: string }[] },
  ];
  for (const { url } of actions.elements) expect(URL.canParse(url)).toBe(true);
}
