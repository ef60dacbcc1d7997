/** The settings of a runtime that an editor forks. */
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/connection.ts';
import { startRuntime } from '../../src/client/start.ts';
import { cliFile } from '../support/cli.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { watchLog } from '../support/runtime-log.ts';

async function fork(folder: string, settings: readonly string[]) {
  const dataFolder = join(folder, 'data');
  const runtime = await startRuntime({
    runtimeFile: join(dirname(cliFile), 'runtime.js'),
    dataFolder,
    execPath: process.execPath,
    args: ['--attended'],
    settings,
    env: { ...process.env, XDG_CONFIG_HOME: join(folder, 'config') },
  });
  watchLog(dataFolder);
  onTestFinished(() => void process.kill(runtime.pid, 'SIGKILL'));
  return runtime;
}

test('it has them, though they are in no argument', async () => {
  const folder = temporaryFolder();
  const client = await connect(await fork(folder, ['run.timeoutSeconds=1']));
  onTestFinished(() => client.close());
  const component_path = await sourceFile(
    folder,
    'endless.mjs',
    `export default { name: 'Endless', run() { for (;;); } };`,
  );
  const { id } = await client.call('sources.deploy', { component_path });
  const { error } = await client.call('sources.invoke', { id });
  expect(error?.message).toContain('ran longer than 1 s');
});

test('one that there is not is told', async () => {
  await expect(fork(temporaryFolder(), ['nonsense=1'])).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('"nonsense=1" is not a setting') as string,
  });
});
