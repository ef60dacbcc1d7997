/** Definitions beside files of apps: which counts, what is refused, and what outlives a restart. The clauses are those of docs/accounts.md. */
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Companions } from '../../../../../src/runtime/accounts/apps/companions.ts';
import {
  hostsOf,
  readDefinition,
  readPackaged,
} from '../../../../../src/runtime/accounts/apps/read.ts';
import { appsIn } from '../../../../support/apps.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { newStore } from '../../../../support/store.ts';

const definition = (app: string, name: string, more: object = {}): string =>
  JSON.stringify({
    app,
    name,
    methods: [
      {
        type: 'oauth2',
        authorization_url: `https://${app}.test/authorize`,
        token_url: `https://${app}.test/token`,
      },
    ],
    ...more,
  });

async function world() {
  const root = await realpath(temporaryFolder());
  const { store } = await newStore();
  const made = appsIn(root, store.settings);
  await made.companions.open();
  const write = async (path: string, text = ''): Promise<string> => {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  /** The file of an app, and what is beside it. @returns the path of the first */
  const app = async (path: string, text?: string): Promise<string> => {
    if (text !== undefined) await write(path.replace(/\.app\.\w+$/, '.auth.json'), text);
    return write(path, 'export default {};');
  };
  const again = async () => {
    const restarted = appsIn(root, store.settings);
    await restarted.companions.open();
    return restarted.apps;
  };
  /** Something of one's own was bundled. */
  const learn = (files: readonly string[]): void =>
    made.companions.learn(join(root, 'own.mjs'), files);
  return { ...made, root, write, app, again, learn };
}

test('clause 28: the user, what is built in and the workspace come before a definition beside an app file', async () => {
  const { apps, app, write, root } = await world();
  await app('acme/acme.app.mjs', definition('acme', 'Beside'));
  await app('github/github.app.mjs', definition('github', 'Evil'));
  expect(apps.find('acme')).toBeUndefined();
  await apps.look('acme');
  expect(apps.get('acme')).toMatchObject({
    from: 'companion',
    file: join(root, 'acme', 'acme.auth.json'),
    definition: { name: 'Beside' },
  });
  expect(apps.get('github')).toMatchObject({ from: 'built in', definition: { name: 'GitHub' } });
  const listed = apps.all().filter(({ definition: { app: slug } }) => slug === 'acme');
  expect(listed).toMatchObject([{ from: 'companion' }]);
  await write('weir/apps/acme.json', definition('acme', 'Workspace'));
  expect(apps.get('acme')).toMatchObject({ from: 'workspace', definition: { name: 'Workspace' } });
  await write('user/acme.json', definition('acme', 'Mine'));
  expect(apps.get('acme')).toMatchObject({ from: 'user', file: join(root, 'user', 'acme.json') });
});

test.each(['mjs', 'js', 'cjs', 'ts', 'mts', 'cts'])('an app file may end in %s', async (ending) => {
  const { apps, app } = await world();
  await app(`acme.app.${ending}`, definition('acme', 'Acme'));
  await apps.look();
  expect(apps.get('acme').from).toBe('companion');
});

test('what lies beside no app file, in packages, in hidden folders and in data folders is not looked for', async () => {
  const { apps, app, write } = await world();
  await write('acme.auth.json', definition('acme', 'Alone'));
  await app('node_modules/acme/acme.app.mjs', definition('acme', 'Package'));
  await app('.hidden/acme.app.mjs', definition('acme', 'Hidden'));
  await write('data/runtime.json', '{}');
  await app('data/acme.app.mjs', definition('acme', 'Data'));
  await app('cache/acme.app.mjs', definition('acme', 'Fetched'));
  await apps.look();
  expect(apps.find('acme')).toBeUndefined();
});

test('what was found outlives a restart, follows the file, and is gone with it or its app', async () => {
  const { apps, app, write, again, learn } = await world();
  await app('acme/acme.app.mjs', definition('acme', 'First'));
  const elsewhere = join(temporaryFolder(), 'shop.app.mjs');
  await writeFile(elsewhere, '');
  await apps.look();
  // Its definition comes later.
  learn([elsewhere]);
  await writeFile(elsewhere.replace('app.mjs', 'auth.json'), definition('shop', 'Shop'));
  expect(apps.get('shop').from).toBe('companion');

  const restarted = await again();
  expect(restarted.get('acme').definition.name).toBe('First');
  expect(restarted.get('shop').definition.name).toBe('Shop');
  await write('acme/acme.auth.json', definition('acme', 'Second'));
  expect(restarted.get('acme').definition.name).toBe('Second');
  await write('acme/acme.auth.json', '{');
  expect(() => restarted.get('acme')).toThrow(/acme\.auth\.json is not JSON/);
  const broken: string[] = [];
  restarted.all(({ message }) => broken.push(message));
  expect(broken).toEqual([expect.stringContaining('acme.auth.json is not JSON')]);
  await rm(elsewhere);
  expect(restarted.find('shop')).toBeUndefined();
  expect(() => restarted.get('shop')).toThrow('shop.auth.json beside the file of the app');
});

test('two that differ count neither, and the message names both and what to do; two that are equal are one', async () => {
  const { apps, app, write, root } = await world();
  await app('one/acme.app.mjs', definition('acme', 'Acme'));
  await app('two/acme.app.mjs', definition('acme', 'Acme', { $schema: './app.schema.json' }));
  await apps.look();
  expect(apps.get('acme').definition.name).toBe('Acme');
  await write('two/acme.auth.json', definition('acme', 'Other'));
  const [one, two] = ['one', 'two'].map((folder) => join(root, folder, 'acme.auth.json'));
  expect(() => apps.get('acme')).toThrow(
    `${one} and ${two} define acme in different ways, so neither counts: copy the one that is right to weir/apps/acme.json.`,
  );
  await write('weir/apps/acme.json', definition('acme', 'Right'));
  expect(apps.get('acme').definition.name).toBe('Right');
});

test("clause 28: a package takes no place of one's own files, those of the workspace come before those elsewhere, and packages that differ count neither", async () => {
  const { apps, app, learn, packaged, root } = await world();
  const [orders, invoices] = [
    await app('cache/one/package/acme.app.mjs', definition('acme', 'Orders')),
    await app('cache/two/package/acme.app.mjs', definition('acme', 'Invoices')),
  ].map((file) => file.replace('app.mjs', 'auth.json'));
  // It went into something here, and nobody was asked about it.
  learn([join(root, 'cache', 'one', 'package', 'acme.app.mjs')]);
  await apps.look();
  expect(apps.find('acme')).toBeUndefined();
  packaged.push({ path: orders ?? '', package: 'npm:@acme/orders@1.0.0' });
  await apps.look();
  expect(apps.get('acme')).toMatchObject({
    from: 'package',
    file: orders,
    package: 'npm:@acme/orders@1.0.0',
  });
  expect(await apps.definers(['acme'])).toEqual(new Map());
  packaged.push({ path: invoices ?? '', package: 'npm:@acme/invoices@2.0.0' });
  await apps.look();
  expect(() => apps.get('acme')).toThrow(
    `${orders} (npm:@acme/orders@1.0.0) and ${invoices} (npm:@acme/invoices@2.0.0) define acme`,
  );

  const elsewhere = join(temporaryFolder(), 'acme.app.mjs');
  await writeFile(elsewhere, '');
  await writeFile(elsewhere.replace('app.mjs', 'auth.json'), definition('acme', 'Elsewhere'));
  learn([elsewhere]);
  expect(apps.get('acme').definition.name).toBe('Elsewhere');
  await app('acme.app.mjs', definition('acme', 'Here'));
  await apps.look();
  expect(apps.get('acme').definition.name).toBe('Here');
  expect(await apps.definers(['acme', 'shop'])).toEqual(new Map([['acme', 'companion']]));
});

test('one of an npm package that own code imports counts as that of a package, where it is installed last', async () => {
  const { apps, app, learn } = await world();
  const install = (folder: string, name: string) =>
    app(`${folder}/node_modules/@acme/acme/acme.app.mjs`, definition('acme', name));
  learn([await install('old', 'Old')]);
  expect(apps.get('acme')).toMatchObject({ from: 'package', package: 'npm:@acme/acme' });
  learn([await install('new', 'New')]);
  expect(apps.get('acme').definition.name).toBe('New');
});

test('clause 28: what npm installs for a fetched component does not count, wherever that is', async () => {
  const { apps, app, companions, root } = await world();
  const file = await app('data/packages/node_modules/acme/acme.app.mjs', definition('acme', 'A'));
  companions.learn(join(root, 'cache', 'one', 'new-order.mjs'), [file]);
  expect(apps.find('acme')).toBeUndefined();
});

test('who asks while the workspace is looked through gets what was written by then, from one more look', async () => {
  const { app, root } = await world();
  const { store } = await newStore();
  let looks = 0;
  let goOn = (): void => undefined;
  const allAsk = new Promise<void>((resolve) => (goOn = resolve));
  const companions = new Companions({
    settings: store.settings,
    workspace: root,
    dataFolder: join(root, 'data'),
    isFetched: () => false,
    packages: async () => {
      looks += 1;
      await allAsk;
      return [];
    },
    report: (error) => {
      throw error;
    },
  });
  const first = companions.look();
  await app('acme.app.mjs', definition('acme', 'Acme'));
  const others = Array.from({ length: 10 }, () => companions.look());
  goOn();
  await Promise.all(others);
  expect(companions.find('acme')?.from).toBe('companion');
  await first;
  expect(looks).toBe(2);
});

test('clause 28: a package that brings another of a name in its own folder takes no place of that', async () => {
  const { apps, app, learn } = await world();
  const top = await app('node_modules/acme/acme.app.mjs', definition('acme', 'Acme'));
  const nested = 'node_modules/@evil/evil/node_modules/acme/acme.app.mjs';
  learn([top]);
  learn([await app(nested, definition('acme', 'Evil'))]);
  expect(() => apps.get('acme')).toThrow(
    /acme\.auth\.json \(npm:acme\) and .*acme\.auth\.json \(npm:@evil\/evil > acme\) define acme/,
  );
});

test('pnpm has a package in another folder after an update', async () => {
  const { apps, app, learn } = await world();
  const install = (version: string) =>
    app(
      `node_modules/.pnpm/acme@${version}/node_modules/acme/acme.app.mjs`,
      definition('acme', `Acme ${version}`),
    );
  learn([await install('1.0.0')]);
  learn([await install('1.1.0')]);
  expect(apps.get('acme')).toMatchObject({
    package: 'npm:acme',
    definition: { name: 'Acme 1.1.0' },
  });
});

const plain = { type: 'keys', fields: [{ name: 'key' }] };
test.each<[string, object, string]>([
  [
    'a command',
    { methods: [plain, { type: 'command', run: ['gh'] }] },
    'acme.auth.json: methods.1 has the type "command", and a definition that comes with a package runs no program: take the method out; who needs it writes weir/apps/acme.json.',
  ],
  [
    'a session of the editor',
    { methods: [{ type: 'editor', provider: 'github' }] },
    'takes no session of the editor: take the method out',
  ],
  [
    'a page in the clear',
    { setup: 'http://acme.test/apps' },
    'names http://acme.test/apps: make it an https address',
  ],
  ['another app', { app: 'github' }, 'rename the file to github.auth.json, or set app to "acme"'],
  [
    'tokens in the clear',
    {
      methods: [{ type: 'oauth2', grants: ['client_credentials'], token_url: 'http://acme.test' }],
    },
    'methods.0.token_url must be an https address, or http on this machine',
  ],
])('clause 30: with a package comes no definition with %s', (_what, more, sentence) => {
  expect(() => readPackaged(definition('acme', 'Acme', more), 'acme.auth.json', 'acme')).toThrow(
    sentence,
  );
});

test("one's own may name a command, and a package's an address of this machine", () => {
  const command = definition('acme', 'Acme', { methods: [{ type: 'command', run: ['gh'] }] });
  expect(readDefinition(command, 'acme.auth.json', 'acme').methods).toHaveLength(1);
  const local = definition('acme', 'Acme', { setup: 'http://127.0.0.1:4000/apps' });
  expect(readPackaged(local, 'acme.auth.json', 'acme').setup).toContain('127.0.0.1');
});

test('the hosts that tokens go to are all that a definition names', () => {
  const read = readDefinition(
    definition('acme', 'Acme', {
      methods: [
        {
          type: 'oauth2',
          authorization_url: 'https://{subdomain}.acme.test/authorize',
          token_url: 'https://ID.acme.test:8443/token',
          refresh_url: 'https://{domain}/token',
          identity: { url: 'https://api.acme.test/me', id: '/id' },
          fields: [{ name: 'subdomain' }, { name: 'domain' }],
        },
        {
          type: 'oauth1',
          request_token_url: 'https://one.test/request',
          authorization_url: 'https://one.test/authorize',
          access_token_url: 'https://one.test/access',
          hosts: ['*.signed.test'],
        },
      ],
      check: { url: 'https://check.test/me' },
    }),
    'acme.auth.json',
  );
  expect(hostsOf(read)).toEqual([
    '*',
    '*.acme.test',
    '*.signed.test',
    'api.acme.test',
    'check.test',
    'id.acme.test:8443',
    'one.test',
  ]);
});

test.each([
  ['https:///evil.test/acme.test', 'evil.test'],
  ['https:/evil.test/token', 'evil.test'],
  ['https://evil.test\\.acme.test/token', 'evil.test'],
  ['https://\u0430cme.test/token', 'xn--cme-5cd.test'],
])('a host is named as it is connected to, however %j looks', (address, host) => {
  const method = { type: 'oauth2', grants: ['client_credentials'], token_url: address };
  const read = readDefinition(definition('acme', 'Acme', { methods: [method] }), 'acme.auth.json');
  expect(hostsOf(read)).toEqual([host]);
});
