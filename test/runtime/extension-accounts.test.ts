import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
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
import { startRuntime } from '../support/runtime.ts';
import { watchLog } from '../support/runtime-log.ts';
import { treeText } from '../unit/extension/fake-vscode/looks.ts';
import { openWindow, type OpenWindow } from '../unit/extension/fake-vscode/open-window.ts';
import { Uri } from '../unit/extension/fake-vscode/values.ts';
import { commands, env, world } from '../unit/extension/fake-vscode/vscode.ts';

vi.mock('vscode', () => import('../unit/extension/fake-vscode/vscode.ts'));

/** The extension in a fake window, with a real runtime and a real authorization server. */
const atEnd = atEndOfSuite();
const { person } = world;
let provider: TestProvider;
let opened: OpenWindow;
let definitionFile: string;

beforeAll(async () => {
  const folder = temporaryFolder(atEnd);
  vi.stubEnv('XDG_CONFIG_HOME', path.join(folder, 'config'));
  provider = await startProvider(atEnd);
  const workspace = path.join(folder, 'workspace');
  mkdirSync(path.join(workspace, 'weir', 'apps'), { recursive: true });
  const definition = JSON.stringify(acme(provider));
  definitionFile = path.join(workspace, 'weir', 'apps', 'acme.json');
  writeFileSync(definitionFile, definition);
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
  person.will('Acme', 'Sign In in the Browser', clientId, clientSecret);
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
  person.will('Acme', 'Sign In in the Browser');
  const connecting = commands.executeCommand('weir.connectAccount');
  await expect.poll(() => external().length).toBe(3);
  const redirect = new URL(String(external()[2]?.args[0])).searchParams.get('redirect_uri') ?? '';
  world.progress.at(-1)?.cancel();
  await connecting;
  await expect(fetch(redirect)).rejects.toThrow('fetch failed');
});

/** The account of the tree, by what stands behind its name. */
const kept = async (): Promise<(string | undefined)[]> => {
  const { data } = await opened.api.runtime.call('accounts.list', { limit: 100 });
  return data.map(({ name, kept_for: whose }) => `${name} ${whose ?? 'folder'}`);
};

test('a new one is shared by a button of the question before it, and so is the next one offered', async () => {
  provider.lifetime = 3600;
  const share = 'Share with All Your Folders';
  person.will('Acme', share, 'Sign In in the Browser');
  const connecting = commands.executeCommand('weir.connectAccount');
  await signIn(4);
  await connecting;
  expect(person.heard.at(-1)).toBe('$(check) Acme connected for all your folders');
  expect(await kept()).toEqual(['ann@acme.test folder', 'ann@acme.test user']);
  await expect.poll(tree).toMatch(/healthy · shared by your folders · apn_\w+$/m);

  person.will('acme', 'Keys', 'oauth_access_token', 'k-1', '');
  await commands.executeCommand('weir.addAccount');
  // Pressed again, it is for the folder.
  person.will('acme', share, 'Own keys', 'oauth_access_token', 'k-2', '');
  await commands.executeCommand('weir.addAccount');
  person.will('acme', 'More keys', 'oauth_access_token', 'k-3', '');
  await commands.executeCommand('weir.addAccount');
  expect(await kept()).toEqual([
    'ann@acme.test folder',
    'Own keys folder',
    'More keys folder',
    'ann@acme.test user',
    'Keys user',
  ]);
});

test('one of the folder is shared after a question; one that is shared is not asked about', async () => {
  person.will('Own keys', 'Share');
  await commands.executeCommand('weir.shareAccount');
  expect(person.heard.at(-2)).toBe('Share Own keys with all your folders?');
  expect(await kept()).toContain('Own keys user');
  person.will('More keys', undefined);
  await commands.executeCommand('weir.shareAccount');
  expect(person.offered.map(({ label }) => label)).toEqual([
    '$(account) ann@acme.test',
    '$(account) More keys',
  ]);
  expect(await kept()).toContain('More keys folder');
});

describe('where the browser is on another machine', () => {
  /** Where a tunnel leads to; undefined for none. */
  const remote = (tunnel: ((address: string) => string) | undefined): void => {
    Object.assign(env, {
      remoteName: 'ssh-remote',
      asExternalUri: (uri: Uri) =>
        tunnel === undefined
          ? Promise.reject(new Error('No tunnel'))
          : Promise.resolve(Uri.parse(tunnel(uri.toString()))),
    });
  };
  const { remoteName, asExternalUri } = env;
  afterEach(() => void Object.assign(env, { remoteName, asExternalUri }));

  test('a tunnel from the very address leads back; nothing has to be pasted', async () => {
    remote((address) => address.replace('127.0.0.1', 'localhost'));
    person.will('Acme', 'Sign In in the Browser');
    const connecting = commands.executeCommand('weir.connectAccount');
    await signIn(5);
    await connecting;
    expect(world.progress.at(-1)?.messages.join()).toContain('waiting for you to sign in');
  });

  test.each([
    ['a proxy', (address: string) => address.replace('127.0.0.1:', 'editor.test/proxy/')],
    ['a tunnel from another port', (address: string) => address.replace(/:\d+/, ':1')],
    ['no tunnel', undefined],
  ])('with %s the address that the browser ends at is asked for at once', async (_, tunnel) => {
    remote(tunnel);
    person.will('Acme', 'Sign In in the Browser');
    const before = external().length;
    const connecting = commands.executeCommand('weir.connectAccount');
    await expect.poll(() => world.input?.title).toBe('Connect Acme');
    expect(world.progress.at(-1)?.messages.join()).toContain('paste its address');
    const address = await browse(String(external()[before]?.args[0]));
    world.input?.enter('http://127.0.0.1/somewhere');
    await expect.poll(() => world.input?.validationMessage).toMatch(/^Paste the whole address/);
    // One that was closed is shown again by the link of the notification.
    world.input?.hide();
    expect(world.progress.at(-1)?.isOver).toBe(false);
    const [, asked = ''] =
      /\(command:weir\.goOnConnecting\?([^)]*)\)/.exec(world.progress.at(-1)?.messages[0] ?? '') ??
      [];
    await commands.executeCommand(
      'weir.goOnConnecting',
      ...(JSON.parse(decodeURIComponent(asked)) as string[]),
    );
    world.input?.enter(address);
    await connecting;
    expect(world.input).toBeUndefined();
    expect(person.heard.at(-1)).toBe('$(check) Acme connected');
    expect(JSON.stringify([person.heard, world.progress])).not.toContain('code=');
  });

  test('a port that another program has is no matter, as the address is pasted', async () => {
    remote((address) => address);
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    const definition = acme(provider);
    const [method] = definition.methods.map((one) => ({
      ...one,
      redirect: { port, path: '/oauth/callback' },
    }));
    writeFileSync(definitionFile, JSON.stringify({ ...definition, methods: [method] }));
    person.will('Acme', 'Sign In in the Browser');
    const before = external().length;
    const connecting = commands.executeCommand('weir.connectAccount');
    await expect.poll(() => world.input?.title).toBe('Connect Acme');
    world.input?.enter(await browse(String(external()[before]?.args[0])));
    await connecting;
    expect(person.heard.at(-1)).toBe('$(check) Acme connected');
    // Where the browser is on this machine, it would come to the other program.
    Object.assign(env, { remoteName, asExternalUri });
    person.will('Acme', 'Sign In in the Browser');
    await commands.executeCommand('weir.connectAccount');
    expect(person.heard.at(-1)).toMatch(/^Port \d+, which the app wants .* is taken/);
    await new Promise((resolve) => blocker.close(resolve));
    writeFileSync(definitionFile, JSON.stringify(definition));
  });

  test('a page that was closed is opened again, and a browser that comes back after all needs no paste', async () => {
    remote(undefined);
    person.will('Acme', 'Sign In in the Browser');
    const before = external().length;
    const connecting = commands.executeCommand('weir.connectAccount');
    await expect.poll(() => external().length).toBe(before + 1);
    await expect.poll(() => world.input?.title).toBe('Connect Acme');
    world.input?.press('Open the Page Again');
    await signIn(before + 2);
    await connecting;
    expect(world.input).toBeUndefined();
  });
});

test('of a runtime on another machine the address is pasted, and nothing is shared with the folders here', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'config', 'weir', 'apps'), { recursive: true });
  const definition = JSON.stringify(acme(provider));
  writeFileSync(path.join(folder, 'config', 'weir', 'apps', 'acme.json'), definition);
  const there = await startRuntime({ folder });
  const client = { app: 'acme', client_id: clientId, client_secret: clientSecret };
  await there.restData('POST', '/v1/oauth_clients', client);
  const { key } = await there.restData<{ key: string }>('POST', '/v1/keys', {
    name: 'ann',
    scope: 'admin',
  });
  person.will(there.url, key);
  await commands.executeCommand('weir.runtime.connect');
  person.will('Acme', 'Sign In in the Browser');
  const before = external().length;
  const connecting = commands.executeCommand('weir.connectAccount');
  await expect.poll(() => world.input?.title).toBe('Connect Acme');
  expect(world.input?.buttons.map(({ tooltip }) => tooltip)).toEqual(['Open the Page Again']);
  world.input?.enter(await browse(String(external()[before]?.args[0])));
  await connecting;
  expect(await kept()).toEqual(['ann@acme.test folder']);
  person.will('acme', 'Keys', 'oauth_access_token', 'k-1', '');
  await commands.executeCommand('weir.addAccount');
  expect(await kept()).toEqual(['ann@acme.test folder', 'Keys folder']);
  person.will('Keys');
  await commands.executeCommand('weir.shareAccount');
  expect(person.heard.at(-1)).toMatch(/^The account Keys is on another machine/);
  person.will('Local');
  await commands.executeCommand('weir.runtime.switch');
  expect(await kept()).toContain('Own keys user');
});
