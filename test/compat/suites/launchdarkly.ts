import { expect } from 'vitest';
import { type FakeLaunchDarkly, startLaunchDarkly } from '../fakes/launchdarkly.ts';
import { type Stage, suite } from '../support/suite.ts';

export const launchDarkly = suite({
  app: 'launchdarkly',
  hosts: ['app.launchdarkly.com'],
  credentials: { access_token: 'api-secret' },
  start: (atEnd) => startLaunchDarkly('api-secret', atEnd),
  scenarios: [
    {
      component: 'launchdarkly/sources/new-flag-event',
      shows: 'webhook from activate to deactivate; a signature over the bytes; 401 to a forger',
      play: newFlagEvent,
    },
    {
      component: 'launchdarkly/actions/toggle-feature-flag',
      shows: 'what is asked first decides what is sent; its own content type',
      play: toggleFlag,
    },
    {
      component: 'launchdarkly/actions/list-projects',
      shows: 'three pages by an async generator',
      play: listProjects,
    },
  ],
});

async function newFlagEvent({ world, fake, account }: Stage<FakeLaunchDarkly>): Promise<void> {
  const component = 'launchdarkly/sources/new-flag-event';
  const source = await world.deploy(component, { app: account });
  const activity = { _id: '65a1', kind: 'flag', name: 'Größer ✓', date: 1_700_000_000_000 };
  expect((await fake.deliver(activity)).status).toBe(200);
  expect((await fake.deliver({ ...activity, _id: '65a2' }, 'forged')).status).toBe(401);
  expect(await world.events(source, 1)).toMatchObject([
    { event: activity, metadata: { id: '65a1', summary: 'New Flag Größer ✓', ts: activity.date } },
  ]);
  await world.remove(source);
  expect(fake.webhooks.size).toBe(0);
}

async function toggleFlag({ world, fake, account }: Stage<FakeLaunchDarkly>): Promise<void> {
  const props = { app: account, projectKey: 'mill', featureFlagKey: 'dark' };
  const toggle = (environmentKey: string) =>
    world.act('launchdarkly/actions/toggle-feature-flag', { ...props, environmentKey });
  expect((await toggle('test')).summary).toBe('Successfully toggled the feature flag.');
  expect(fake.flag).toEqual({ test: { on: true }, production: { on: true } });
  await toggle('production');
  expect(fake.flag).toEqual({ test: { on: true }, production: { on: false } });
}

async function listProjects({ world, fake, account }: Stage<FakeLaunchDarkly>): Promise<void> {
  const asked = fake.received.length;
  const run = await world.act('launchdarkly/actions/list-projects', {
    app: account,
    maxResults: 250,
  });
  expect(run.summary).toBe('Found 250 projects');
  expect(run.return_value).toHaveLength(250);
  const offsets = fake.received.slice(asked).map(({ query }) => query.get('offset'));
  expect(offsets).toEqual(['0', '100', '200']);
}
