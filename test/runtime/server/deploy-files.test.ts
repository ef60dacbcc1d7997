/** The files in deploy/ start what they say: their command lines, with folders of the test's own. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../support/folder.ts';
import { ask } from '../support/ask.ts';
import { needsProgram } from '../support/not-run.ts';
import { serveOutside } from './served.ts';

const deployFile = (name: string) => readFile(join('deploy', name), 'utf8');

/** Any port in place of the usual one, which two tests would fight for. */
const anyPort = (words: readonly string[]) =>
  words.map((word) => word.replace(/^(--port=)?7787$/, (_port, name = '') => `${name}0`));

/** Serves with these options. @returns what `/healthz/ready` and the log of requests say, and the public URL */
async function served(args: readonly string[]) {
  const { runtime, outside } = await serveOutside('read', ...anyPort(args));
  const { body } = await ask(`${outside === '' ? runtime.url : outside}/healthz/ready`);
  const { public_url } = await (await runtime.connect()).call('runtime.info', {});
  return { ready: body, public_url, isLogged: runtime.output().includes('"path":"runtime.info"') };
}

const good = { ready: '{"status":"ready"}', isLogged: true };
const url = 'https://weir.example.com';

test('the unit of systemd is one', async (context) => {
  needsProgram('systemd-analyze', context);
  const folder = temporaryFolder();
  const file = join(folder, 'weir.service');
  // Its programs are looked for, and these are where the page of operations puts them.
  const unit = (await deployFile('weir.service')).replace('/usr/bin/node', process.execPath);
  await writeFile(file, unit);
  const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', file]);
  expect(stdout + stderr).toBe('');
});

test('its command line serves', async () => {
  const [, line = ''] =
    /^ExecStart=\S+ \S+cli\.js serve (.*)$/m.exec(await deployFile('weir.service')) ?? [];
  const options = line.replace('$WEIR_OPTIONS', '--public-url https://weir.example.com');
  expect(await served(options.split(' '))).toEqual({ ...good, public_url: url });
});

test('that of the image does', async () => {
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(await deployFile('Dockerfile')) ?? [];
  const [verb, ...args] = JSON.parse(command) as string[];
  expect(verb).toBe('serve');
  expect(await served(args)).toEqual({ ...good, public_url: null });
});

interface Compose {
  readonly services: Readonly<Record<string, { readonly command?: readonly string[] }>>;
}

test('that of the compose file does', async () => {
  const { services } = parse(await deployFile('compose.yaml')) as Compose;
  expect(Object.keys(services)).toEqual(['weir', 'caddy']);
  const [verb, ...args] = (services['weir']?.command ?? []).map((word) =>
    word.replace(/\$\{WEIR_DOMAIN:\?[^}]*\}/, 'weir.example.com'),
  );
  expect(verb).toBe('serve');
  expect(await served(args)).toEqual({ ...good, public_url: url });
});

test('docker-compose understands the compose file', async (context) => {
  needsProgram('docker-compose', context);
  const file = join('deploy', 'compose.yaml');
  const env = { ...process.env, WEIR_DOMAIN: 'weir.example.com' };
  const config = promisify(execFile)('docker-compose', ['-f', file, 'config', '-q'], { env });
  expect((await config).stderr).toBe('');
});
