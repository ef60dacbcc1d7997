/** Programs that the runtime starts are not given the key that seals the secrets. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RuntimeFile } from '../../src/protocol/rpc.ts';
import { cliFile } from '../support/cli.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { watchLog } from '../support/runtime-log.ts';

test('esbuild does not have WEIR_KEY', async ({ skip }) => {
  skip(process.platform !== 'linux', 'Only Linux shows the environment of a process.');
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const key = Buffer.alloc(32, 7).toString('base64');
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, 'config'), WEIR_KEY: key };
  watchLog(data);
  const runtime = spawn(process.execPath, [cliFile, 'serve', '--data', data], {
    env,
    stdio: 'pipe',
  });
  onTestFinished(() => void runtime.kill('SIGKILL'));
  await once(runtime.stdout, 'data');
  const { url, apiKey } = JSON.parse(
    await readFile(join(data, 'runtime.json'), 'utf8'),
  ) as RuntimeFile;
  const component_path = await sourceFile(
    folder,
    'a.mjs',
    `export default { name: 'A', run() {} }`,
  );
  const deployed = await fetch(`${url}/v1/sources`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ component_path }),
  });
  expect(deployed.status).toBe(200);
  const children = await childrenOf(runtime.pid ?? 0);
  expect(children.map(({ command }) => command)).toContainEqual(expect.stringContaining('esbuild'));
  for (const { environment } of children) expect(environment).not.toContain(key);
});

async function childrenOf(parent: number) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    pids.map(async (pid) => {
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
      const [status, command, environment] = await Promise.all(
        ['status', 'cmdline', 'environ'].map(read),
      );
      return { parent: Number(/PPid:\s(\d+)/.exec(status ?? '')?.[1]), command, environment };
    }),
  );
  return all.filter((one) => one.parent === parent);
}
