import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDefinition, readDefinition } from '../../../../../src/runtime/accounts/apps/read.ts';
import { appsIn } from '../../../../support/apps.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { newStore } from '../../../../support/store.ts';

const acme = {
  app: 'acme',
  name: 'Acme',
  methods: [
    {
      type: 'oauth2',
      authorization_url: 'https://{subdomain}.acme.test/authorize',
      token_url: 'https://acme.test/token',
      fields: [{ name: 'subdomain', pattern: '[a-z]+' }],
    },
  ],
};

test('a definition is read with its defaults', () => {
  const { methods } = readDefinition(JSON.stringify(acme), 'acme.json', 'acme');
  expect(methods[0]).toMatchObject({
    grants: ['code'],
    pkce: true,
    client_auth: 'post',
    redirect: { host: '127.0.0.1', port: 'any' },
  });
});

const [method] = acme.methods;
const webhook = {
  register: 'Enter it at acme.test.',
  secret: 'key',
  signature: { header: 'x-sign' },
  events: [{ names: ['{/type}'] }],
};
const mistakes: readonly (readonly [string, unknown, string])[] = [
  ['no JSON object', 7, 'the definition'],
  ['an unknown key', { ...acme, colour: 'red' }, 'unknown key colour'],
  ['no method', { ...acme, methods: [] }, 'must have one method at least'],
  [
    'tokens over plain http',
    { ...acme, methods: [{ ...method, token_url: 'http://acme.test/token' }] },
    'methods.0.token_url must be an https address, or http on this machine',
  ],
  [
    'an address with a name in it',
    { ...acme, methods: [{ ...method, token_url: 'https://github.com@acme.test/token' }] },
    'methods.0.token_url must be an https address',
  ],
  [
    'a placeholder without its field',
    { ...acme, methods: [{ ...method, fields: [] }] },
    'lacks the field subdomain, which https://{subdomain}.acme.test/authorize names',
  ],
  [
    'a scope with a placeholder without its field',
    { ...acme, methods: [{ ...method, scopes: ['https://{region}.acme.test/read'] }] },
    'lacks the field region, which https://{region}.acme.test/read names',
  ],
  [
    'the grant code without its address',
    { ...acme, methods: [{ type: 'oauth2', token_url: 'https://acme.test/token' }] },
    'lacks authorization_url, which the grant "code" needs',
  ],
  [
    'a webhook without a signature',
    { ...acme, webhook: { ...webhook, signature: undefined } },
    'webhook.signature',
  ],
  [
    'a webhook that signs what is not signed',
    {
      ...acme,
      webhook: {
        ...webhook,
        challenges: [{ when: { '/a': true }, signed: false, answer: '{hmac:/a}' }],
      },
    },
    'webhook.challenges.0 must not sign anything for a request that is not signed',
  ],
  [
    'a name with a placeholder that is none',
    { ...acme, webhook: { ...webhook, events: [{ names: ['{event.type}'] }] } },
    'webhook.events.0.names.0 may name in { } only a JSON pointer',
  ],
  [
    'a signature of something else than the body',
    { ...acme, webhook: { ...webhook, signature: { header: 'x-sign', payload: '{timestamp}' } } },
    'webhook.signature.payload must have {body} in it',
  ],
  [
    'the grant device without its address',
    { ...acme, methods: [{ ...method, grants: ['device'] }] },
    'lacks device_url',
  ],
];

test.each(mistakes)('%s is one sentence that names the file', (_what, value, sentence) => {
  const check = () => checkDefinition(value, 'weir/apps/acme.json');
  expect(check).toThrow(sentence);
  expect(check).toThrow('weir/apps/acme.json');
});

test('a file is named like its app', () => {
  expect(() => readDefinition(JSON.stringify(acme), 'weir/apps/acne.json', 'acne')).toThrow(
    'rename the file to acme.json',
  );
});

test('clause 28: a workspace cannot replace a built-in app, the user can; broken files are told about', async () => {
  const root = temporaryFolder();
  const [userFolder, workspaceFolder] = [join(root, 'user'), join(root, 'weir', 'apps')];
  const { apps } = appsIn(root, (await newStore()).store.settings);
  const write = async (folder: string, app: string, name: string) => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${app}.json`), JSON.stringify({ ...acme, app, name }));
  };
  await write(workspaceFolder, 'github', 'Evil');
  await write(workspaceFolder, 'acme', 'Acme of the workspace');
  expect(apps.get('github')).toMatchObject({ from: 'built in', definition: { name: 'GitHub' } });
  expect(apps.get('acme')).toMatchObject({ from: 'workspace' });
  await write(userFolder, 'github', 'Mine');
  await write(userFolder, 'acme', 'Acme of the user');
  expect(apps.get('github')).toMatchObject({ from: 'user', definition: { name: 'Mine' } });
  expect(apps.get('acme').definition.name).toBe('Acme of the user');
  expect(() => apps.get('nobody')).toThrow('write weir/apps/nobody.json');
  expect(apps.find('../user/acme')).toBeUndefined();

  await writeFile(join(workspaceFolder, 'torn.json'), '{');
  const broken: string[] = [];
  const all = apps.all(({ message }) => broken.push(message));
  expect(broken).toEqual([expect.stringContaining('torn.json is not JSON')]);
  expect(all.filter(({ definition }) => definition.app === 'github')).toHaveLength(1);
});
