/** Clause 27: a data folder that was copied does not refresh before a person says so. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Account, Connection } from '../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../support/folder.ts';
import { acme, browse, clientId, clientSecret, startProvider } from '../support/oauth-provider.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';

// Several runtimes start one after the other in each.
vi.setConfig({ testTimeout: 180_000 });

const check = (runtime: TestRuntime, id: string): Promise<Account> =>
  runtime.restData('POST', `/v1/accounts/${id}/check`);

async function connect(runtime: TestRuntime, more = {}): Promise<string> {
  const started = await runtime.restData<Connection>('POST', '/v1/accounts/connect', {
    app: 'acme',
    ...more,
  });
  await fetch(await browse(started.authorization_url ?? ''));
  const ended = await runtime.restData<Connection>(
    'GET',
    `/v1/accounts/connect/${started.session}?wait=1`,
  );
  return ended.account ?? '';
}

/** A stopped runtime with two accounts whose token is over, and the folder of its copy. */
async function copied() {
  const provider = await startProvider();
  provider.lifetime = 1;
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'weir', 'apps'), { recursive: true });
  writeFileSync(join(folder, 'weir', 'apps', 'acme.json'), JSON.stringify(acme(provider)));
  const first = await startRuntime({ folder });
  await first.restData('POST', '/v1/oauth_clients', {
    app: 'acme',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const [kept, deleted] = [await connect(first), await connect(first)];
  await first.stop();
  const other = temporaryFolder();
  cpSync(folder, other, { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const refreshes = () => provider.tokenRequests.filter(({ grant }) => grant === 'refresh_token');
  return { provider, folder, other, kept, deleted, refreshes };
}

test('clause 27: a copy refreshes and revokes nothing, and says what to do', async () => {
  const { provider, folder, other, kept, deleted, refreshes } = await copied();
  const copy = await startRuntime({ folder: other });
  const held = await check(copy, kept);
  expect(held).toMatchObject({ healthy: false, dead: false });
  expect(held.error).toContain(`seems to be a copy of ${join(folder, 'data')}`);
  expect(held.error).toContain('weir accounts keep-fresh');
  expect((await copy.weir('doctor')).stdout).toContain('weir accounts keep-fresh');
  const shared = await copy.rest('PUT', `/v1/accounts/${kept}`, { kept_for: 'user' });
  expect(shared).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('share it there') },
  });
  const { note } = await copy.restData<{ note?: string }>('DELETE', `/v1/accounts/${deleted}`);
  expect(note).toContain('was not revoked');
  expect(provider.revocations).toEqual([]);
  expect(refreshes()).toEqual([]);
});

test('clause 27: it goes on asking after a restart, until a person says that it goes on; what is connected there is its own', async () => {
  const { other, kept, refreshes } = await copied();
  const first = await startRuntime({ folder: other });
  await first.stop();
  const copy = await startRuntime({ folder: other });
  expect(await check(copy, kept)).toMatchObject({ healthy: false });
  const own = await connect(copy);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await check(copy, own)).toMatchObject({ healthy: true });
  expect(refreshes()).toHaveLength(1);
  expect((await copy.weir('accounts', 'keep-fresh')).code).toBe(0);
  expect(await check(copy, kept)).toMatchObject({ healthy: true });
  await copy.stop();
  const again = await startRuntime({ folder: other });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await check(again, kept)).toMatchObject({ healthy: true });
});

test('clause 27: a folder that was not copied goes on refreshing after a restart', async () => {
  const provider = await startProvider();
  provider.lifetime = 1;
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'weir', 'apps'), { recursive: true });
  writeFileSync(join(folder, 'weir', 'apps', 'acme.json'), JSON.stringify(acme(provider)));
  const first = await startRuntime({ folder });
  await first.restData('POST', '/v1/oauth_clients', {
    app: 'acme',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const id = await connect(first);
  await first.stop();
  const again = await startRuntime({ folder });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await check(again, id)).toMatchObject({ healthy: true });
});
