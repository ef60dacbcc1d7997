/** Components of a git repository: found, asked about, locked, deployed. The numbers are those of the issue's clauses. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { OfferedComponent, Result, Source } from '../../../src/protocol/catalogue.ts';
import { atEndOfSuite } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { gitRepository, type TestRepository } from '../../support/git.ts';
import { conformanceWorld } from '../conformance/world.ts';

const world = conformanceWorld();
const atEnd = atEndOfSuite();
let repository: TestRepository;
let canary: string;

const component = (version: string, says: string) => `
import { writeFileSync } from 'node:fs';
import acme from '../../acme.app.mjs';
import words from '../../common/words.json' with { type: 'json' };
writeFileSync(${JSON.stringify(canary)}, 'ran');
export default {
  key: 'acme-new-order', name: 'New Order', version: '${version}', type: 'source',
  description: 'Emits each order that is placed.',
  props: { db: '$.service.db' },
  run() { this.$emit({ says: '${says}', word: words.word, base: acme.methods.base() }); },
};`;

beforeAll(async () => {
  canary = join(world.folder, 'canary');
  // Outside of the workspace, whose files come first.
  repository = await gitRepository(temporaryFolder(atEnd), 'components');
  await repository.commit({
    'components/acme/acme.app.mjs': `export default { type: 'app', app: 'acme', propDefinitions: {}, methods: { base() { return 'https://api.acme.test/v1'; } } };`,
    'components/acme/common/words.json': '{"word": "order"}',
    'components/acme/package.json': '{"name": "@acme/acme", "version": "1.0.0", "license": "MIT"}',
    'components/acme/sources/new-order/new-order.mjs': component('0.0.1', 'one'),
    'components/other/actions/do-it/do-it.mjs': `export default { key: 'other-do-it', version: '0.1.0', type: 'action', name: 'Do It', run() { return 1; } };`,
  });
});

test('a repository is added, searched, and its component deployed after a yes; nothing runs before (1, 12, 20)', async () => {
  const { runtime } = world;
  expect(await runtime.weirJson('registry', 'add', repository.url)).toEqual({
    name: 'components',
    place: repository.url,
    kind: 'git',
    from: 'workspace',
  });
  const found = await runtime.weirJson<{ components: OfferedComponent[] }>('search', 'order');
  expect(found).toMatchObject({ sources: ['acme-new-order'], actions: [], problems: [] });
  expect(found.components[0]).toMatchObject({ version: '0.0.1', license: 'MIT', app: 'acme' });

  const info = await runtime.weirJson<Result<'components.registry'>>('info', 'acme-new-order');
  expect(info).toMatchObject({ configurable_props: [{ name: 'db', type: '$.service.db' }] });
  expect(info.trust).toMatchObject({
    publisher: repository.url,
    hosts: ['api.acme.test'],
    apps: ['acme'],
  });

  const refused = await runtime.weir('deploy', 'acme-new-order');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('api.acme.test') });
  expect(refused.stderr).toContain(`--trust ${repository.url}`);
  expect(existsSync(canary)).toBe(false);

  const source = await runtime.weirJson<Source>(
    'deploy',
    'acme-new-order',
    '--trust',
    repository.url,
  );
  expect(await world.emitted(source)).toEqual([
    { says: 'one', word: 'order', base: 'https://api.acme.test/v1' },
  ]);
  expect(existsSync(canary)).toBe(true);
  const lock = JSON.parse(await readFile(join(world.folder, 'weir.lock.json'), 'utf8')) as {
    components: unknown[];
  };
  expect(lock.components).toMatchObject([
    { key: 'acme-new-order', version: '0.0.1', source: 'git', registry: repository.url },
  ]);
});

test('steps of a workflow take components of a repository: asked about together, an older version from its history', async () => {
  const { runtime } = world;
  const action = (version: string) =>
    `export default { key: 'other-do-it', version: '${version}', type: 'action', name: 'Do It', run() { return '${version}'; } };`;
  await repository.commit({ 'components/other/actions/do-it/do-it.mjs': action('0.2.0') });
  await repository.commit({
    'components/other/actions/tell/tell.mjs': `export default { key: 'other-tell', version: '1.0.0', type: 'action', name: 'Tell', run() { return 'told'; } };`,
  });
  const folder = join(world.folder, 'order-desk');
  await mkdir(folder);
  const workflow = (version: string) =>
    `schema: workflow/2022.04\nname: Order desk\norg_id: o_weir\nproject_id: proj_weir\nsteps:\n  - namespace: old\n    uses: other-do-it@${version}\n  - namespace: tell\n    uses: other-tell@1.0.0\ntriggers: []\n`;
  await writeFile(join(folder, 'workflow.yaml'), workflow('0.1.7'));
  await runtime.weir('registry', 'forget', repository.url);
  const gone = await runtime.weir('deploy', folder);
  expect(gone).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the nearest version is'),
  });

  await writeFile(join(folder, 'workflow.yaml'), workflow('0.1.0'));
  const refused = await runtime.weir('deploy', folder);
  expect(refused.stderr).toContain('other-do-it@0.1.0, other-tell@1.0.0');
  await runtime.weirJson('deploy', folder, '--trust', repository.url);
  const ran = await runtime.weir('invoke', 'order-desk', '--json');
  // As it was in that version.
  expect(ran.stdout).toContain('"return_value": 1,');
  expect(ran.stdout).toContain('told');
});

test('the commit of the lock still deploys when the branch has moved, and the page of a file names one (18)', async () => {
  const { runtime } = world;
  const file = 'components/acme/sources/new-order/new-order.mjs';
  const first = await repository.git('rev-parse', 'HEAD');
  await repository.commit({ [file]: component('0.0.2', 'two') });
  const locked = await runtime.weirJson<Source>('deploy', 'acme-new-order', '--yes');
  expect(await world.emitted(locked)).toMatchObject([{ says: 'one' }]);
  const moved = `git:${repository.url}#main:${file}`;
  const newer = await runtime.weirJson<Source>('deploy', moved, '--yes');
  expect(await world.emitted(newer)).toMatchObject([{ says: 'two' }]);
  const before = `git:${repository.url}#${first}:${file}`;
  expect(
    await world.emitted(await runtime.weirJson<Source>('deploy', before, '--yes')),
  ).toMatchObject([{ says: 'one' }]);
});

test('a path out of the repository, a link, a missing file and more files than a component has are refused (19)', async () => {
  const { runtime } = world;
  const at = (name: string) => `bad/actions/${name}/${name}.mjs`;
  const importing = (key: string, what: string) =>
    `import x from '${what}';\nexport default { key: 'bad-${key}', version: '0.0.1', type: 'action', run() { return x; } };`;
  await mkdir(join(repository.work, 'bad'), { recursive: true });
  await symlink('/etc/passwd', join(repository.work, 'bad', 'link.mjs'));
  const parts = Array.from({ length: 200 }, (_, at) => `part-${at}.mjs`);
  await repository.commit({
    ...Object.fromEntries(parts.map((part) => [`bad/actions/many/${part}`, '//\n'])),
    [at('many')]:
      `${parts.map((part) => `import './${part}';`).join('\n')}\n${importing('many', './part-0.mjs')}`,
    [at('out')]: importing('out', '../../../../../outside.mjs'),
    [at('link')]: importing('link', '../../link.mjs'),
    [at('round')]: importing('round', './other.mjs'),
    'bad/actions/round/other.mjs': `import './round.mjs'; export default 'round';`,
  });
  const add = (name: string) => runtime.weir('add', `git:${repository.url}#:${at(name)}`, '--yes');
  expect((await add('out')).stderr).toContain('lies outside of it');
  expect((await add('many')).stderr).toContain('imports more than 200 files');
  expect((await add('link')).stderr).toContain('which is not there');
  expect(await add('round')).toMatchObject({ code: 0 });
});

test('a yes is to one publisher of one registry: another is asked about, and who is forgotten again (14)', async () => {
  const { runtime } = world;
  const other = await gitRepository(temporaryFolder(atEnd), 'others');
  await other.commit({
    'more/actions/one/one.mjs': `export default { key: 'more-one', version: '0.1.0', type: 'action', run() {} };`,
  });
  await runtime.weirJson('registry', 'add', other.url);
  await runtime.weirJson('add', 'other-tell@1.0.0', '--trust', repository.url);
  const asked = await runtime.weir('add', 'more-one', '--trust', repository.url);
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining(`--trust ${other.url}`) });
  await runtime.weirJson('add', 'more-one', '--trust', other.url);
  const trusted = await runtime.weirJson<Result<'registries.trusted'>['data']>(
    'registry',
    'trusted',
  );
  expect(trusted.map(({ publisher }) => publisher).toSorted()).toEqual(
    [repository.url, other.url].toSorted(),
  );
  await runtime.weir('registry', 'forget', other.url);
  expect(await runtime.weir('add', 'more-one')).toMatchObject({ code: 1 });
  expect(await runtime.weir('add', 'other-tell@1.0.0')).toMatchObject({ code: 0 });
});
