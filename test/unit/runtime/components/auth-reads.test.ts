import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needsNoAccount } from '../../../../src/protocol/definition.ts';
import { withAuthKeys } from '../../../../src/runtime/components/auth-keys.ts';
import { appKeysOf } from '../../../../src/runtime/components/bundle/app-keys.ts';
import { authReads } from '../../../../src/runtime/components/bundle/auth-reads.ts';
import { temporaryFolder } from '../../../support/folder.ts';

const reads = (code: string): Record<string, readonly string[]> =>
  Object.fromEntries(authReads(code)?.byOwner ?? []);

test.each<[string, string, Record<string, readonly string[]>]>([
  [
    'a member',
    'f(this.$auth.api_key, this.$auth["base url"], this.$auth["region"])',
    { '': ['api_key', 'region'] },
  ],
  ['of a prop', 'get() { return this.acme.$auth.token }', { acme: ['token'] }],
  ['optional chaining', 'this.acme?.$auth?.token', { acme: ['token'] }],
  ['of a variable', 'const h = (acme) => acme.$auth.oauth_uid;', { acme: ['oauth_uid'] }],
  [
    'destructured',
    'const { api_key: key, domain = "x" } = this.$auth;',
    { '': ['api_key', 'domain'] },
  ],
  ['destructured twice', 'const { acme: { $auth: { token } } } = this;', { acme: ['token'] }],
  ['destructured of a prop', 'const { $auth: { token } } = this.acme;', { acme: ['token'] }],
  [
    'under another name',
    'const auth = this.acme.$auth; f(auth.token, auth.dc)',
    { acme: ['token', 'dc'] },
  ],
  ['under its own name', 'const { $auth } = this.acme; f($auth.token)', { acme: ['token'] }],
  [
    'a parameter',
    'function f({ $auth: { token } }, { $auth }) { return $auth.dc }',
    { '': ['token', 'dc'] },
  ],
  ['assigned', 'let a; a = this.$auth; ({ dc } = this.$auth); f(a.token)', { '': ['dc', 'token'] }],
  ['with something in its place', 'const { token } = this.$auth || {};', { '': ['token'] }],
  [
    'by a method',
    'const o = { auth() { return this.$auth; }, run() { const { a } = this.auth(); return this.auth().b; } }',
    { '': ['a', 'b'] },
  ],
  [
    'by an arrow function',
    'const o = { auth: (x) => x.acme.$auth, run() { return this.auth(this).b; } }',
    { acme: ['b'] },
  ],
  [
    'not what is computed, or passed on',
    'Object.keys(this.$auth); this.$auth[name]; f(this.$auth)',
    {},
  ],
  ['not what merely looks alike', 'this.auth.key; const auth = 1; auth.x; "this.$auth.y"', {}],
])('%s', (_what, code, expected) => {
  const inside = code.startsWith('get()') ? `const o = { ${code} }` : code;
  expect(reads(inside)).toEqual(expected);
});

test('the file of an app says which app it is, a prop of an app does not', () => {
  const app = 'export default { type: "app", app: "acme", propDefinitions: {}, methods: {} }';
  expect(authReads(app)?.app).toBe('acme');
  expect(authReads(app.replace('export default ', 'module.exports = '))?.app).toBe('acme');
  expect(authReads(app.replace(/(\{.*\})/, 'defineApp($1)'))?.app).toBe('acme');
  expect(
    authReads('export default { props: { acme: { type: "app", app: "acme" } } }')?.app,
  ).toBeNull();
  expect(authReads('export default {')).toBeUndefined();
});

test('files of the author, TypeScript too, and of packages of components are looked at; libraries are not', async () => {
  const folder = temporaryFolder();
  const file = (name: string, code: string): string => {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, code);
    return path;
  };
  const app = (slug: string, key: string) =>
    `export default { type: "app", app: "${slug}", methods: { k() { return this.$auth.${key}; } } }`;
  const keys = await appKeysOf([
    file('acme.app.ts', app('acme', 'oauth_access_token as string')),
    file('action.mjs', 'const f = (t) => t.other.$auth.site;'),
    file('node_modules/@pipedream/slack/slack.app.mjs', app('slack', 'bot_token')),
    file('node_modules/@pipedream/slack/common/x.mjs', 'f(slack.$auth.oauth_uid)'),
    file('node_modules/lib/index.js', 'f(this.$auth.nothing)'),
    join(folder, 'gone.mjs'),
  ]);
  expect(keys).toEqual({
    byApp: { acme: ['oauth_access_token'], slack: ['bot_token'] },
    byOwner: { other: ['site'], slack: ['oauth_uid'] },
    takes: { acme: true, slack: true },
    takenFrom: ['other', 'slack'],
  });
});

const prop = (name: string, app = name) => ({ name, type: 'app', app });

test('keys stand with the app prop that they are of', () => {
  const keys = {
    byApp: { acme: ['api_key'], slack: ['bot_token'] },
    byOwner: { acme: ['dc'], mySlack: ['oauth_uid'], '': ['region'] },
  };
  const props = [prop('acme'), { name: 'text', type: 'string' }, prop('mySlack', 'slack')];
  expect(withAuthKeys(props, keys)).toEqual([
    { ...prop('acme'), auth_keys: ['api_key', 'dc'] },
    { name: 'text', type: 'string' },
    { ...prop('mySlack', 'slack'), auth_keys: ['bot_token', 'oauth_uid'] },
  ]);
  // An only app has what its methods were borrowed from, too.
  expect(withAuthKeys([prop('acme')], keys)[0]?.['auth_keys']).toEqual([
    'api_key',
    'dc',
    'bot_token',
    'oauth_uid',
    'region',
  ]);
  expect(withAuthKeys([prop('acme')], { byApp: {}, byOwner: {} })).toEqual([prop('acme')]);
});

test.each<[string, string, string[]]>([
  ['as a whole', 'f(this.$auth)', ['']],
  ['of a prop', 'f(this.acme.$auth)', ['acme']],
  ['what is computed', 'this.$auth[name]', ['']],
  ['taken apart', 'const { $auth } = this;', ['']],
  ['its values', 'Object.values(this.$auth)', ['']],
  ['but not its names', 'console.log(Object.keys(this.$auth))', []],
  ['nor in a comment or a text', '// this.$auth\n"this.$auth"', []],
])('$auth is taken %s', (_what, code, owners) => {
  expect([...(authReads(code)?.takenFrom ?? [])]).toEqual(owners);
});

const stub = `{
  type: "app", app: "schedule", propDefinitions: {},
  // this.$auth contains connected account data
  methods: { authKeys() { console.log(Object.keys(this.$auth)); } },
}`;

test.each<[string, Record<string, string>, boolean]>([
  ['the file that the generator wrote', { 'schedule.app.mjs': `export default ${stub}` }, true],
  ['CommonJS', { 'schedule.app.js': `module.exports = ${stub}` }, true],
  ['TypeScript', { 'schedule.app.ts': `export default defineApp(${stub})` }, true],
  [
    'nothing in it',
    { 'schedule.app.mjs': 'export default { type: "app", app: "schedule" }' },
    true,
  ],
  [
    'what is read of another app',
    { 'schedule.app.mjs': `export default ${stub}`, 'x.mjs': 'f(this.acme.$auth.token)' },
    true,
  ],
  [
    'what the component reads of it',
    { 'schedule.app.mjs': `export default ${stub}`, 'x.mjs': 'f(this.schedule.$auth.token)' },
    false,
  ],
  [
    'what a file that it borrows methods from reads',
    {
      'schedule.app.mjs': `export default ${stub}`,
      'x.mjs': 'const m = { f() { g(this.$auth); } };',
    },
    false,
  ],
  [
    'what is read of nobody knows whom',
    {
      'schedule.app.mjs': `export default ${stub}`,
      'x.mjs': 'const f = (app) => app.$auth.token;',
    },
    false,
  ],
  [
    'a file that does not parse',
    { 'schedule.app.mjs': `export default ${stub}; f(this.$auth` },
    false,
  ],
  [
    'no file of the app',
    { 'x.mjs': 'export default { props: { schedule: { type: "app", app: "schedule" } } }' },
    false,
  ],
])('an app that needs no account, by its files: %s', async (_what, files, expected) => {
  const folder = temporaryFolder();
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
  const keys = await appKeysOf(Object.keys(files).map((name) => join(folder, name)));
  const [found] = withAuthKeys([prop('schedule'), prop('acme')], keys);
  expect(needsNoAccount(found ?? prop('none'))).toBe(expected);
});

test('an app whose events reach the component needs an account', () => {
  const keys = { byApp: {}, byOwner: {}, takes: { acme: false }, takenFrom: [] };
  const hook = { name: 'hook', type: '$.interface.apphook', appProp: 'acme' };
  expect(withAuthKeys([prop('acme')], keys)).toEqual([{ ...prop('acme'), auth_keys: [] }]);
  expect(withAuthKeys([prop('acme'), hook], keys)).toEqual([prop('acme'), hook]);
});
