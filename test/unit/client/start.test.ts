import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { childEnvironment, startRuntime } from '../../../src/client/start.ts';
import type { RuntimeFile } from '../../../src/protocol/rpc.ts';
import { temporaryFolder } from '../../support/folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** A real child process that does what the code says where a runtime would start. */
async function startChild(code: string, more: object = {}): Promise<RuntimeFile> {
  const runtimeFile = join(folder, 'runtime.cjs');
  await writeFile(runtimeFile, code);
  return await startRuntime({
    runtimeFile,
    dataFolder: join(folder, 'data'),
    execPath: process.execPath,
    ...more,
  });
}

test('resolves with what the child says when it is ready', async () => {
  const runtime = await startChild(
    `process.send({ t: 'ready', runtime: { url: process.argv.slice(2).join(' '), pid: process.pid } });`,
  );
  expect(runtime.url).toBe(`--data ${join(folder, 'data')}`);
  expect(runtime.pid).not.toBe(process.pid);
});

test('settings are in no argument, which everybody on the machine can read', async () => {
  const settings = ['smtp.url=smtp://ada:pw@127.0.0.1:25', 'run.timeoutSeconds=7'];
  const runtime = await startChild(
    `process.send({ t: 'ready', runtime: { url: JSON.stringify(process.argv), apiKey: process.env.WEIR_SETTINGS } });`,
    { settings },
  );
  expect(runtime.url).not.toContain('smtp');
  expect(JSON.parse(runtime.apiKey)).toEqual(settings);
});

test('the child lives on when its parent has let go of it', async () => {
  const runtime = await startChild(
    `const { createServer } = require('node:http');
     const server = createServer((request, response) => {
       response.end('alive ' + process.connected);
       if (request.url === '/stop') setImmediate(() => process.exit());
     });
     server.listen(0, '127.0.0.1', () => {
       process.send({ t: 'ready', runtime: { url: 'http://127.0.0.1:' + server.address().port } });
     });`,
  );
  await expect.poll(async () => await (await fetch(runtime.url)).text()).toBe('alive false');
  await fetch(new URL('/stop', runtime.url));
});

test('rejects with the error the child tells', async () => {
  const started = startChild(
    `process.send({ t: 'failed', error: { code: 'data_folder_in_use', message: 'In use.' } });`,
  );
  await expect(started).rejects.toMatchObject({ code: 'data_folder_in_use', message: 'In use.' });
});

test('rejects with what a child printed that ends without a word', async () => {
  const started = startChild(`throw new Error('the reason');`);
  await expect(started).rejects.toThrow(/exit code 1[^]*the reason/);
});

test('a child that never becomes ready is ended', async () => {
  const started = startChild(
    `require('node:fs').writeFileSync(process.argv[3] + '/pid', String(process.pid));
     setInterval(() => undefined, 1000);`,
    { timeoutMs: 500 },
  );
  await expect(started).rejects.toThrow(/not ready after 0.5 s/);
});

test('a program that is not there is named', async () => {
  const started = startChild('', { execPath: join(folder, 'no-node') });
  await expect(started).rejects.toThrow(/no-node/);
});

test('an abort ends the wait', async () => {
  const started = startChild('setInterval(() => undefined, 1000);', {
    signal: AbortSignal.timeout(100),
  });
  await expect(started).rejects.toMatchObject({ code: 'cancelled' });
});

test('the environment of the child', () => {
  const kept = { PATH: '/bin', XDG_CACHE_HOME: folder };
  const env = { ...kept, NODE_OPTIONS: '--inspect', VSCODE_INSPECTOR_OPTIONS: '{}' };
  expect(childEnvironment(env)).toEqual({
    ...kept,
    ELECTRON_RUN_AS_NODE: '1',
    MALLOC_TRIM_THRESHOLD_: '131072',
    NODE_COMPILE_CACHE: join(folder, 'weir', 'compiled'),
  });
  const set = { MALLOC_TRIM_THRESHOLD_: '0', NODE_COMPILE_CACHE: '/compiled' };
  expect(childEnvironment(set)).toEqual({ ...set, ELECTRON_RUN_AS_NODE: '1' });
});
