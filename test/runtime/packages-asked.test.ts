import { beforeAll, expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { type Registry, startRegistry } from './support/npm-registry.ts';
import { conformanceWorld, refusal } from './conformance/world.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';

/** Where a person is asked before anything is installed: what each kind of caller meets. */
const world = conformanceWorld('--set', 'packages.install=ask');

const atEnd = atEndOfSuite();
let registry: Registry;
let npmrc = '';

beforeAll(async () => {
  registry = await startRegistry(atEnd);
  npmrc = registry.npmrc(temporaryFolder(atEnd));
  for (const name of ['rest', 'cli', 'form']) {
    await registry.publish(
      { name, version: '1.0.0' },
      { 'index.js': `module.exports = '${name}';` },
    );
  }
});

const importing = (name: string) =>
  world.file(
    `import word from '${name}'; export default { name: 'Needs ${name}', run() { this.$emit(word); } }`,
    { '.npmrc': npmrc },
  );

test('REST is told what is lacking, and installs when it says so', async () => {
  const component_path = await importing('rest');
  const answer = refusal(await world.runtime.rest('POST', '/v1/sources', { component_path }));
  expect(answer).toMatchObject({
    code: 'packages_needed',
    error:
      'The component needs rest@latest from npm, and nobody has said yet that Weir may install it; say so with "install": true.',
    details: [{ package: 'rest@latest' }],
  });
  expect(registry.requests).toEqual([]);
  const asked = { component_path, install: true };
  const source = await world.runtime.restData<Source>('POST', '/v1/sources', asked);
  expect(await world.emitted(source)).toEqual(['rest']);
});

test('who deploys from a terminal means it', async () => {
  const source = await world.runtime.weirJson<Source>('deploy', await importing('cli'));
  expect(await world.emitted(source)).toEqual(['cli']);
});

test('a look at a file downloads nothing unless it is told to', async () => {
  const component_path = await importing('form');
  const before = registry.requests.length;
  const asked = refusal(
    await world.runtime.rest('POST', '/v1/components/props', { component_path }),
  );
  expect(asked.code).toBe('packages_needed');
  expect(registry.requests).toHaveLength(before);
});
