import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RuntimeFile } from '../../../../src/protocol/rpc.ts';
import { openDataFolder } from '../../../../src/runtime/data-folder/data-folder.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { lockName } from '../../../../src/runtime/data-folder/lock.ts';

const address: RuntimeFile = {
  url: 'http://127.0.0.1:4711',
  pid: 4711,
  apiKey: 'key',
  version: '0.1.0',
  startedAt: '2026-01-01T00:00:00.000Z',
};

const newPath = () => join(temporaryFolder(), 'a', '.weir');

test('is made for its owner only, and git does not see it', async () => {
  const path = newPath();
  const folder = await openDataFolder(path);
  expect(fs.statSync(path).mode & 0o777).toBe(0o700);
  expect(fs.readFileSync(join(path, '.gitignore'), 'utf8')).toBe('*\n');
  await folder.release();
  fs.writeFileSync(join(path, '.gitignore'), 'mine');
  await (await openDataFolder(path)).release();
  expect(fs.readFileSync(join(path, '.gitignore'), 'utf8')).toBe('mine');
});

test('tells where the runtime is while it runs, to its owner only', async () => {
  const path = newPath();
  const folder = await openDataFolder(path);
  await folder.announce(address);
  const file = join(path, 'runtime.json');
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual(address);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(path).sort()).toEqual(['.gitignore', 'runtime.json']);
  await folder.release();
  expect(fs.readdirSync(path)).toEqual(['.gitignore']);
});

test('has one runtime, whatever the path to it; the next one gets in after it', async () => {
  const path = newPath();
  const folder = await openDataFolder(path);
  await expect(openDataFolder(path)).rejects.toMatchObject({
    code: 'data_folder_in_use',
    message: expect.stringContaining(
      `Another runtime uses the data folder ${folder.path}`,
    ) as string,
  });
  await folder.announce(address);
  fs.symlinkSync(path, `${path}-link`);
  await expect(openDataFolder(`${path}-link`)).rejects.toThrow(
    /pid 4711 uses .* at http:\/\/127.0.0.1:4711: .*--data/,
  );
  expect(fs.existsSync(join(path, 'runtime.json'))).toBe(true);
  await folder.release();
  await (await openDataFolder(path)).release();
});

test.runIf(process.platform === 'linux')('is free again when its runtime was killed', async () => {
  const path = newPath();
  fs.mkdirSync(path, { recursive: true });
  const { username } = (await import('node:os')).userInfo();
  const name = lockName(fs.realpathSync(path), username);
  const script = `require('net').createServer().listen('\\0${name}', () => console.log('held'))`;
  const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  fs.writeFileSync(join(path, 'runtime.json'), JSON.stringify(address));
  await expect(openDataFolder(path)).rejects.toMatchObject({ code: 'data_folder_in_use' });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const folder = await openDataFolder(path);
  expect(fs.existsSync(join(path, 'runtime.json'))).toBe(false);
  await folder.release();
});

test('that cannot be made is named with the reason', async () => {
  const path = newPath();
  fs.writeFileSync(join(path, '..', '..', 'a'), 'a file');
  await expect(openDataFolder(path)).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringMatching(
      new RegExp(`data folder ${path} cannot be used \\(ENOTDIR`),
    ) as string,
  });
});

test('the lock has one name for each folder and user', () => {
  expect(lockName('/a', 'u')).toBe(lockName('/a', 'u'));
  expect(new Set([lockName('/a', 'u'), lockName('/b', 'u'), lockName('/a', 'v')]).size).toBe(3);
  expect(lockName(`/${'x'.repeat(5000)}`, 'u').length).toBeLessThan(100);
});
