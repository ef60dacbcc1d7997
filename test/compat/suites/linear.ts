import { expect } from 'vitest';
import { type FakeLinear, startLinear } from '../fakes/linear.ts';
import { type Stage, suite } from '../support/suite.ts';

const source = 'linear_app/sources/issue-created-instant';

export const linear = suite({
  app: 'linear_app',
  hosts: ['api.linear.app'],
  credentials: { api_key: 'lin_api_key' },
  start: (atEnd) => startLinear('lin_api_key', atEnd),
  scenarios: [
    {
      component: source,
      shows: 'additionalProps adds an HTTP interface for an admin; webhook, sender address, dedupe',
      play: admin,
    },
    {
      component: source,
      shows: 'additionalProps adds a timer for everybody else; history at deploy, then polls',
      play: everybodyElse,
    },
    {
      component: 'linear_app/actions/create-issue',
      shows: 'the SDK of the third party, over fetch; props that are unset stay away',
      play: createIssue,
    },
  ],
});

async function admin({ world, fake, account }: Stage<FakeLinear>): Promise<void> {
  fake.admin = true;
  fake.issues.splice(0);
  const deployed = await world.deploy(source, { linearApp: account, teamIds: ['T1', 'T2'] });
  expect(deployed.endpoint_url).not.toBeNull();
  expect([...fake.webhooks.values()]).toEqual([deployed.endpoint_url, deployed.endpoint_url]);

  // Each of the two teams' webhooks tells of the same delivery.
  await fake.announce(issue('I1', 'The mill stands still'), 'delivery-1');
  expect(await world.events(deployed, 1)).toMatchObject([
    {
      event: { id: 'I1', title: 'The mill stands still' },
      metadata: { id: 'delivery-1', summary: 'Issue created: The mill stands still' },
    },
  ]);
  const url = deployed.endpoint_url ?? '';
  const forged = JSON.stringify({ action: 'create', data: { id: 'I1' } });
  await fetch(url, { method: 'POST', body: forged });
  await fake.announce(issue('I2', 'It turns again'), 'delivery-2');
  const ids = (await world.events(deployed, 2)).map(({ metadata }) => metadata.id);
  expect(ids).toEqual(['delivery-1', 'delivery-2']);

  await world.remove(deployed);
  expect(fake.webhooks.size).toBe(0);
}

async function everybodyElse({ world, fake, account }: Stage<FakeLinear>): Promise<void> {
  fake.admin = false;
  fake.issues.splice(0, fake.issues.length, issue('I2', 'Second'), issue('I1', 'First'));
  const deployed = await world.deploy(source, { linearApp: account, teamIds: ['T1'] });
  expect(deployed).toMatchObject({
    endpoint_url: null,
    configured_props: { timer: { interval_seconds: 900 } },
  });
  expect(fake.webhooks.size).toBe(0);
  fake.issues.unshift(issue('I3', 'Third'));
  expect(await world.invoke(deployed)).toMatchObject({ status: 'succeeded' });
  const titles = (await world.events(deployed, 3)).map(({ metadata }) => metadata.summary);
  expect(titles).toEqual(['Issue created: First', 'Issue created: Second', 'Issue created: Third']);
}

async function createIssue({ world, fake, account }: Stage<FakeLinear>): Promise<void> {
  const props = { linearApp: account, teamId: 'T1', title: 'Grease the axle', priority: 2 };
  const run = await world.act('linear_app/actions/create-issue', props);
  const [created] = fake.issues;
  expect(run.summary).toBe(`Created issue ${created?.id}`);
  expect(created?.title).toBe('Grease the axle');
  const sent = JSON.parse(fake.received.at(-1)?.body ?? '') as { variables: unknown };
  expect(sent.variables).toEqual({
    input: { teamId: 'T1', title: 'Grease the axle', priority: 2 },
  });
}

function issue(id: string, title: string) {
  return { id, title, createdAt: `2026-01-0${id.slice(1)}T10:00:00.000Z` };
}
