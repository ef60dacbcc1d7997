import { expect } from 'vitest';
import { type FakeGitLab, startGitLab } from '../fakes/gitlab.ts';
import { type Stage, suite } from '../support/suite.ts';

export const gitlab = suite({
  app: 'gitlab',
  hosts: ['gitlab.example.com'],
  credentials: { oauth_access_token: 'glpat', base_api_url: 'gitlab.example.com' },
  start: (atEnd) =>
    startGitLab({ token: 'glpat', project: { id: 42, path_with_namespace: 'weir/mill' } }, atEnd),
  scenarios: [
    {
      component: 'gitlab/sources/new-milestone',
      shows: 'polls a self-hosted server that the account names; db between runs; dedupe greatest',
      play: newMilestone,
    },
    {
      component: 'gitlab/sources/new-commit',
      shows: 'webhook with a token; a request that lists what was pushed; 404 to a stranger',
      play: newCommit,
    },
    {
      component: 'gitlab/actions/create-issue',
      shows: 'paged options of a project; list props; what is unset is not sent',
      play: createIssue,
    },
  ],
});

async function newMilestone({ world, fake, account }: Stage<FakeGitLab>): Promise<void> {
  const props = { gitlab: account, projectId: 42 };
  const source = await world.deploy('gitlab/sources/new-milestone', props);
  await world.invoke(source);
  const milestone = fake.addMilestone('Weir opens');
  await world.invoke(source);
  await world.invoke(source);
  expect(await world.events(source, 1)).toMatchObject([
    { event: milestone, metadata: { id: milestone.id, summary: 'New milestone: Weir opens' } },
  ]);
}

async function newCommit({ world, fake, account }: Stage<FakeGitLab>): Promise<void> {
  const props = { gitlab: account, projectId: 42, refName: 'main' };
  const source = await world.deploy('gitlab/sources/new-commit', props);
  const url = source.endpoint_url ?? '';
  expect([...fake.hooks.values()]).toMatchObject([{ url }]);

  const commits = [
    { id: 'a1', message: 'Dig' },
    { id: 'b2', message: 'Fill' },
  ];
  const [answer] = await fake.push(...commits);
  expect(answer?.status).toBe(200);
  const stranger = await fetch(url, { method: 'POST', headers: { 'x-gitlab-token': 'guessed' } });
  expect(stranger.status).toBe(404);
  expect((await world.events(source, 2)).map(({ event }) => event)).toEqual(commits);
  await world.remove(source);
  expect(fake.hooks.size).toBe(0);
}

async function createIssue({ world, fake, account }: Stage<FakeGitLab>): Promise<void> {
  const component = 'gitlab/actions/create-issue';
  const { options } = await world.options(component, 'projectId', { gitlab: account });
  expect(options).toEqual([{ label: 'weir/mill', value: 42 }]);
  const props = { gitlab: account, projectId: 42, title: 'Leak', labels: ['bug', 'urgent'] };
  const run = await world.act(component, props);
  expect(run).toMatchObject({ summary: 'Created issue Leak', return_value: { iid: 1 } });
  expect(fake.issues).toEqual([{ title: 'Leak', labels: 'bug,urgent', id: 500, iid: 1 }]);
}
