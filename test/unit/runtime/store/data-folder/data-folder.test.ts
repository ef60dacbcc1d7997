import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { RuntimeFile } from '../../../../../src/protocol/rpc.ts';
import { openDataFolder } from '../../../../../src/runtime/store/data-folder/data-folder.ts';
import { lockByName } from '../../../../../src/runtime/store/data-folder/lock.ts';
import { watchPlace } from '../../../../../src/runtime/store/data-folder/watch-place.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

const address: RuntimeFile = {
  url: 'http://127.0.0.1:4711',
  pid: 4711,
  apiKey: 'key',
  version: '0.1.0',
  startedAt: '2026-01-01T00:00:00.000Z',
  folder: '1-2',
};

const onlyLinux = 'It is about /proc and the socket files of Linux.';
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

/** What stands in it beside its lock. */
function contentOf(path: string): string[] {
  return fs
    .readdirSync(path)
    .filter((name) => !name.startsWith('lock'))
    .sort();
}

test('tells where the runtime is while it runs, to its owner only', async () => {
  const path = newPath();
  const folder = await openDataFolder(path);
  await folder.announce(address);
  const file = join(path, 'runtime.json');
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual(address);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(contentOf(path)).toEqual(['.gitignore', 'runtime.json']);
  await folder.release();
  expect(contentOf(path)).toEqual(['.gitignore']);
});

test('has one runtime, whatever the path to it; the next one gets in after it', async () => {
  const path = newPath();
  const folder = await openDataFolder(path);
  const who = `pid ${process.pid} \\(user [^,]+, since [-0-9]+T[:.0-9]+Z\\)`;
  await expect(openDataFolder(path)).rejects.toMatchObject({
    code: 'data_folder_in_use',
    message: expect.stringMatching(
      new RegExp(`^The data folder ${folder.path} is in use by the runtime with ${who}: .*--data`),
    ) as string,
  });
  await folder.announce(address);
  fs.symlinkSync(path, `${path}-link`);
  await expect(openDataFolder(`${path}-link`)).rejects.toThrow(
    new RegExp(`${who} at ${address.url}: `),
  );
  expect(fs.existsSync(join(path, 'runtime.json'))).toBe(true);
  await folder.release();
  await (await openDataFolder(path)).release();
});

test('a path above the length of a socket address is locked as well', async () => {
  const path = join(newPath(), 'x'.repeat(200));
  const folder = await openDataFolder(path);
  await expect(openDataFolder(path)).rejects.toMatchObject({ code: 'data_folder_in_use' });
  await folder.release();
});

describe('on Linux', () => {
  beforeEach(({ skip }) => skip(process.platform !== 'linux', onlyLinux));

  test('sockets that a crash left are removed, and nothing else that begins like one', async () => {
    const path = newPath();
    fs.mkdirSync(path, { recursive: true });
    const left = join(path, 'lock-4711-0123456789abcdef');
    const script = `require('net').createServer().listen('${left}', () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script]);
    expect(fs.statSync(left).isSocket()).toBe(true);
    fs.writeFileSync(join(path, 'lock-notes'), '');
    fs.writeFileSync(join(path, 'runtime.json'), JSON.stringify(address));
    const folder = await openDataFolder(path);
    const locks = fs.readdirSync(path).filter((name) => name.startsWith('lock-'));
    expect(locks).toHaveLength(2);
    expect(locks).toContain('lock-notes');
    expect(fs.existsSync(left)).toBe(false);
    expect(fs.existsSync(join(path, 'runtime.json'))).toBe(false);
    await folder.release();
    expect(fs.readdirSync(path).sort()).toEqual(['.gitignore', 'lock-notes']);
  });

  test('a runtime that hangs is not taken for dead', async () => {
    const path = newPath();
    fs.mkdirSync(path, { recursive: true });
    const script = `require('net').createServer().listen('${path}/lock-4711-0123456789abcdef', () => console.log('up'))`;
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const hanging = spawn(process.execPath, ['-e', script], { stdio: [...stdio] });
    onTestFinished(() => void hanging.kill('SIGKILL'));
    await once(hanging.stdout, 'data');
    hanging.kill('SIGSTOP');
    await expect(openDataFolder(path)).rejects.toMatchObject({
      code: 'data_folder_in_use',
      message: expect.stringMatching(
        /in use by a runtime that does not answer \(pid 4711\): /,
      ) as string,
    });
  });

  test('it knows whether its path still leads to it, and tells one that is made in its place', async () => {
    const path = newPath();
    const folder = await openDataFolder(path);
    await folder.announce(address);
    expect(folder.inPlace()).toBe(true);
    const moved = join(path, '..', 'moved');
    fs.renameSync(path, moved);
    expect(folder.inPlace()).toBe(false);
    await expect(openDataFolder(moved)).rejects.toMatchObject({ code: 'data_folder_in_use' });

    const other = await openDataFolder(path);
    expect(other.leftBehind).toMatchObject({ pid: process.pid, url: address.url });
    expect([folder.inPlace(), other.inPlace()]).toEqual([false, true]);
    await other.announce({ ...address, pid: 4712 });
    await folder.release();
    expect(fs.existsSync(join(path, 'runtime.json'))).toBe(true);
    fs.rmSync(path, { recursive: true });
    expect(other.inPlace()).toBe(false);
    await other.release();
    expect(fs.existsSync(path)).toBe(false);
  });

  test('a folder that cannot have sockets is locked by a name of the system', async () => {
    const path = newPath();
    fs.mkdirSync(path, { recursive: true });
    const lock = await lockByName(path);
    lock.hold({ pid: 1, user: 'u', since: 's' });
    await expect(lockByName(path)).rejects.toMatchObject({ holder: { pid: 1 } });
    await lock.release();
    await (await lockByName(path)).release();
  });
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

test('that is a file is no folder, whatever its rights', async () => {
  const path = newPath();
  fs.mkdirSync(join(path, '..'), { recursive: true });
  for (const mode of [0o600, 0o700]) {
    fs.writeFileSync(path, '{}', { mode });
    await expect(openDataFolder(path)).rejects.toMatchObject({
      code: 'bad_input',
      message: `The data folder ${path} is a file: name a folder with --data.`,
    });
    fs.rmSync(path);
  }
});

test('it is looked at once a second, and its loss is told once', () => {
  const clock = new FakeClock();
  const asked: number[] = [];
  let isThere = true;
  let losses = 0;
  const inPlace = () => {
    asked.push(clock.now());
    return isThere;
  };
  const stop = watchPlace({ inPlace, lost: () => (losses += 1), clock });
  clock.pass(2500);
  expect([asked, losses]).toEqual([[1000, 2000], 0]);
  isThere = false;
  clock.pass(5000);
  expect([asked, losses]).toEqual([[1000, 2000, 3000], 1]);
  stop();
  watchPlace({ inPlace, lost: () => (losses += 1), clock })();
  clock.pass(5000);
  expect(losses).toBe(1);
});

test('a folder that the system never makes is an error', async ({ skip }) => {
  skip(process.platform !== 'linux', onlyLinux);
  await expect(openDataFolder('/proc/weir/data')).rejects.toThrow(
    'The data folder /proc/weir/data cannot be used',
  );
});
