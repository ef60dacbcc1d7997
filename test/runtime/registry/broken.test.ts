/** Registries that are down, slow, wrong or large, and an end in the middle. The numbers are those of the clauses. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Result, Source } from '../../../src/protocol/catalogue.ts';
import { freePort } from '../../../scripts/editor/free-port.mts';
import { atEndOfTest } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { gitRepository } from '../../support/git.ts';
import { npmTarball } from '../../support/npm-tarball.ts';
import { startRuntime, type TestRuntime } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';
import { emitted, lockOf } from './npm-world.ts';

// Each npm is a program that starts, and most tests have several.
vi.setConfig({ testTimeout: 120_000 });

/** What no real registry does on demand. @returns `http://127.0.0.1:…/` */
async function server(listener: RequestListener): Promise<string> {
  const running = createServer(listener);
  await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve));
  atEndOfTest(async () => {
    running.closeAllConnections();
    await new Promise((resolve) => running.close(resolve));
  });
  return `http://127.0.0.1:${(running.address() as AddressInfo).port}/`;
}

function machine(folder: string, registry?: string): Promise<TestRuntime> {
  return startRuntime({
    folder,
    args: ['--set', 'registry.minimumAgeDays=0'],
    env: {
      npm_config_cache: join(folder, 'npm-cache'),
      npm_config_userconfig: join(folder, 'npmrc'),
      ...(registry !== undefined && { npm_config_registry: registry }),
    },
  });
}

const component = (key: string, more = '') =>
  `${more}export default { key: '${key}', version: '0.1.0', type: 'source', name: 'New thing', run() { this.$emit('hello'); } };`;

test('a registry that is down, slow, failing or no registry is a line, and the rows of the others come (10)', async () => {
  const { commit, url } = await gitRepository(temporaryFolder(), 'good');
  await commit({ 'acme/sources/new-order/new-order.mjs': component('acme-new-order') });
  const places = {
    down: `http://127.0.0.1:${await freePort()}/`,
    slow: await server(() => undefined),
    failing: await server((_, answer) => void answer.writeHead(500).end('{}')),
    page: await server(
      (_, answer) =>
        void answer.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
    ),
  };
  const folder = temporaryFolder();
  const runtime = await machine(folder);
  for (const [name, place] of Object.entries(places)) {
    await runtime.weirJson('registry', 'add', `npm:${place}`, '--name', name);
  }
  await runtime.weirJson('registry', 'add', url, '--name', 'good');
  // On a busy machine npm needs longer to fail than a registry has for a search.
  const { found, said } = await until(
    'npm to fail in time',
    async (seen) => {
      const asked = performance.now();
      const found = await runtime.weirJson<Result<'components.search'>>('search', 'order');
      // Each has five seconds, and they are asked at once.
      expect(performance.now() - asked).toBeLessThan(15_000);
      const said = Object.fromEntries(
        found.problems.map(({ registry, message }) => [registry, message]),
      );
      seen(said);
      return said['down']?.includes('cannot be reached') === true && { found, said };
    },
    100_000,
  );
  expect(found.sources).toEqual(['acme-new-order']);
  expect(found.problems.map(({ registry }) => registry).toSorted()).toEqual([
    'down',
    'failing',
    'page',
    'slow',
  ]);
  expect(said['slow']).toContain('did not answer within 5 seconds');
  for (const message of Object.values(said)) expect(message).not.toContain('\n');
});

test('2,000 versions and 5,000 hits: what is asked for comes, and the runtime does not grow with them (23)', async () => {
  const components = (version: string) => ({
    'big-a-thing': { file: 'a.mjs', type: 'source', version, name: 'Big', apps: [], hosts: [] },
  });
  const versions = Array.from({ length: 2000 }, (_, index) => `1.${index}.0`);
  const manifest = (version: string, url: string) => ({
    name: 'big-things',
    version,
    keywords: ['weir-component', 'weir-app-big'],
    description: `Weir ${'x'.repeat(500)}`,
    weir: { schema: 1, components: components(version) },
    dist: { tarball: `${url}big-things/-/big-things-${version}.tgz`, integrity: 'sha512-x' },
  });
  const url: string = await server((request, answer) => {
    const path = request.url ?? '';
    const body = path.startsWith('/-/v1/search')
      ? {
          objects: Array.from({ length: 5000 }, (_, index) => ({
            package: {
              name: index === 0 ? 'big-things' : `things-${index}`,
              version: '1.0.0',
              keywords: ['weir-component'],
              description: `Weir ${'x'.repeat(500)}`,
              maintainers: [],
            },
          })),
        }
      : path.startsWith('/big-things')
        ? {
            name: 'big-things',
            'dist-tags': { latest: versions.at(-1) },
            versions: Object.fromEntries(versions.map((one) => [one, manifest(one, url)])),
            time: Object.fromEntries(versions.map((one) => [one, '2020-01-01T00:00:00.000Z'])),
          }
        : undefined;
    answer.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    answer.end(JSON.stringify(body ?? {}));
  });
  const folder = temporaryFolder();
  const runtime = await machine(folder);
  await runtime.weirJson('registry', 'add', `npm:${url}`, '--name', 'big');
  const memory = async (): Promise<number> => {
    const [, kb] =
      /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${runtime.pid}/status`, 'utf8')) ?? [];
    return Number(kb) / 1000;
  };
  const before = await memory();
  const found = await until(
    'npm to search in time',
    async (seen) => {
      const run = await runtime.weir('search', 'big', '--json');
      seen(run.stderr);
      return run.code === 0 && (run.json() as Result<'components.search'>);
    },
    100_000,
  );
  expect(found.components.length).toBeLessThanOrEqual(50);
  expect(found.components.length).toBeGreaterThan(0);
  const range = await runtime.weir('add', 'npm:big-things@^1.500.0#big-a-thing', '--yes');
  // It was found among all of them; the tarball is not there.
  expect(range.stderr).toContain('big-things@1.1999.0');
  expect((await memory()) - before).toBeLessThan(150);
});

test('kill -9 while the packages of a component are installed leaves nothing half: the next start takes it whole (24)', async () => {
  let isOpen = false;
  let isAsked = false;
  const { commit, url } = await gitRepository(temporaryFolder(), 'cut-off');
  await commit({
    'acme/package.json': '{"name":"acme","version":"1.0.0","dependencies":{"cut-words":"1.0.0"}}',
    'acme/sources/new-order/new-order.mjs': component('acme-new-order', `import 'cut-words';\n`),
  });
  const tarball = await npmTarball({
    'package.json': '{"name":"cut-words","version":"1.0.0"}',
    'index.js': 'module.exports = 1;',
  });
  const registry: string = await server((request, answer) => {
    if (!(request.url ?? '').endsWith('.tgz')) {
      const dist = { tarball: `${registry}cut-words/-/cut-words-1.0.0.tgz` };
      const manifest = { name: 'cut-words', version: '1.0.0', main: 'index.js', dist };
      answer.writeHead(200, { 'content-type': 'application/json' });
      answer.end(
        JSON.stringify({
          name: 'cut-words',
          'dist-tags': { latest: '1.0.0' },
          versions: { '1.0.0': manifest },
        }),
      );
      return;
    }
    isAsked = true;
    // As long as it is closed, npm waits.
    if (isOpen) answer.writeHead(200).end(tarball);
  });
  const folder = temporaryFolder();
  const first = await machine(folder, registry);
  await first.weirJson('registry', 'add', url);
  const cut = first.weir('deploy', 'acme-new-order', '--yes');
  await until('npm to ask for the package', () => isAsked);
  await first.kill();
  expect((await cut).code).not.toBe(0);
  expect(existsSync(join(folder, 'weir.lock.json'))).toBe(false);

  isOpen = true;
  const second = await machine(folder, registry);
  const source = await second.weirJson<Source>('deploy', 'acme-new-order', '--yes');
  expect(await emitted(second, source)).toEqual(['hello']);
  expect(await lockOf(folder)).toContain('cut-words');
  const kept = await readdir(join(folder, 'config', 'cache', 'weir', 'components'));
  expect(kept.filter((name) => !name.startsWith('.'))).toHaveLength(1);
});
