/** The files in deploy/ for several nodes start what they say: their command lines, on a database of the test's own. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { needsProgram } from '../runtime/support/not-run.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startPostgres } from '../support/postgres.ts';
import { clusterKey, counter, deploy, emitted, endpointPath, startNode } from './support/node.ts';
import { post } from '../support/post.ts';

const postgres = await startPostgres(atEndOfSuite());
const composeFile = join('deploy', 'compose.nodes.yaml');

interface Compose {
  readonly services: Readonly<Record<string, { readonly command?: readonly string[] }>>;
}

test('docker-compose understands the compose file of three nodes', async (context) => {
  needsProgram('docker-compose', context);
  const own = { WEIR_DOMAIN: 'weir.example.com', WEIR_KEY: clusterKey, POSTGRES_PASSWORD: 'x' };
  const config = promisify(execFile)('docker-compose', ['-f', composeFile, 'config', '-q'], {
    env: { ...process.env, ...own },
  });
  expect((await config).stderr).toBe('');
});

test('the drop-in that makes a node of the unit is one', async (context) => {
  needsProgram('systemd-analyze', context);
  const folder = temporaryFolder();
  const file = join(folder, 'weir.service');
  const unit = await readFile(join('deploy', 'weir.service'), 'utf8');
  await writeFile(file, unit.replace('/usr/bin/node', process.execPath));
  await mkdir(join(folder, 'weir.service.d'));
  const dropIn = join('weir.service.d', 'node.conf');
  await copyFile(join('deploy', dropIn), join(folder, dropIn));
  const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', file]);
  expect(stdout + stderr).toBe('');
});

test('the command lines of the compose file serve, each what the other one is asked for', async () => {
  const { services } = parse(await readFile(composeFile, 'utf8')) as Compose;
  const nodes = Object.entries(services).filter(([name]) => name.startsWith('node'));
  expect(nodes.map(([name]) => name)).toEqual(['node1', 'node2', 'node3']);
  const url = await postgres.newDatabase();
  const first = temporaryFolder();
  const key = await runCli(
    ['keys', 'add', 'ada', '--scope', 'deploy', '--data', join(first, 'data')],
    {
      configFolder: join(first, 'config'),
      env: { WEIR_KEY: clusterKey, WEIR_STORE: url },
    },
  );
  expect(key).toMatchObject({ code: 0, stderr: '' });
  const started = [];
  for (const [name, { command = [] }] of nodes.slice(0, 2)) {
    const [verb, ...words] = command;
    expect([verb, words]).toEqual([
      'serve',
      expect.arrayContaining([`--node-address=${name}:7788`]),
    ]);
    const args = words.map((word) =>
      word
        .replace(/\$\{WEIR_DOMAIN[^}]*\}/, 'weir.example.com')
        .replace('--port=7787', '--port=0')
        .replace(`${name}:7788`, '127.0.0.1:0'),
    );
    started.push(await startNode({ url, args, ...(started.length === 0 && { folder: first }) }));
  }
  const [one, other] = started;
  if (one === undefined || other === undefined) throw new Error('There are two.');
  const source = await deploy(one, counter, 'Counter');
  const answer = await post(new URL(endpointPath(source), other.url).href, { said: 'x' });
  expect(answer.status).toBe(201);
  await expect.poll(() => emitted(other, source)).toHaveLength(1);
});
