/** What the platform's published packages read of accounts: found without running them, and given by accounts of their apps. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtIn } from '../../../../src/runtime/accounts/apps/built-in/all.ts';
import { checkDefinition } from '../../../../src/runtime/accounts/apps/read.ts';
import type { AppDefinition } from '../../../../src/runtime/accounts/apps/schema.ts';
import { appKeysOf } from '../../../../src/runtime/components/bundle/app-keys.ts';
import { dependencies } from '../../../registry-packages/package.json';
import { registryScope } from '../../../support/registry-packages.ts';

interface Package {
  readonly app: string;
  readonly files: readonly string[];
}

const packages: readonly Package[] = Object.keys(dependencies).map((name) => {
  const app = name.slice('@pipedream/'.length);
  const folder = join(registryScope, app);
  const files = globSync('**/*.mjs', { cwd: folder, exclude: ['**/node_modules/**'] });
  return { app, files: files.map((file) => join(folder, file)) };
});

async function keysOf({ files }: Package): Promise<string[]> {
  const { byApp, byOwner } = await appKeysOf(files);
  const all = [...Object.values(byApp), ...Object.values(byOwner)].flat();
  return [...new Set(all)].sort();
}

/** `$auth.x` in the text, by a search that knows nothing of the language. */
function searched({ files }: Package): string[] {
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  return [...new Set([...text.matchAll(/\$auth\??\.(\w+)/g)].map(([, key = '']) => key))].sort();
}

/** One has no account, the other one's actions hand over `$auth` as it is, of any app. */
const nameless = ['data_stores', 'helper_functions'];
const reading = packages.filter(({ app }) => !nameless.includes(app));

test('all but two name what they read', async () => {
  const without = [];
  for (const one of packages) if ((await keysOf(one)).length === 0) without.push(one);
  expect(without.map(({ app }) => app)).toEqual(nameless);
  expect(without.flatMap(searched)).toEqual([]);
});

test.each(reading)('$app: a search of its text finds nothing more', async (one) => {
  expect(await keysOf(one)).toEqual(expect.arrayContaining(searched(one)));
});

/** What `$auth` has of an account, whichever way it came. */
function given({ methods }: AppDefinition): Set<string> {
  const names = methods.flatMap((method) => {
    if (method.type === 'keys') return method.fields.map(({ name }) => name);
    if (method.type !== 'oauth2') return [];
    const { fields, keep, identity, auth } = method;
    return [
      'oauth_access_token',
      'oauth_client_id',
      ...(identity === undefined ? [] : ['oauth_uid', ...Object.keys(identity.keep)]),
      ...fields.map(({ name }) => name),
      ...keep.callback,
      ...keep.token,
      ...Object.keys(auth),
    ];
  });
  return new Set(names);
}

const known = builtIn.map((written) => checkDefinition(written, written.app));

const defined = reading.flatMap((one) => {
  const definition = known.find(({ app }) => app === one.app);
  return definition === undefined ? [] : [{ ...one, definition }];
});

test('the definitions of these are held against what they read', () => {
  expect(defined.map(({ app }) => app)).toEqual([
    'docusign',
    'gitlab',
    'google_drive',
    'linear_app',
    'notion',
    'ramp',
    'slack',
  ]);
});

test.each(defined)('an account of $app by its definition has what it reads', async (one) => {
  const has = given(one.definition);
  expect((await keysOf(one)).filter((key) => !has.has(key))).toEqual([]);
});
