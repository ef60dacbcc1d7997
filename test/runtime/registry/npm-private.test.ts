/** Who may read a package, who is trusted, and what a workspace may not decide. The numbers are those of the clauses. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Result, Source } from '../../../src/protocol/catalogue.ts';
import { atEndOfTest } from '../../support/at-end.ts';
import { type Colleague, emitted, lockOf, npmWorld } from './npm-world.ts';

// Each npm is a program that starts, and most tests have several.
vi.setConfig({ testTimeout: 180_000 });
/** On a busy machine npm needs longer than a registry has for a search, which then shows less. */
const patient = { timeout: 100_000 };
const world = npmWorld();

/** Keys of the sources that a search finds, in their order. */
async function searched({ runtime }: Colleague, ...words: string[]): Promise<string[]> {
  const found = await runtime.weirJson<Result<'components.search'>>('search', ...words);
  return found.sources.toSorted();
}

/** Files below a folder that have the text in them. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const found = await Promise.all(
    files.map(async (file) => ((await readFile(file)).includes(text) ? [file] : [])),
  );
  return found.flat();
}

test('private packages are found and fetched only with a token, which is kept nowhere; without one a sentence says how to log in (2, 3, 22)', async () => {
  await world.publish({ name: '@private/orders', version: '1.0.0', key: 'closed-new-order' });
  await world.publish({ name: '@open/orders', version: '1.0.0', key: 'opened-new-order' });
  const stranger = await world.colleague();
  await expect.poll(() => searched(stranger, 'order'), patient).toEqual(['opened-new-order']);
  const refused = await stranger.runtime.weir('add', 'npm:@private/orders#closed-new-order');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('npm login');
  expect(refused.stderr).toContain(world.registry.url);

  const member = await world.colleague({ token: world.token });
  await expect
    .poll(() => searched(member, 'order'), patient)
    .toEqual(['closed-new-order', 'opened-new-order']);
  const source = await member.runtime.weirJson<Source>('deploy', 'closed-new-order', '--yes');
  expect(await emitted(member.runtime, source)).toEqual(['hello']);
  expect(await lockOf(member.folder)).toContain('@private/orders');
  expect(await filesWith(member.folder, world.token)).toEqual([]);
  expect(member.runtime.output()).not.toContain(world.token);
  const doctor = await member.runtime.weir('doctor', '--json');
  expect(doctor.stdout + doctor.stderr).not.toContain(world.token);
});

test('a search finds by name, description and keyword, and filters by app and type (2)', async () => {
  const more = { description: 'Weir: parcels on their way' };
  await world.publish({
    name: 'freight-things',
    version: '1.0.0',
    key: 'depot-new-parcel',
    manifest: more,
  });
  const colleague = await world.colleague();
  await expect.poll(() => searched(colleague, 'freight'), patient).toEqual(['depot-new-parcel']);
  await expect
    .poll(() => searched(colleague, 'parcels', '--app', 'depot', '--type', 'source'), patient)
    .toEqual(['depot-new-parcel']);
  expect(await searched(colleague, 'parcels', '--app', 'harbour')).toEqual([]);
});

test('the .npmrc of a workspace decides nothing: neither where a component comes from nor its packages (25)', async () => {
  await world.publishFiles({
    'package.json': '{"name":"rail-words","version":"1.0.0","main":"index.js","type":"module"}',
    'index.js': `export default 'from where the user said';`,
  });
  await world.publish({
    name: '@rail/orders',
    version: '1.0.0',
    key: 'rail-new-order',
    dependencies: { 'rail-words': '^1.0.0' },
    emits: 'dependency0',
  });
  const asked: string[] = [];
  const other = createServer(({ url }, answer) => {
    asked.push(url ?? '');
    answer.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  atEndOfTest(async () => void (await new Promise((resolve) => other.close(resolve))));
  const { port } = other.address() as AddressInfo;
  const poison = [
    `registry=http://127.0.0.1:${port}/`,
    `@rail:registry=http://127.0.0.1:${port}/`,
    `//127.0.0.1:${port}/:_authToken=stolen`,
    'ignore-scripts=false',
    'script-shell=/bin/false',
  ].join('\n');
  const { runtime, folder } = await world.colleague({ files: { '.npmrc': poison } });
  await writeFile(join(folder, 'data', '.npmrc'), poison);
  const source = await runtime.weirJson<Source>('deploy', 'npm:@rail/orders', '--yes');
  expect(await emitted(runtime, source)).toEqual(['from where the user said']);
  expect(asked).toEqual([]);
});
