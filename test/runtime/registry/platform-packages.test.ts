/** Packages of the platform's registry, as an npm registry and as a repository of its layout has them. The numbers are those of the clauses. */
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Result } from '../../../src/protocol/catalogue.ts';
import { atEndOfSuite } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { gitRepository } from '../../support/git.ts';
import type { TestRuntime } from '../../support/runtime.ts';
import { npmWorld } from './npm-world.ts';

// Each npm is a program that starts, and most tests have several.
vi.setConfig({ testTimeout: 180_000 });
const world = npmWorld();
const atEnd = atEndOfSuite();
const installed = resolve('test/registry-packages/node_modules/@pipedream');
const placed = /^(?:sources|actions)\/([^/]+)\/\1\.m?js$/;
let runtime: TestRuntime;

beforeAll(async () => {
  ({ runtime } = await world.colleague({ atEnd }));
}, 60_000);

/** Paths of the components of an app, as the layout has them. */
async function componentsIn(app: string): Promise<string[]> {
  const paths = await readdir(join(installed, app), { recursive: true });
  return paths.filter((path) => placed.test(path) && !path.includes('node_modules')).toSorted();
}

interface Evaluated {
  readonly path: string;
  readonly key: string;
  readonly version: string;
}

/** What the files say when they are run; what only has a component's place is left out. @param paths below the installed packages */
async function evaluated(paths: readonly string[]): Promise<Evaluated[]> {
  const code = `const all = [];
    for (const file of process.argv.slice(1)) {
      const { key, version } = (await import(file)).default;
      all.push(key === undefined ? undefined : { key, version });
    }
    console.log(JSON.stringify(all));
    process.exit(0);`;
  const files = paths.map((path) => join(installed, path));
  const args = ['--input-type=module', '--no-warnings', '-e', code, '--', ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const all = JSON.parse(stdout) as (Omit<Evaluated, 'path'> | null)[];
  return all.flatMap((one, index) => (one === null ? [] : [{ ...one, path: paths[index] ?? '' }]));
}

test.each([
  ['slack', 'slack-send-message', 'Pipedream Source Available License'],
  ['postgresql', 'postgresql-find-row', 'MIT'],
  ['launchdarkly', 'launchdarkly-evaluate-feature-flag', null],
])(
  'what is in @pipedream/%s is read without running it: the keys it evaluates to, and its license (17)',
  async (app, key, license) => {
    const folder = join(temporaryFolder(), app);
    await cp(join(installed, app), folder, { recursive: true });
    const text = await readFile(join(folder, 'package.json'), 'utf8');
    // Theirs have a file; others have a name in package.json, or nothing.
    if (license === 'MIT') {
      const manifest = { ...(JSON.parse(text) as object), license };
      await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    }
    if (license !== 'Pipedream Source Available License') await rm(join(folder, 'LICENSE'));
    await world.npm(['publish', '--ignore-scripts'], folder);
    const page = await runtime.weirJson<Result<'components.registry'>>(
      'info',
      `npm:@pipedream/${app}#${key}`,
    );
    if (license === null) expect(page.license).toBeNull();
    else expect(page.license).toContain(license);
    const keys = await evaluated((await componentsIn(app)).map((path) => join(app, path)));
    expect([key, ...page.others].toSorted()).toEqual(keys.map((one) => one.key).toSorted());
  },
);

test("keys of workflows are found in a repository of the public one's layout, at their version, also when that is in its history", async () => {
  const { url, work, commit } = await gitRepository(temporaryFolder(), 'pipedream');
  const apps = (await readdir(installed)).filter((app) => app !== 'platform');
  const paths: string[] = [];
  for (const app of apps) {
    await cp(join(installed, app), join(work, 'components', app), {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    });
    // The first and the last of each: all of them say nothing more.
    const all = await componentsIn(app);
    const some = [all[0], all.at(-1)].filter((path) => path !== undefined);
    paths.push(...new Set(some.map((path) => join(app, path))));
  }
  await commit({ 'package.json': '{"private":true,"workspaces":["components/*"]}' });
  const wanted = await evaluated(paths);
  expect(wanted.length).toBeGreaterThan(15);
  await runtime.weirJson('registry', 'remove', 'acme');
  await runtime.weirJson('registry', 'add', url);
  // Whoever wrote the workflow had an older one.
  const [first] = wanted;
  const moved = join('components', first?.path ?? '');
  const text = await readFile(join(work, moved), 'utf8');
  await commit({ [moved]: text.replace(/(\bversion: ["'])[^"']*/, '$199.0.0') });
  const read = (reference: string) =>
    runtime.restData<Result<'components.registry'>>(
      'GET',
      `/v1/components/registry/${encodeURIComponent(reference)}`,
    );
  for (const { key, version } of wanted) {
    const page = await read(`${key}@${version}`);
    expect(page).toMatchObject({ key, version });
    expect(page.license).toContain('Pipedream Source Available License');
  }
  expect(await read(first?.key ?? '')).toMatchObject({ version: '99.0.0' });
});
