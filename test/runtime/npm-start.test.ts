/** `npm start` as a newcomer runs it: real npm, a real shell, a real signal. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/connection.ts';
import { findRuntime } from '../../src/client/runtime-file.ts';
import { gather } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { watchLog } from '../support/runtime-log.ts';

/** A checkout that builds into a folder of its own: other tests use dist/ at the same time. */
async function checkout(): Promise<string> {
  const folder = temporaryFolder();
  await copyFile('package.json', join(folder, 'package.json'));
  for (const name of ['scripts', 'src', 'examples', 'node_modules']) {
    await symlink(resolve(name), join(folder, name), 'junction');
  }
  return folder;
}

function npmStart(folder: string): ChildProcess {
  const { WEIR_DATA: _data, WEIR_KEY: _key, NODE_OPTIONS: _options, ...env } = process.env;
  watchLog(join(folder, '.weir'));
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...env, XDG_CONFIG_HOME: join(folder, 'config') },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that whatever is left behind by a failure can be ended.
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // Nothing is left, which is what the test wants.
    }
  });
  return child;
}

/** The pid of `weir serve` on the data folder of a checkout; undefined when it does not run. */
function serving(folder: string): number | undefined {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  const found = lines.find((line) => line.includes(`serve --data ${join(folder, '.weir')}`));
  return found === undefined ? undefined : Number.parseInt(found, 10);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('SIGTERM to npm ends the runtime and the processes of its components', async () => {
  const folder = await checkout();
  const npm = npmStart(folder);
  const printed = gather(npm.stdout);
  const complained = gather(npm.stderr);
  const exited = once(npm, 'exit');
  const isReady = () => printed().includes('Ctrl-C ends');
  await until('npm start to be ready', isReady, 50_000).catch((error: unknown) => {
    throw new Error(`It printed:\n${printed()}\n${complained()}`, { cause: error });
  });
  expect(printed()).toMatch(/curl http:\/\/127\.0\.0\.1:\d+\/h\/\S+/);
  const runtime = (await findRuntime(join(folder, '.weir')))!;
  const connection = await connect(runtime);
  const hosts = await until('a component to run', async () => {
    const found = (await connection.call('runtime.info', {})).hosts;
    return found.length > 0 && found;
  });
  connection.close();
  const pids = [runtime.pid, ...hosts.map(({ pid }) => pid)];
  expect(pids.every(isAlive)).toBe(true);
  // What `npx weir` runs: the built file itself.
  const weir = promisify(execFile)(join(folder, 'dist', 'cli.js'), ['list'], { cwd: folder });
  expect((await weir).stdout).toMatch(/http-inbox[^]*tick/);

  npm.kill('SIGTERM');
  await exited;
  await until(`the processes ${pids.join(', ')} to end`, () => !pids.some(isAlive));
  expect(serving(folder)).toBeUndefined();
});

test('SIGTERM while the runtime is being started leaves nothing behind', async () => {
  const folder = await checkout();
  const npm = npmStart(folder);
  const exited = once(npm, 'exit');
  // As soon as there is a process to leave behind.
  const pid = await until('the runtime to be started', () => serving(folder), 50_000);
  npm.kill('SIGTERM');
  await exited;
  await until(`the process ${pid} to end`, () => !isAlive(pid));
  expect(serving(folder)).toBeUndefined();
});
