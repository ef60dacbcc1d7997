import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import {
  acme,
  browse,
  clientId,
  clientSecret,
  startProvider,
  type TestProvider,
} from '../support/oauth-provider.ts';
import { watchLog } from '../support/runtime-log.ts';
import { treeText } from '../unit/extension/fake-vscode/looks.ts';
import { openWindow, type OpenWindow } from '../unit/extension/fake-vscode/open-window.ts';
import { commands, world } from '../unit/extension/fake-vscode/vscode.ts';

vi.mock('vscode', () => import('../unit/extension/fake-vscode/vscode.ts'));

/** The extension in a fake window, with a real runtime and a real authorization server. */
const atEnd = atEndOfSuite();
const { person } = world;
let provider: TestProvider;
let opened: OpenWindow;

beforeAll(async () => {
  const folder = temporaryFolder(atEnd);
  vi.stubEnv('XDG_CONFIG_HOME', path.join(folder, 'config'));
  provider = await startProvider(atEnd);
  const workspace = path.join(folder, 'workspace');
  mkdirSync(path.join(workspace, 'weir', 'apps'), { recursive: true });
  const definition = JSON.stringify(acme(provider));
  writeFileSync(path.join(workspace, 'weir', 'apps', 'acme.json'), definition);
  watchLog(path.join(workspace, '.weir'));
  opened = await openWindow(workspace);
  atEnd(async () => {
    await commands.executeCommand('weir.runtime.stop');
    opened.close();
  });
});

const external = () => world.ran.filter(({ id }) => id === 'openExternal');

/** What the person does in the browser that the editor opens for the nth time. */
async function signIn(n: number): Promise<void> {
  await expect.poll(() => external().length).toBe(n);
  await fetch(await browse(String(external()[n - 1]?.args[0])));
}

const tree = () => treeText('weir.accounts');

test('an account connects in the browser; the first time the OAuth client is asked for', async () => {
  provider.lifetime = 2;
  person.will('Acme', clientId, clientSecret);
  const connecting = commands.executeCommand('weir.connectAccount');
  await signIn(1);
  await connecting;
  await expect
    .poll(tree)
    .toMatch(/^plug \| acme\n {2}account \| ann@acme\.test \| healthy · apn_\w+$/);
  expect(JSON.stringify([person.heard, person.offered, world.ran])).not.toContain(clientSecret);
});

test('one that is dead says so once, and connects again from there', async () => {
  const stolen = new URLSearchParams(provider.tokenRequests[0]?.body);
  // The code a second time: the provider takes the whole grant away.
  await fetch(`${provider.url}/token`, { method: 'POST', body: stolen });
  await new Promise((resolve) => setTimeout(resolve, 2100));
  person.will('Connect Again');
  const { data } = await opened.api.runtime.call('accounts.list', {});
  await opened.api.runtime.call('accounts.check', { id: data[0]?.id ?? '' });
  await expect.poll(tree).toMatch(/ann@acme\.test \| needs you · apn_\w+$/);
  await signIn(2);
  await expect.poll(tree).toMatch(/ann@acme\.test \| healthy · apn_\w+$/);
  const told = person.heard.filter((text) => text.includes('does not work any more'));
  expect(told).toHaveLength(1);
});

test('who cancels gives up the connection', async () => {
  person.will('Acme');
  const connecting = commands.executeCommand('weir.connectAccount');
  await expect.poll(() => external().length).toBe(3);
  const redirect = new URL(String(external()[2]?.args[0])).searchParams.get('redirect_uri') ?? '';
  world.progress.at(-1)?.cancel();
  await connecting;
  await expect(fetch(redirect)).rejects.toThrow('fetch failed');
});
