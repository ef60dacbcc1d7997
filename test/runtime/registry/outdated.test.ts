/** What is locked beside what registries have now, and its updates. The numbers are those of the issue's clauses. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Result, Source } from '../../../src/protocol/catalogue.ts';
import { atEndOfSuite } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { gitRepository, type TestRepository } from '../../support/git.ts';
import { conformanceWorld, endpointOf } from '../conformance/world.ts';

const world = conformanceWorld();
const atEnd = atEndOfSuite();
let repository: TestRepository;

const file = 'components/acme/sources/new-order/new-order.mjs';
const manifest = (license: string, dependencies = {}) =>
  JSON.stringify({ name: '@acme/acme', version: '1.0.0', license, dependencies });
const component = (version: string, says: string, more = '') => `
export default {
  key: 'acme-new-order', name: 'New Order', version: '${version}', type: 'source', dedupe: 'unique',
  props: { db: '$.service.db', http: '$.interface.http'${more} },
  run(event) {
    const count = (this.db.get('count') ?? 0) + 1;
    this.db.set('count', count);
    this.$emit({ says: '${says}', count }, { id: event.body?.id ?? count });
  },
};`;

beforeAll(async () => {
  repository = await gitRepository(temporaryFolder(atEnd), 'components');
  await repository.commit({
    [file]: component('0.1.0', 'one'),
    'components/acme/package.json': manifest('MIT'),
  });
  await world.runtime.weirJson('registry', 'add', repository.url);
});

const lockOf = (): Promise<string> => readFile(join(world.folder, 'weir.lock.json'), 'utf8');
const outdated = () => world.runtime.weirJson<Result<'components.outdated'>['data']>('outdated');

test('clause 16: a newer version is shown, and what is deployed goes on with its own', async () => {
  const { runtime } = world;
  expect((await runtime.weir('outdated')).stdout).toContain('has no components');
  expect((await runtime.weir('licenses')).stdout).toContain('has no components');
  const source = await runtime.weirJson<Source>('deploy', 'acme-new-order', '--yes');
  expect((await runtime.weir('outdated')).stdout).toContain('Everything is up to date.');
  expect(await runtime.weirJson('licenses')).toEqual([
    {
      key: 'acme-new-order',
      version: '0.1.0',
      registry: repository.url,
      license: 'MIT',
      note: null,
    },
  ]);
  const lock = await lockOf();

  await repository.commit({ [file]: component('0.2.0', 'two') });
  expect(await outdated()).toMatchObject([
    {
      key: 'acme-new-order',
      type: 'source',
      current: '0.1.0',
      newest: '0.2.0',
      is_outdated: true,
      newer: { version: '0.2.0', commit: await repository.git('rev-parse', 'HEAD') },
      unpublished: false,
      used_by: [{ id: source.id, type: 'source' }],
    },
  ]);
  expect((await runtime.weir('outdated')).stdout).toMatch(/acme-new-order +0\.1\.0 +0\.2\.0/);
  expect(await lockOf()).toBe(lock);
  expect(await world.emitted(source)).toMatchObject([{ says: 'one' }]);
});

test('clauses 15, 16: an update shows what is new and changes nothing before a yes; then id, db, endpoint and dedupe state stay', async () => {
  const { runtime } = world;
  const [source] = (await runtime.weirJson<Source[]>('list', 'sources')) as [Source];
  const post = (id: string) =>
    fetch(endpointOf(source), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id }),
    });
  await post('order-1');
  const before = await world.eventually(source, 2);
  await repository.commit({
    'components/acme/acme.app.mjs': `export default { type: 'app', app: 'acme', methods: { base() { return 'https://new.acme.test/'; } } };`,
    [file]: `import acme from '../../acme.app.mjs';\nimport { nothing } from 'left-over';\nexport { nothing, acme };${component('0.3.0', 'three', `, more: { type: 'string', optional: true }`)}`,
    'components/acme/package.json': manifest('Apache-2.0', { 'left-over': '^1.0.0' }),
  });
  const lock = await lockOf();
  const declined = await runtime.weir('update', source.id, '--to', '0.3.0');
  expect(declined.code).toBe(1);
  for (const said of [
    'acme-new-order 0.1.0 → 0.3.0',
    'License: MIT → Apache-2.0.',
    'New dependencies: left-over.',
    'New apps whose accounts it asks for: acme.',
    'New hosts: new.acme.test.',
    'New props: more.',
    'lines added',
  ]) {
    expect(declined.stderr).toContain(said);
  }
  expect(await lockOf()).toBe(lock);
  expect(await world.emitted(source)).toMatchObject([{ says: 'one' }]);

  // From its history, and without a question: nothing is new in it.
  const updated = await runtime.weirJson<Result<'components.update'>>(
    'update',
    source.id,
    '--to',
    '0.2',
  );
  expect(updated).toMatchObject({ from: '0.1.0', to: '0.2.0', updated: [{ id: source.id }] });
  expect(updated.remaining).toEqual([]);
  expect(JSON.parse(await lockOf())).toMatchObject({ components: [{ version: '0.2.0' }] });
  const after = await runtime.restData<Source>('GET', `/v1/sources/${source.id}`);
  expect(after).toMatchObject({ id: source.id, name: source.name });
  expect(endpointOf(after)).toBe(endpointOf(source));
  // The same order again is none that is new.
  await post('order-1');
  const more = await world.emitted(source, { body: { id: 'order-2' } });
  expect(more).toMatchObject([{ says: 'two', count: before.length + 3 }]);
  const counts = (await world.events(source)).map(
    ({ event }) => (event as { count: number }).count,
  );
  expect(counts).toEqual([1, 2, 3, 5]);

  // A reference says where the version is, and may go back.
  const first = await repository.git('rev-list', '--max-parents=0', 'HEAD');
  const back = await runtime.weirJson<Result<'components.update'>>(
    'update',
    source.id,
    '--to',
    `git:${repository.url}#${first}:${file}`,
    '--yes',
  );
  expect(back).toMatchObject({ from: '0.2.0', to: '0.1.0', updated: [{ id: source.id }] });
  await runtime.weir('update', source.id, '--to', '0.2.0', '--yes');

  const gone = await runtime.weir('update', source.id, '--to', '0.2.9');
  expect(gone.stderr).toContain('the nearest version is 0.2.0');
});

test('clause 26: a component that was removed is shown as that, and its source goes on', async () => {
  const { runtime } = world;
  const [source] = (await runtime.weirJson<Source[]>('list', 'sources')) as [Source];
  await repository.commit({ [file]: null });
  expect(await outdated()).toMatchObject([{ unpublished: true, is_outdated: false }]);
  expect((await runtime.weir('outdated')).stdout).toContain('UNPUBLISHED');
  expect(await world.emitted(source)).toMatchObject([{ says: 'two' }]);
});

test('the files of a component become those of the workspace; its source runs them, and the lock forgets it', async () => {
  const { runtime } = world;
  const [source] = (await runtime.weirJson<Source[]>('list', 'sources')) as [Source];
  const ejected = await runtime.weirJson<Result<'components.eject'>>('eject', 'acme-new-order');
  expect(ejected).toMatchObject({
    folder: join(world.folder, 'acme-new-order'),
    files: ['package.json', 'sources/new-order/new-order.mjs'],
    license: 'MIT',
    updated: [{ id: source.id }],
  });
  expect(JSON.parse(await lockOf())).toMatchObject({ components: [] });
  const own = await readFile(ejected.path, 'utf8');
  await writeFile(ejected.path, own.replace("'two'", "'mine'"));
  await runtime.weirJson('update', source.id, '--file', ejected.path);
  expect(await world.emitted(source, { body: { id: 'order-3' } })).toMatchObject([
    { says: 'mine' },
  ]);
  const none = await runtime.weir('update', source.id, '--to', '0.3.0');
  expect(none.stderr).toContain('runs no component of weir.lock.json');
});
