/** P25.98: a newer export of what is here: compared file by file, told from a person's edits, taken with `replace`. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { strToU8, zipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import type { Result } from '../../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { workflowWorld } from './world.ts';

const world = workflowWorld();
const git = promisify(execFile);
type Report = Result<'imports.run'>;

const imported = (params: object): Promise<Report> =>
  world.runtime.restData('POST', '/v1/imports', params);

/** An import of the same workflow, twice: as it was, and as it is with other code and one more step. */
interface Way {
  /** Makes this version the one that is imported. */
  publish(version: 'old' | 'new'): Promise<object>;
  /** Where the workflow lands below `to`. */
  readonly folder: string;
}

const code = (version: string): string =>
  `export default defineComponent({ run() { return '${version}'; } });\n`;

function exportOf(version: 'old' | 'new'): object {
  const one = { namespace: 'one', lang: 'nodejs20.x', code: code(version) };
  const two = { namespace: 'two', lang: 'nodejs20.x', code: code('two') };
  return {
    id: 'p_Re1',
    name: 'Re',
    triggers: [{ id: 'hi_r', type: 'http' }],
    steps: version === 'old' ? [one] : [one, two],
  };
}

async function zipWay(): Promise<Way> {
  const zip = join(temporaryFolder(), 'project_export.zip');
  return {
    folder: 're-p_Re1',
    publish: async (version) => {
      await writeFile(zip, zipSync({ 're.json': strToU8(JSON.stringify(exportOf(version))) }));
      return { zip };
    },
  };
}

async function apiWay(): Promise<Way> {
  let served: 'old' | 'new' = 'old';
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(exportOf(served)));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    folder: 're-p_Re1',
    publish: async (version) => {
      served = version;
      return { api_url: url, api_key: 'k', workflow_ids: ['p_Re1'] };
    },
  };
}

async function gitWay(): Promise<Way> {
  const origin = join(temporaryFolder(), 'origin');
  await git('git', ['init', '-q', '-b', 'production', origin]);
  const as = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-C', origin];
  const write = async (path: string, text: string): Promise<void> => {
    const file = join(origin, 're-p_Re1', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  return {
    folder: 're-p_Re1',
    publish: async (version) => {
      const step = (name: string): string =>
        `  - namespace: ${name}\n    uses: ./${name}/entry.js\n`;
      const steps = version === 'old' ? step('one') : step('one') + step('two');
      await write(
        'workflow.yaml',
        `schema: workflow/2022.04\nname: Re\ntriggers:\n  - id: hi_r\nsteps:\n${steps}`,
      );
      await write('.workflow.state', '---\nschema: workflow.state/2022.04\nid: p_Re1\n');
      await write('one/entry.js', code(version));
      if (version === 'new') await write('two/entry.js', code('two'));
      await git('git', [...as, 'add', '-A']);
      await git('git', [...as, 'commit', '-qm', version]);
      return { git: `file://${origin}` };
    },
  };
}

const ways: [string, () => Promise<Way>][] = [
  ['a ZIP', zipWay],
  ['the API', apiWay],
  ['a repository', gitWay],
];

const differs = (report: Report, to: string): Record<string, string> =>
  Object.fromEntries(report.differs.map(({ file, change }) => [file.slice(to.length + 1), change]));

test.each(ways)('a newer export from %s is shown, and taken with replace', async (_, open) => {
  const way = await open();
  const to = temporaryFolder();
  const entry = join(to, way.folder, 'one/entry.js');
  const text = (): Promise<string> => readFile(entry, 'utf8');
  await imported({ ...(await way.publish('old')), to });
  const first = await text();
  expect(first).toContain("'old'");
  const newer = await way.publish('new');
  const shown = await imported({ ...newer, to });
  const both = { 're-p_Re1/workflow.yaml': 'newer', 're-p_Re1/one/entry.js': 'newer' };
  expect(differs(shown, to)).toEqual(both);
  expect(await text()).toBe(first);
  expect(differs(await imported({ ...newer, to }), to)).toEqual(both);
  const taken = await imported({ ...newer, to, replace: true });
  expect(taken.differs).toEqual([]);
  expect(await text()).toContain("'new'");
  expect(await readFile(join(to, way.folder, 'workflow.yaml'), 'utf8')).toContain('two');
  const again = await imported({ ...newer, to });
  expect([again.written, again.differs]).toEqual([[], []]);
});

test.each(ways)('edits are told from what is newer from %s, and stay', async (_, open) => {
  const way = await open();
  const to = temporaryFolder();
  const entry = join(to, way.folder, 'one/entry.js');
  const old = await way.publish('old');
  await imported({ ...old, to });
  await writeFile(entry, '// mine');
  expect(differs(await imported({ ...old, to }), to)).toEqual({
    're-p_Re1/one/entry.js': 'edited',
  });
  const newer = await way.publish('new');
  expect(differs(await imported({ ...newer, to }), to)).toEqual({
    're-p_Re1/workflow.yaml': 'newer',
    're-p_Re1/one/entry.js': 'both',
  });
  expect(await readFile(entry, 'utf8')).toBe('// mine');
  await rm(entry);
  const restored = await imported({ ...newer, to });
  expect(restored.written).toContain(entry);
  expect(await readFile(entry, 'utf8')).toContain("'new'");
});

test('an export finds the folder of git-sync by the id, wherever that is, and fills it in', async () => {
  const folder = join(world.folder, 'repo-of-mine/timers-p_Tim1');
  await mkdir(join(folder, 'one'), { recursive: true });
  const yaml = `schema: workflow/2022.04\nname: Timers\ntriggers:\n  - id: ti_1\nsteps:\n  - namespace: one\n    uses: ./one/entry.js\n`;
  await writeFile(join(folder, 'workflow.yaml'), yaml);
  await writeFile(join(folder, '.workflow.state'), 'schema: x\nid: p_Tim1\n');
  await writeFile(join(folder, 'one/entry.js'), code('1'));
  const zip = join(temporaryFolder(), 'e.zip');
  const timers = { id: 'p_Tim1', name: 'Timers', triggers: [{ id: 'ti_1', cron: '0 3 * * *' }] };
  await writeFile(zip, zipSync({ 't.json': strToU8(JSON.stringify({ ...timers, steps: [] })) }));
  const report = await imported({ zip });
  expect(report.written).toEqual([join(folder, 'workflow.yaml')]);
  expect(report.workflows.filter(({ id }) => id === 'p_Tim1')).toMatchObject([
    { folder, state: 'ready' },
  ]);
  expect(await readFile(join(folder, 'workflow.yaml'), 'utf8')).toContain('0 3 * * *');
});

test('nothing is imported through a symbolic link', async () => {
  const way = await zipWay();
  const to = temporaryFolder();
  const elsewhere = temporaryFolder();
  await symlink(elsewhere, join(to, way.folder));
  const { status, body } = await world.runtime.rest('POST', '/v1/imports', {
    ...(await way.publish('old')),
    to,
  });
  expect(status).toBe(400);
  expect((body as { error: string }).error).toMatch(/is a symbolic link/);
});
