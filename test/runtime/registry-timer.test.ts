/**
 * A timer source from npm, unchanged: @pipedream/gitlab polls a local server instead of gitlab.com.
 * Everything a person does goes through the CLI, what others read goes through REST.
 */
import { expect, test } from 'vitest';
import type { Account, EmittedEvent, Invocation, Source } from '../../src/protocol/catalogue.ts';
import { type FakeGitLab, startGitLab } from '../compat/fakes/gitlab.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';

const component =
  'test/registry-packages/node_modules/@pipedream/gitlab/sources/new-milestone/new-milestone.mjs';
const project = { id: 42, path_with_namespace: 'weir/mill' };

test('each new milestone is one event, and an older id is dropped (dedupe greatest)', async () => {
  const { gitlab, runtime, source } = await deployed();
  expect(source).toMatchObject({
    component_key: 'gitlab-new-milestone',
    dedupe: 'greatest',
    active: true,
    configured_props: { projectId: 42, timer: { interval_seconds: 1 } },
  });

  const first = gitlab.addMilestone('Weir opens');
  await expect.poll(() => events(runtime, source)).toHaveLength(1);
  // Two more polls see the same milestone again.
  await ticks(runtime, source, 2);
  gitlab.addMilestone('Imported from the old server', first.id - 1);
  await ticks(runtime, source, 2);
  const second = gitlab.addMilestone('Weir closes');
  await expect.poll(() => events(runtime, source)).toHaveLength(2);

  expect(await events(runtime, source)).toMatchObject([
    {
      event: second,
      metadata: {
        id: second.id,
        summary: 'New milestone: Weir closes',
        ts: Date.parse(second.created_at),
        emitter_id: source.id,
      },
    },
    { event: first, metadata: { id: first.id } },
  ]);
  const dropped = await events(runtime, source, '&include_dropped=true');
  expect(dropped.filter((event) => event.dropped !== null)).toMatchObject([
    { metadata: { id: first.id - 1 }, dropped: expect.stringContaining('greatest') as string },
  ]);

  const printed = await runtime.weir('events', source.name_slug);
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(printed.stdout).toMatch(/Weir opens[^]*Weir closes/);
  expect(printed.stdout).not.toContain('Imported');
  expect(gitlab.received[0]).toMatchObject({
    headers: { host: 'gitlab.com', authorization: 'Bearer glpat-secret' },
  });
});

test('what a poll had found is emitted once, however the runtime ended', async () => {
  const { folder, args, gitlab, runtime, source } = await deployed();
  const before = gitlab.addMilestone('Before');
  await expect.poll(() => events(runtime, source)).toHaveLength(1);

  // Killed in the middle of a poll.
  const release = gitlab.hold();
  const asked = gitlab.received.length;
  await expect.poll(() => gitlab.received.length).toBeGreaterThan(asked);
  gitlab.addMilestone('During');
  await runtime.kill();
  release();
  const down = gitlab.addMilestone('While it was down');
  gitlab.addMilestone('Imported from the old server', before.id - 1);

  // The time of the last milestone (db) and the greatest id (dedupe) are those from before.
  const restarted = await startRuntime({ folder, args });
  await expect.poll(() => events(restarted, source)).toHaveLength(3);
  await ticks(restarted, source, 2);
  const titles = (await events(restarted, source)).map(({ event }) => event as { title: string });
  expect(titles.map(({ title }) => title)).toEqual(['While it was down', 'During', 'Before']);
  expect((await events(restarted, source))[0]?.metadata.id).toBe(down.id);
});

/** The source, with the state of its first poll: milestones count from then on. */
async function deployed(): Promise<{
  folder: string;
  args: string[];
  gitlab: FakeGitLab;
  runtime: TestRuntime;
  source: Source;
}> {
  const gitlab = await startGitLab({ token: 'glpat-secret', project });
  const folder = temporaryFolder();
  const args = ['--redirect', `gitlab.com=${gitlab.url}`];
  const runtime = await startRuntime({ folder, args });
  const field = 'oauth_access_token=glpat-secret';
  const account = await runtime.weirJson<Account>('accounts', 'add', 'gitlab', '--field', field);
  const props = ['--prop', `projectId=${project.id}`, '--prop', 'timer=1'];
  const deploy = ['deploy', component, '--account', `gitlab=${account.id}`, ...props];
  const source = await runtime.weirJson<Source>(...deploy);
  const run = await runtime.weir('invoke', source.name_slug);
  expect(run).toMatchObject({ code: 0 });
  return { folder, args, gitlab, runtime, source };
}

/** Newest first, payloads whole. */
function events(runtime: TestRuntime, source: Source, more = ''): Promise<EmittedEvent[]> {
  const path = `/v1/sources/${source.id}/event_summaries?expand=event&limit=100${more}`;
  return runtime.restData('GET', path);
}

/** Waits for `count` timer runs that start from now on to succeed. */
async function ticks(runtime: TestRuntime, source: Source, count: number): Promise<void> {
  const from = Date.now();
  await until(`${count} ticks`, async (seen) => {
    const path = `/v1/sources/${source.id}/invocations?limit=100`;
    const runs = seen(await runtime.restData<Invocation[]>('GET', path));
    const done = runs.filter(
      (run) => run.cause === 'timer' && run.status === 'succeeded' && run.created_at >= from,
    );
    return done.length >= count;
  });
}
