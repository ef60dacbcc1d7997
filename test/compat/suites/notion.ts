import { expect } from 'vitest';
import { type FakeNotion, startNotion } from '../fakes/notion.ts';
import { type Stage, suite } from '../support/suite.ts';

const createPageAction = 'notion/actions/create-page';

export const notion = suite({
  app: 'notion',
  hosts: ['api.notion.com'],
  credentials: { oauth_access_token: 'secret' },
  start: (atEnd) => startNotion('secret', atEnd),
  scenarios: [
    {
      component: 'notion/sources/new-page',
      shows: 'a client over fetch; history at deploy, in order; pages by cursor; db between runs',
      play: newPage,
    },
    {
      component: 'notion/sources/new-webhook-event-instant',
      shows:
        'the verification token in the log; signatures; dedupe unique; a forger makes no event',
      play: webhookEvent,
    },
    {
      component: createPageAction,
      shows: 'options of a second page; additionalProps; Markdown to blocks',
      play: createPage,
    },
    {
      component: 'notion/actions/create-comment',
      shows: 'a ConfigurationError is shown as its message',
      play: createComment,
    },
  ],
});

async function newPage({ world, fake, account }: Stage<FakeNotion>): Promise<void> {
  fake.pages.splice(0);
  const start = Date.now() - 100_000;
  for (const n of [1, 2, 3]) fake.addPage(`Page ${n}`, start + n * 1000);
  const props = { notion: account, dataSourceId: 'D1' };
  const source = await world.deploy('notion/sources/new-page', props);
  await world.invoke(source);
  const fourth = fake.addPage('Page 4', start + 4000);
  await world.invoke(source);
  const events = await world.events(source, 4);
  expect(events.map(({ metadata }) => metadata.summary)).toEqual(
    [1, 2, 3, 4].map((n) => `Page added: Page ${n}`),
  );
  expect(events.at(-1)).toMatchObject({ event: fourth, metadata: { id: 'P4', ts: start + 4000 } });
}

async function webhookEvent({ world, fake, account }: Stage<FakeNotion>): Promise<void> {
  const component = 'notion/sources/new-webhook-event-instant';
  const source = await world.deploy(component, { notion: account });
  const url = source.endpoint_url ?? '';
  await fake.deliver(url, { verification_token: 'verify_x' });
  for (const [id, token] of [
    ['W1', 'verify_x'],
    ['W2', 'guessed'],
    ['W1', 'verify_x'],
    ['W3', 'verify_x'],
  ] as const) {
    await fake.deliver(url, { id, type: 'page.created' }, token);
  }
  const events = await world.events(source, 2);
  expect(new Set(events.map(({ metadata }) => metadata.id))).toEqual(new Set(['W1', 'W3']));
  expect(events[0]?.metadata.summary).toBe('Webhook event: page.created');
  const printed = await world.runtime.weir('logs', source.id);
  expect(printed.stdout).toContain('Verification token: verify_x');
}

async function createPage({ world, fake, account }: Stage<FakeNotion>): Promise<void> {
  fake.pages.splice(0);
  for (const n of [1, 2, 3]) fake.addPage(`Page ${n}`, n);
  const given = { notion: account, metaTypes: ['icon'] };
  const first = await world.options(createPageAction, 'parent', given);
  expect(first.options.map(({ label }) => label)).toEqual(['Page 3', 'Page 2']);
  const second = await world.options(createPageAction, 'parent', given, first.context);
  expect(second.options).toEqual([{ label: 'Page 1', value: 'P1' }]);

  const props = { ...given, parent: 'P1', title: 'Ledger' };
  const { configurable_props } = await world.props(createPageAction, props);
  expect(configurable_props.at(-1)).toMatchObject({ name: 'icon', optional: true });
  const pageContent = '# Grain\n\n- rye';
  const run = await world.act(createPageAction, { ...props, icon: '🌾', pageContent });
  expect(run).toMatchObject({
    summary: 'Created page successfully',
    return_value: { object: 'page' },
  });
  expect(fake.created.at(-1)?.body).toMatchObject({
    parent: { page_id: 'P1' },
    icon: { emoji: '🌾' },
    properties: { title: { title: [{ text: { content: 'Ledger' } }] } },
    children: [{ type: 'heading_1' }, { type: 'bulleted_list_item' }],
  });
}

async function createComment({ world, fake, account }: Stage<FakeNotion>): Promise<void> {
  const component = 'notion/actions/create-comment';
  const props = { notion: account, comment: 'Well ground.' };
  await expect(world.act(component, props)).rejects.toThrow('Provide either a page ID or');
  const run = await world.act(component, { ...props, pageId: 'P1' });
  expect(run.summary).toMatch(/^Successfully created comment \(ID: N\d+\)$/);
  expect(fake.created.at(-1)).toEqual({
    path: '/v1/comments',
    body: { parent: { page_id: 'P1' }, rich_text: [{ text: { content: 'Well ground.' } }] },
  });
}
