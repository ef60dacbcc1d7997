/**
 * A source from npm with an HTTP interface, unchanged: @pipedream/launchdarkly registers its webhook
 * at a local server instead of app.launchdarkly.com, which then delivers to its endpoint.
 */
import { expect, test } from 'vitest';
import type { Account, EmittedEvent, LogLine, Source } from '../../src/protocol/catalogue.ts';
import { type FakeLaunchDarkly, startLaunchDarkly } from '../compat/fakes/launchdarkly.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';

const component =
  'test/registry-packages/node_modules/@pipedream/launchdarkly/sources/new-flag-event/new-flag-event.mjs';
/** Not all ASCII: the signature is over bytes. */
const activity = { _id: '65a1', kind: 'flag', name: 'Größer ✓', date: 1_700_000_000_000 };

test('its webhook comes with the source, delivers signed events, and goes with the source', async () => {
  const { launchDarkly, runtime, source } = await deployed();
  expect([...launchDarkly.webhooks.values()]).toMatchObject([
    { url: source.endpoint_url, sign: true, on: true },
  ]);
  expect(launchDarkly.received[0]).toMatchObject({
    headers: { host: 'app.launchdarkly.com', authorization: 'api-secret' },
  });

  const accepted = await launchDarkly.deliver(activity);
  expect(accepted.status).toBe(200);
  const forged = await launchDarkly.deliver({ ...activity, _id: '65a2' }, 'another secret');
  expect(forged.status).toBe(401);

  expect(await events(runtime, source)).toMatchObject([
    {
      event: activity,
      metadata: { id: '65a1', summary: 'New Flag Größer ✓', ts: activity.date },
    },
  ]);
  const logs = await runtime.restData<LogLine[]>('GET', `/v1/sources/${source.id}/logs?limit=100`);
  expect(logs.map(({ text }) => text)).toContain('Invalid signature');
  const printed = await runtime.weir('events', source.name_slug);
  expect(printed.stdout).toContain('New Flag Größer ✓');

  expect(await runtime.weir('delete', source.name_slug)).toMatchObject({ code: 0 });
  expect(launchDarkly.webhooks.size).toBe(0);
  expect(launchDarkly.received.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  expect(await runtime.weirJson<unknown[]>('list', 'sources')).toEqual([]);
});

test('endpoint, secret and seen ids outlive a runtime that was killed', async () => {
  const { folder, args, launchDarkly, runtime, source } = await deployed();
  expect((await launchDarkly.deliver(activity)).status).toBe(200);
  await runtime.kill();

  const restarted = await startRuntime({ folder, args });
  // LaunchDarkly repeats a delivery, then has a new one; both are signed with the secret of before.
  expect((await launchDarkly.deliver(activity)).status).toBe(200);
  expect((await launchDarkly.deliver({ ...activity, _id: '65a3' })).status).toBe(200);
  const ids = (await events(restarted, source)).map(({ metadata }) => metadata.id);
  expect(ids).toEqual(['65a3', '65a1']);
  expect(launchDarkly.received).toHaveLength(1);

  // The id of the webhook is in the db of before.
  expect(await restarted.weir('delete', source.name_slug)).toMatchObject({ code: 0 });
  expect(launchDarkly.webhooks.size).toBe(0);
});

test('a token that the third party refuses leaves nothing deployed', async () => {
  const launchDarkly = await startLaunchDarkly('api-secret');
  const args = ['--redirect', `app.launchdarkly.com=${launchDarkly.url}`];
  const runtime = await startRuntime({ folder: temporaryFolder(), args });
  const run = await runtime.weir('deploy', component, '--account', await account(runtime, 'wrong'));
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(/activate hook[^]*Invalid access token/);
  expect(await runtime.weirJson<unknown[]>('list', 'sources')).toEqual([]);
});

async function deployed(): Promise<{
  folder: string;
  args: string[];
  launchDarkly: FakeLaunchDarkly;
  runtime: TestRuntime;
  source: Source;
}> {
  const launchDarkly = await startLaunchDarkly('api-secret');
  const folder = temporaryFolder();
  const args = ['--redirect', `app.launchdarkly.com=${launchDarkly.url}`];
  const runtime = await startRuntime({ folder, args });
  const app = await account(runtime, 'api-secret');
  const source = await runtime.weirJson<Source>('deploy', component, '--account', app);
  return { folder, args, launchDarkly, runtime, source };
}

/** @returns what `--account` takes for the component's prop `app` */
async function account(runtime: TestRuntime, token: string): Promise<string> {
  const field = `access_token=${token}`;
  const add = ['accounts', 'add', 'launchdarkly', '--field', field];
  return `app=${(await runtime.weirJson<Account>(...add)).id}`;
}

/** Newest first, payloads whole. */
function events(runtime: TestRuntime, source: Source): Promise<EmittedEvent[]> {
  const path = `/v1/sources/${source.id}/event_summaries?expand=event&limit=100`;
  return runtime.restData('GET', path);
}
