/** A private repository over HTTP: git's own server behind a password, which the user's git knows (clause 20). */
import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Source } from '../../../src/protocol/catalogue.ts';
import { atEndOfTest } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { gitRepository } from '../../support/git.ts';
import { startRuntime } from '../../support/runtime.ts';
import { emitted } from './npm-world.ts';

const password = 'open-sesame-4711';

/** What Apache does with `git http-backend`, for a user `ann` with the password. @returns `http://127.0.0.1:…/` */
async function serve(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const wanted = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;
    if (request.headers.authorization === wanted) backend(folder, request, response);
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="acme"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfTest(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function backend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'ann',
      REMOTE_ADDR: '127.0.0.1',
    },
  });
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (response.headersSent) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const lines = head.subarray(0, end).toString().split('\r\n');
    const headers = lines.map((line) => line.split(/:\s*(.*)/s).slice(0, 2) as [string, string]);
    const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1];
    response.writeHead(Number.parseInt(status ?? '200', 10), Object.fromEntries(headers));
    response.write(head.subarray(end + 4));
  });
  child.stdout.on('end', () => response.end());
}

async function textsBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

test('a private repository is read with what the user has told git, and the password is kept nowhere (20)', async () => {
  const { bare, commit } = await gitRepository(temporaryFolder(), 'private');
  await commit({
    'acme/sources/new-order/new-order.mjs': `export default { key: 'acme-new-order', version: '0.1.0', type: 'source', name: 'New Order', run() { this.$emit('private'); } };`,
  });
  const url = await serve(dirname(bare));
  const place = `${url}private.git`;
  // As a credential helper keeps it, outside of all that is Weir's.
  const home = temporaryFolder();
  const credentials = join(home, 'credentials');
  const gitconfig = join(home, 'gitconfig');
  await writeFile(credentials, `${url.replace('://', `://ann:${password}@`)}\n`);
  await writeFile(gitconfig, `[credential]\n\thelper = store --file=${credentials}\n`);

  const without = temporaryFolder();
  const stranger = await startRuntime({ folder: without, env: { GIT_CONFIG_GLOBAL: '/dev/null' } });
  const refused = await stranger.weir('registry', 'add', place);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/git says: .*(?:[Aa]uthentication|[Uu]sername|terminal prompts)/);

  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder, env: { GIT_CONFIG_GLOBAL: gitconfig } });
  const told = await runtime.weir('registry', 'add', place.replace('://', `://ann:${password}@`));
  expect(told.code).toBe(2);
  expect(told.stderr).not.toContain(password);
  await runtime.weirJson('registry', 'add', place);
  const source = await runtime.weirJson<Source>('deploy', 'acme-new-order', '--yes');
  expect(await emitted(runtime, source)).toEqual(['private']);
  expect(JSON.parse(await readFile(join(folder, 'weir.lock.json'), 'utf8'))).toMatchObject({
    components: [{ registry: place }],
  });
  expect(await textsBelow(folder)).not.toContain(password);
  expect(runtime.output()).not.toContain(password);
});
